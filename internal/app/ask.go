package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"parlance/internal/access"
	"parlance/internal/audit"
	"parlance/internal/chart"
	"parlance/internal/fault"
	"parlance/internal/service"
	"parlance/internal/transport/mcp"
)

type askCommand struct {
	Question  []string `arg:"" help:"The question in plain words, English or Chinese; further ones go on from the answer before."`
	Config    string   `placeholder:"FILE" help:"The server's file, parlance.yaml; the embedded demo answers without one."`
	Namespace string   `placeholder:"NS" help:"The namespace; the configuration's default unless given."`
	Format    string   `enum:"text,json" default:"text" help:"What is printed: text, or json, one reply a line."`
}

// errNotAnswered is the outcome of a question that was asked back or declined, which is told already.
var errNotAnswered = errors.New("not answered")

// Run asks the questions one after the other, in one conversation, and prints what comes back. It fails with the first
// one that is not answered.
func (c askCommand) Run(ctx context.Context, s Streams) (err error) {
	config, err := configured(c.Config, s.Env)
	if err != nil {
		return err
	}
	config.TLS = TLSConfig{} // nothing listens
	asked, err := open(ctx, config, slog.New(slog.DiscardHandler))
	if err != nil {
		return unlessStopped(ctx, err)
	}
	defer func() {
		asked.gate.Close()
		err = errors.Join(err, asked.close())
	}()
	who, err := asked.localUser(mcpCommand{Role: string(mcp.Business), Namespace: c.Namespace}, s)(ctx)
	if err != nil {
		return fmt.Errorf("parlance: %s", fault.As(err).Text())
	}
	if err := asked.load(ctx); err != nil {
		return unlessStopped(ctx, err)
	}
	caller := service.Caller{Namespace: c.Namespace, Identity: who}
	if err := asked.service.Warm(ctx, caller); err != nil && ctx.Err() == nil {
		return fmt.Errorf("parlance: %s", fault.As(err).Text())
	}
	session := ""
	for i, text := range c.Question {
		if i > 0 && c.Format == "text" {
			fmt.Fprintln(s.Out)
		}
		reply, err := asked.question(ctx, caller, service.AskRequest{Text: text, Session: session})
		if err != nil {
			return fmt.Errorf("parlance: %s", fault.As(err).Text())
		}
		if err := c.print(s.Out, reply); err != nil {
			return err
		}
		session = reply.Session
	}
	return nil
}

// question asks, and leaves in the record what any other interface would.
func (s *server) question(ctx context.Context, c service.Caller, r service.AskRequest) (*service.AskReply, error) {
	ctx, record := service.WithRecord(ctx)
	begun := time.Now()
	entry := record.Begin("dataset_nl.query")
	reply, err := s.service.Ask(service.WithCaller(ctx, c), c, r)
	if err != nil {
		record.Refuse(fault.As(err).Reason, fault.As(err))
	} else {
		record.Succeed(int64(len(reply.Picture.Rows)))
	}
	if s.audit != nil {
		s.complete(entry, c.Identity, begun)
		s.audit.Record(*entry)
	}
	return reply, err
}

func (s *server) complete(e *audit.Entry, who access.Identity, begun time.Time) {
	e.User, e.Roles, e.Interface, e.Endpoint = who.User, who.Roles, "cli", string(mcp.Business)
	e.Credential, e.Time, e.Took = audit.Fingerprint(who.Opaque), begun, time.Since(begun)
}

func (c askCommand) print(out io.Writer, r *service.AskReply) error {
	if c.Format == "json" {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		if err := e.Encode(r); err != nil {
			return err
		}
	} else {
		printReply(out, r)
	}
	if r.Type != "result" {
		return errNotAnswered
	}
	return nil
}

// terminalWidth is the columns of a terminal that everybody has.
const terminalWidth = 80

// printReply prints an answer as a sentence, a table, a chart made of characters and the payload.
func printReply(out io.Writer, r *service.AskReply) {
	if r.Type != "result" {
		fmt.Fprintln(out, r.Message)
		for i, choice := range r.Choices {
			fmt.Fprintf(out, "  %d. %s\n", i+1, choice.Text)
		}
		return
	}
	fmt.Fprintln(out, r.Understood)
	printRows(out, r.Picture)
	fmt.Fprintln(out, r.Summary)
	for _, w := range r.Warnings {
		fmt.Fprintln(out, "Note: "+w)
	}
	if picture := chart.Text(r.Picture, chart.Options{Chinese: r.Chinese}, terminalWidth); picture != "" {
		fmt.Fprint(out, "\n"+picture)
	}
	fmt.Fprintf(out, "\n%s %s\n", r.Model, r.Payload)
}

const (
	printedRows = 20
	widestCell  = 30 // columns of a terminal
)

// printRows prints keys to the left and numbers to the right, the first rows of many.
func printRows(out io.Writer, t chart.Table) {
	if len(t.Columns) == 0 {
		return
	}
	lines := [][]string{make([]string, len(t.Columns))}
	for i, c := range t.Columns {
		lines[0][i] = chart.Clip(c.Name, widestCell)
	}
	for _, row := range t.Rows[:min(len(t.Rows), printedRows)] {
		line := make([]string, len(row))
		for i, cell := range row {
			line[i] = printedCell(cell, t.Columns[i])
		}
		lines = append(lines, line)
	}
	widths := make([]int, len(t.Columns))
	for _, line := range lines {
		for i, text := range line {
			widths[i] = max(widths[i], chart.Cells(text))
		}
	}
	fmt.Fprintln(out)
	for _, line := range lines {
		var b strings.Builder
		for i, text := range line {
			space := strings.Repeat(" ", widths[i]-chart.Cells(text))
			if t.Columns[i].Number {
				text, space = space+text, ""
			}
			b.WriteString(text + space + "  ")
		}
		fmt.Fprintln(out, strings.TrimRight(b.String(), " "))
	}
	if more := len(t.Rows) - printedRows; more > 0 {
		fmt.Fprintf(out, "… and %d more\n", more)
	}
	fmt.Fprintln(out)
}

func printedCell(cell chart.Cell, c chart.Column) string {
	switch {
	case cell.Null:
		return "–"
	case c.Number:
		return chart.Exact(cell.Text, c.Style, "")
	}
	return chart.Clip(cell.Text, widestCell)
}
