package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"parlance/schema"
)

// Streams are what a run of the program has of the world beside its arguments.
type Streams struct {
	In       io.Reader // of the mcp command; nil: it ends at once
	Out, Err io.Writer
	Env      func(name string) (string, bool)
	Reload   <-chan os.Signal // each asks a serving process to read its models again; nil: never
}

type cli struct {
	Serve      serveCommand      `cmd:"" help:"Serve the models of a configuration, or the embedded demo without one."`
	Open       openCommand       `cmd:"" help:"Show the page of a running server in the browser."`
	MCP        mcpCommand        `cmd:"" name:"mcp" help:"Serve one MCP client over standard input and output."`
	Ask        askCommand        `cmd:"" help:"Ask questions in plain words and print the answers."`
	Validate   validateCommand   `cmd:"" help:"Check a folder of model files and print every problem."`
	Check      checkCommand      `cmd:"" help:"Compare the models of a configuration with its databases and print a table of results."`
	Introspect introspectCommand `cmd:"" help:"Print or write model files made from the tables of a database."`
	Demo       demoCommand       `cmd:"" help:"Put the demo's tables into a database of yours, or its model files into a folder."`
	Rollup     rollupCommand     `cmd:"" help:"Build the rollups that models declare."`
	Schema     schemaCommand     `cmd:"" help:"Print the JSON Schema of model files, for editors."`
	Access     accessCommand     `cmd:"" help:"Explain and compare who may see what."`
	Token      tokenCommand      `cmd:"" help:"Make tokens for namespaces in mode tokens."`
	Version    versionCommand    `cmd:"" help:"Print the version."`
}

// The exit codes of Run.
const (
	exitOK      = 0
	exitFailed  = 1
	exitMisused = 2 // the arguments make no sense
)

// Run runs the program with its arguments (without its own name) and returns its exit code. A serving process ends
// when ctx does.
func Run(ctx context.Context, args []string, s Streams) int {
	exited := -1 // set by --help
	parser, err := kong.New(&cli{},
		kong.Name("parlance"),
		kong.Description("Parlance answers questions about a company's data in the company's own words."),
		kong.Writers(s.Out, s.Err),
		kong.Exit(func(code int) { exited = code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(s),
	)
	if err != nil {
		fmt.Fprintln(s.Err, "parlance:", err)
		return exitFailed
	}
	command, err := parser.Parse(args)
	if exited >= 0 {
		return exited
	}
	if err != nil {
		fmt.Fprintf(s.Err, "parlance: %s (parlance --help tells more)\n", err)
		return exitMisused
	}
	if err := command.Run(); err != nil {
		if !errors.Is(err, errNotAnswered) {
			fmt.Fprintln(s.Err, err)
		}
		return exitFailed
	}
	return exitOK
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(s Streams) error {
	_, err := fmt.Fprintln(s.Out, Version())
	return err
}

type schemaCommand struct{}

// Run prints the JSON Schema of model files.
func (schemaCommand) Run(s Streams) error {
	_, err := s.Out.Write(schema.Model())
	return err
}

type serveCommand struct {
	Listen string `placeholder:"HOST:PORT" help:"Address to listen on; the configuration's, or 127.0.0.1:7108, unless given."`
	Config string `placeholder:"FILE" help:"The server's file, parlance.yaml; the embedded demo serves without one."`
	Log    string `enum:"text,json" default:"text" help:"Form of the log lines: text or json."`
}

// Run serves until ctx ends.
func (c serveCommand) Run(ctx context.Context, s Streams) error {
	config, err := c.configuration(s.Env)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGPIPE) // nobody reads the log any more: the service goes on
	log, flush := gatheringLogger(c.Log, s.Err)
	defer flush()
	defer holdHeap()()
	return serve(ctx, config, s, log)
}

func (c serveCommand) configuration(env func(string) (string, bool)) (Config, error) {
	config, err := configured(c.Config, env)
	if err != nil || c.Listen == "" {
		return config, err
	}
	if wrong := checkListen(c.Listen); wrong != "" {
		return Config{}, fmt.Errorf("parlance: --listen: %s", wrong)
	}
	config.Listen = c.Listen
	return config, nil
}

// configured reads a configuration; without a file it is the embedded demo's.
func configured(file string, env func(string) (string, bool)) (Config, error) {
	if file == "" {
		return defaults(), nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return Config{}, fmt.Errorf("parlance: the configuration cannot be read: %w", err)
	}
	return readConfig(file, text, env)
}

// gatheringLogger is a logger that keeps nobody waiting; flush writes what is left.
func gatheringLogger(form string, to io.Writer) (log *slog.Logger, flush func()) {
	lines := &gathered{to: to}
	log = logger(form, lines)
	lines.tell = func(lost int) {
		log.Warn("lines of this log are lost: they were not read as fast as they came", "lost", lost)
	}
	return log, lines.Flush
}

// logger writes log lines in a form, text or json.
func logger(form string, to io.Writer) *slog.Logger {
	if form == "json" {
		return slog.New(slog.NewJSONHandler(to, nil))
	}
	return slog.New(slog.NewTextHandler(to, nil))
}
