// Command parlance serves a semantic layer over databases. It hands arguments, streams and signals to the
// composition root and its exit code to the system, and does nothing else.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"parlance/internal/app"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	return app.Run(ctx, os.Args[1:], app.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv, Reload: hangup})
}
