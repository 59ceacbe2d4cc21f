package app

import (
	"time"

	"parlance/internal/identity"
	"parlance/internal/semantic"
)

// Config is the server's file, parlance.yaml, checked and with its defaults filled in. Paths in it are absolute or
// relative to the working directory; the file's own are relative to the file.
type Config struct {
	Listen           string // host:port; port 0 takes a free one
	DefaultNamespace string // what a request without X-NS means
	Namespaces       []NamespaceConfig
	Datasources      []DatasourceConfig
	TLS              TLSConfig
	RuntimeCode      RuntimeCode
	HTTP             HTTPConfig
	Limits           LimitsConfig
	Audit            AuditConfig
	Operations       OperationsConfig
	Cache            CacheConfig
	Rollups          RollupsConfig
	Questions        QuestionsConfig
}

// NamespaceConfig is one namespace: a folder of model files over one datasource.
type NamespaceConfig struct {
	Name       string
	Models     string // the folder, watched
	Datasource string
	Calendar   semantic.Calendar // the defaults of the namespace; a model may override
	Auth       identity.Guard    // its Table is the path of a file of tokens
	Cache      semantic.Caching  // how long answers may be used again unless a model says otherwise
	MaskSecret string            // the key of the mask hash; "": none
}

// TLSConfig is the certificate that the server shows, in two files of PEM form; without them it speaks plain HTTP.
type TLSConfig struct{ Cert, Key string }

// DatasourceConfig is one database. Its Type is one of sourceTypes, which says what of the rest it has.
type DatasourceConfig struct {
	Name      string
	Type      string
	DSN       string        // of postgres and mysql, with ${NAME} replaced from the environment, or read from a file
	Path      string        // of duckdb and sqlite: a database file, opened read-only
	Folder    string        // of duckdb: a folder of files as tables, instead of a path
	Memory    int64         // of duckdb: bytes that it may use before it writes to a temporary folder; 0: 2 GB
	Threads   int           // of duckdb; 0: one a processor
	Addresses []string      // of clickhouse: host:port of its servers
	Database  string        // of clickhouse
	Cluster   string        // of clickhouse: the cluster whose servers share the tables; "": the server stands alone
	User      string        // of clickhouse; "": default
	Password  string        // of clickhouse, with ${NAME} replaced from the environment
	MaxConns  int           // 0: as many as limits.concurrency
	Timeout   time.Duration // of a statement; 0: limits.timeout
}

// RuntimeCode is the code of decision 64; an empty Code asks for none.
type RuntimeCode struct {
	Code      string
	Endpoints []string // the role endpoints that require it
}

// HTTPConfig is what the transports may be told.
type HTTPConfig struct {
	MirrorStatus bool     // the HTTP status follows the envelope's code (decision 30)
	Origins      []string // further allowed browser origins (decision 06)
	PublicURL    string   // the server's address as clients see it; "": what each request says
	Hosts        []string // further names that the Host header may carry (decision 06)
	LeaveOut     []string // tools that no endpoint lists (decision 15)
	NoPage       bool     // no page for browsers is served
}

// LimitsConfig bounds requests (decision 67).
type LimitsConfig struct {
	MaxRows             int64         // of a page
	MaxBody             int64         // bytes of a request
	MaxColumns          int           // named in one query
	MaxConditions       int           // in one query
	MaxDepth            int           // of nested conditions
	MaxValues           int           // in one list
	DefaultRows         int64         // of a tool result whose query names no limit
	MaxResult           int           // bytes of the rows of a tool result
	Timeout             time.Duration // of a statement
	Concurrency         int           // queries that run at once on a datasource
	IdentityConcurrency int           // of those of one identity; 0: as many
	Queue               int           // queries that wait for one of those places
	ResultMemory        int64         // bytes of all answers on their way; 0: no bound
	Shutdown            time.Duration // how long running requests may take to finish
}

// CacheConfig is what answers that may be used again may take.
type CacheConfig struct{ MaxBytes int64 } // 0: none is used again

// roles are the role endpoints, in the order of the contract.
var roles = identity.Endpoints

// listingTools are the tools that a setting may leave out (decision 15).
var listingTools = []string{"dataset.get_metadata", "dataset.list_models"}

// defaults is the configuration of an empty file; its Namespaces are none, which means the embedded demo.
func defaults() Config {
	return Config{
		Listen:           "127.0.0.1:7108",
		DefaultNamespace: "default",
		RuntimeCode:      RuntimeCode{Endpoints: roles},
		Questions:        defaultQuestions(),
		Limits: LimitsConfig{
			MaxRows:       10_000,
			MaxBody:       1 << 20,
			MaxColumns:    200,
			MaxConditions: 500,
			MaxDepth:      16,
			MaxValues:     10_000,
			DefaultRows:   100,
			MaxResult:     60_000,
			Timeout:       30 * time.Second,
			Concurrency:   16,
			Queue:         64,
			ResultMemory:  512 << 20,
			Shutdown:      10 * time.Second,
		},
		Cache: CacheConfig{MaxBytes: 256 << 20},
	}
}

// defaultCalendar is how a namespace reads dates unless it says otherwise.
func defaultCalendar() semantic.Calendar {
	return semantic.Calendar{Zone: time.UTC, WeekStart: time.Monday, FiscalStart: time.January}
}

// Demo reports whether nothing is configured that could be served, so that the embedded demo is.
func (c Config) Demo() bool { return len(c.Namespaces) == 0 }

// guards returns how every namespace knows its callers.
func (c Config) guards() []identity.Namespace {
	var all []identity.Namespace
	for _, n := range c.Namespaces {
		all = append(all, identity.Namespace{Name: n.Name, Guard: n.Auth})
	}
	if c.Demo() {
		all = demoGuards()
	}
	if c.Audit.served() {
		all = append(all, identity.Namespace{Name: c.Audit.Namespace, Guard: c.Audit.Auth})
	}
	return all
}

// usersOf returns the namespaces that use a file of tokens.
func (c Config) usersOf(tokens string) []string {
	var names []string
	for _, n := range c.guards() {
		if n.Guard.Mode == identity.Tokens && n.Guard.Table == tokens {
			names = append(names, n.Name)
		}
	}
	return names
}
