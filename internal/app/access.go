package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"text/tabwriter"

	"parlance/internal/access"
	"parlance/internal/catalog"
	"parlance/internal/fault"
	"parlance/internal/identity"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/service"
)

type accessCommand struct {
	Explain accessExplain `cmd:"" help:"Tell what somebody may see of a model, and which rule says so."`
	Diff    accessDiff    `cmd:"" help:"Tell what a change of policies opens and closes."`
}

type accessExplain struct {
	Config    string            `placeholder:"FILE" help:"The server's file, parlance.yaml; the embedded demo's without one."`
	Namespace string            `placeholder:"NAME" help:"The namespace; the configuration's default unless given."`
	As        string            `required:"" placeholder:"USER" help:"Who asks: a user of the namespace's tokens, or anybody with --role and --attribute."`
	Role      []string          `placeholder:"ROLE" help:"Roles of somebody who is not in the tokens."`
	Attribute map[string]string `placeholder:"NAME=VALUE,…" mapsep:";" help:"Attributes of somebody who is not in the tokens; values are separated by commas."`
	Model     string            `required:"" placeholder:"MODEL" help:"The model."`
	Query     string            `placeholder:"FILE" help:"A payload, as JSON: tell also what becomes of it."`
}

// Run prints what the identity meets.
func (c accessExplain) Run(ctx context.Context, s Streams) (err error) {
	config, err := serveCommand{Config: c.Config}.configuration(s.Env)
	if err != nil {
		return err
	}
	if c.Namespace == "" {
		c.Namespace = config.DefaultNamespace
	}
	asked := &server{config: config, log: slog.New(slog.DiscardHandler)}
	if err := asked.guard(); err != nil {
		return err
	}
	id, err := c.identity(asked.gate)
	if err != nil {
		return err
	}
	w, err := openWorld(ctx, config, asked.log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	cat, err := catalog.New(w.namespaces...)
	if err != nil {
		return err
	}
	if problems := cat.Reload(ctx, c.Namespace); len(problems) > 0 {
		return printProblems(s, "", problems)
	}
	g, _ := cat.Namespace(c.Namespace)
	m, ok := g.ByName[c.Model]
	if !ok {
		return fmt.Errorf("parlance: namespace %s has no model %q", c.Namespace, c.Model)
	}
	explainGrant(s.Out, c.As, id, m)
	if c.Query == "" {
		return nil
	}
	asked.world, asked.catalog = w, cat
	return c.explainQuery(ctx, s.Out, service.New(asked.parts()), id)
}

// identity is the one of the namespace's tokens, or the one that the flags make up.
func (c accessExplain) identity(gate *identity.Gate) (access.Identity, error) {
	made := len(c.Role)+len(c.Attribute) > 0
	id, known := gate.User(c.Namespace, c.As)
	switch {
	case known && made:
		return id, fmt.Errorf("parlance: %s has a token in %s, so --role and --attribute have no meaning", c.As, c.Namespace)
	case known:
		return id, nil
	case !made:
		return id, fmt.Errorf("parlance: nobody called %q has a token in %s; --role and --attribute make somebody up", c.As, c.Namespace)
	}
	id = access.Identity{User: c.As, Roles: c.Role, Attributes: map[string][]string{}}
	for name, values := range c.Attribute {
		id.Attributes[name] = strings.Split(values, ",")
	}
	return id, nil
}

// explainGrant prints what every rule does to somebody.
func explainGrant(out io.Writer, who string, id access.Identity, m *semantic.Model) {
	g := access.For(id, m)
	if !g.Model() {
		fmt.Fprintf(out, "%s may not see %s: it is for the roles %s\n", who, m.Name, strings.Join(audience(m), ", "))
		return
	}
	all, seen := len(m.Fields()), len(g.Fields())
	fmt.Fprintf(out, "%s may see %s: %d of its %d fields\n", who, m.Name, seen, all)
	t := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, e := range g.Effects() {
		fmt.Fprintf(t, "  %s\t%s\t%s\n", e.What, effect(e), e.Where)
	}
	_ = t.Flush()
	if len(g.Effects()) == 0 {
		fmt.Fprintln(out, "  no rule narrows anything")
	}
}

func audience(m *semantic.Model) []string {
	if m.Access != nil && m.Access.Roles != nil {
		return m.Access.Roles
	}
	if m.Multi == nil {
		return nil
	}
	var roles []string
	for _, fact := range m.Multi.Facts {
		roles = append(roles, audience(fact)...)
	}
	return roles
}

// effect says what a rule does.
func effect(e access.Effect) string {
	switch e.What {
	case "rows":
		if e.Rule != e.Words {
			return e.Rule + ", that is " + e.Words
		}
		return e.Words
	case "groups":
		return e.Words
	}
	text := e.Field.Name
	if e.Mask != semantic.NoMask {
		text += " as " + string(e.Mask)
	}
	if e.From != nil {
		text += ", made from " + e.From.Name
	}
	return text
}

// explainQuery prints what becomes of a payload: its refusal, or its statement with the policy's conditions in it.
func (c accessExplain) explainQuery(ctx context.Context, out io.Writer, s *service.Service, id access.Identity) error {
	text, err := os.ReadFile(c.Query)
	if err != nil {
		return fmt.Errorf("parlance: the query cannot be read: %w", err)
	}
	tree, err := jsontree.Parse(text)
	if err != nil {
		return fmt.Errorf("parlance: %s is not JSON: %w", c.Query, err)
	}
	q, err := query.Decode(tree, query.DecodeOptions{Limits: s.Payload})
	if err != nil {
		return fmt.Errorf("parlance: the query is refused for everybody: %s", fault.As(err).Text())
	}
	caller := service.Caller{Namespace: c.Namespace, Identity: id}
	a, err := s.Query(ctx, caller, c.Model, q, service.QueryOptions{Validate: true, ShowSQL: true})
	if err != nil {
		fmt.Fprintf(out, "the query is refused: %s\n", fault.As(err).Text())
		return nil
	}
	fmt.Fprintln(out, "the query is answered by:")
	for _, statement := range a.SQL {
		fmt.Fprintln(out, "  "+statement)
	}
	return nil
}

type accessDiff struct {
	Old    string `arg:"" help:"Folder of model files as they were."`
	New    string `arg:"" help:"Folder of model files as they are to be."`
	Closed bool   `help:"Fail when anything opens."`
}

// Run prints the changes, those that open first told as such.
func (c accessDiff) Run(ctx context.Context, s Streams) error {
	var states [2][]*semantic.Model
	for i, dir := range []string{c.Old, c.New} {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return fmt.Errorf("parlance: %s is not a folder", dir)
		}
		g, problems := catalog.Load(ctx, catalog.Options{FS: os.DirFS(dir)})
		if err := printProblems(s, dir, problems); err != nil {
			return err
		}
		states[i] = g.Models
	}
	opened := printChanges(s.Out, access.Compare(states[0], states[1]))
	if c.Closed && opened > 0 {
		return fmt.Errorf("%s", counted(opened, "thing")+" opened")
	}
	return nil
}

// printChanges prints what changes, model by model, and returns how many of the changes open something.
func printChanges(out io.Writer, changes []access.Change) (opened int) {
	if len(changes) == 0 {
		fmt.Fprintln(out, "nobody sees more or less than before")
		return 0
	}
	model := ""
	t := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, c := range changes {
		if c.Model != model {
			model = c.Model
			fmt.Fprintln(t, model)
		}
		verb := "closes"
		if c.Opens {
			verb, opened = "opens", opened+1
		}
		what := c.What
		if what == "" {
			what = "the model"
		}
		fmt.Fprintf(t, "  %s\t%s\t%s → %s\tfor %s\n", verb, what, c.From, c.To, strings.Join(c.Who, ", "))
	}
	_ = t.Flush()
	fmt.Fprintf(out, "%d opened, %d closed\n", opened, len(changes)-opened)
	return opened
}
