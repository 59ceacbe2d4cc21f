// Package bench measures what the service adds to a database's own time: the served query beside the same statements
// sent by hand through the same driver, on every engine, in one run. make bench prints the tables.
package bench
