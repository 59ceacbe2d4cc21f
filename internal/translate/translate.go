// Package translate asks a language model, over any OpenAI-compatible interface, to put a question into a query payload.
// It trusts nothing that comes back: a reply is a model's name and a payload, which whoever asked checks like a caller's.
package translate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"parlance/internal/jsontree"
)

// Options are where the language model is and what it may cost. Address and Model must be set.
type Options struct {
	Address string        // of the interface, such as https://api.example.com/v1
	Model   string        // as the interface calls it
	Key     string        // a bearer token; "": none is sent
	Timeout time.Duration // of one question; 0: 10 s
	Calls   int           // in an hour; 0: 100
	Tokens  int           // in an hour, both ways, as the interface counts them; 0: 200,000
	Values  bool          // values found in the data may be sent
	Now     func() time.Time
}

const (
	defaultTimeout = 10 * time.Second
	defaultCalls   = 100
	defaultTokens  = 200_000
	maxReply       = 64 << 10 // bytes that are read of a reply
	maxAnswer      = 1500     // tokens that a reply may have
	atOnce         = 4
)

// Question is what is sent: the caller's words, and the names of what the caller may ask about.
type Question struct {
	Text   string
	Today  string // the day from which relative dates count
	Models []Model
}

// Model is what the language model is told of a model.
type Model struct {
	Name        string  `json:"model"`
	Caption     string  `json:"caption,omitempty"`
	Description string  `json:"description,omitempty"`
	Time        string  `json:"time,omitempty"` // the field of periods
	Fields      []Field `json:"fields"`
}

// Field is what it is told of a field.
type Field struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"` // MEASURE, DIMENSION or ATTRIBUTE
	Type     string   `json:"type"`
	Caption  string   `json:"caption,omitempty"`
	Synonyms []string `json:"synonyms,omitempty"`
	Codes    []string `json:"codes,omitempty"`  // of a dictionary
	Values   []string `json:"values,omitempty"` // found in the data; only where the configuration says so
}

// Translation is what came back: a payload as it stands, for nobody to trust.
type Translation struct {
	Model   string
	Payload jsontree.Node
}

// The ways in which there is no translation.
var (
	ErrBudget   = errors.New("the budget of the language model is used up for this hour")
	ErrDeclined = errors.New("the language model gave no query")
	ErrUnusable = errors.New("the language model's reply is not what was asked for")
	ErrNoAnswer = errors.New("the language model did not answer")
)

// Client asks one language model. It is safe for concurrent use.
type Client struct {
	o      Options
	http   *http.Client
	places chan struct{}

	mu     sync.Mutex
	since  time.Time // when the hour of the budget began
	calls  int
	tokens int
}

// New returns a client. It connects to nothing yet.
func New(o Options) *Client {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Calls <= 0 {
		o.Calls = defaultCalls
	}
	if o.Tokens <= 0 {
		o.Tokens = defaultTokens
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Client{
		o: o, places: make(chan struct{}, atOnce),
		http: &http.Client{
			Transport:     &http.Transport{TLSHandshakeTimeout: o.Timeout, MaxIdleConnsPerHost: atOnce, IdleConnTimeout: time.Minute, DisableCompression: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // the key goes to one address only
		},
	}
}

// Name returns what the language model is called.
func (c *Client) Name() string { return c.o.Model }

// SendsValues reports whether values found in the data may be sent.
func (c *Client) SendsValues() bool { return c.o.Values }

// Translate asks for a payload. It takes no longer than the time-out; an error is one of the package's, with its cause.
func (c *Client) Translate(ctx context.Context, q Question) (*Translation, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	select {
	case c.places <- struct{}{}:
		defer func() { <-c.places }()
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrNoAnswer, ctx.Err())
	}
	if !c.afford() {
		return nil, ErrBudget
	}
	text, used, err := c.complete(ctx, q)
	c.spend(used)
	if err != nil {
		return nil, err
	}
	return read(text)
}

// afford takes one call out of the budget, if there is one left.
func (c *Client) afford() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.o.Now(); now.Sub(c.since) >= time.Hour {
		c.since, c.calls, c.tokens = now, 0, 0
	}
	if c.calls >= c.o.Calls || c.tokens >= c.o.Tokens {
		return false
	}
	c.calls++
	return true
}

func (c *Client) spend(tokens int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tokens += tokens
}

// read takes a model and a payload from a reply: an object, perhaps within a fence.
func read(text string) (*Translation, error) {
	text = strings.TrimSpace(text)
	if fenced, ok := strings.CutPrefix(text, "```"); ok {
		fenced = strings.TrimPrefix(fenced, "json")
		text, _, _ = strings.Cut(fenced, "```")
	}
	n, err := jsontree.Parse([]byte(strings.TrimSpace(text)))
	if err != nil || n.Kind != jsontree.Object {
		return nil, ErrUnusable
	}
	if decline, ok := n.Get("decline"); ok && decline.Kind != jsontree.Null {
		return nil, ErrDeclined
	}
	model, _ := n.Get("model")
	payload, _ := n.Get("payload")
	if model.Kind != jsontree.String || payload.Kind != jsontree.Object {
		return nil, ErrUnusable
	}
	return &Translation{Model: model.Text, Payload: payload}, nil
}
