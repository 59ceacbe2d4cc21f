// Package app is the composition root: it reads the command line and the configuration, and wires catalogue,
// datasources, service and server together. Nothing below it reads flags, environment or files on its own.
package app
