package dialect

// Writer is the one place where SQL text and bind arguments grow. Text takes only what the program itself says; what
// comes from a model goes through Name, what comes from a request through Bind.
type Writer struct {
	dialect Dialect
	buf     []byte
	args    []any
}

// NewWriter returns a writer for one statement.
func NewWriter(d Dialect) *Writer {
	return &Writer{dialect: d, buf: make([]byte, 0, 1024)}
}

// Text appends SQL.
func (w *Writer) Text(parts ...string) {
	for _, p := range parts {
		w.buf = append(w.buf, p...)
	}
}

// Name appends an identifier of the model, quoted.
func (w *Writer) Name(ident string) { w.buf = w.dialect.Quote(w.buf, ident) }

// Bind appends the mark of a bind argument.
func (w *Writer) Bind(arg any) {
	w.args = append(w.args, arg)
	w.buf = w.dialect.Placeholder(w.buf, len(w.args))
}

// Len returns the length of the text so far.
func (w *Writer) Len() int { return len(w.buf) }

// Statement returns the text and its arguments.
func (w *Writer) Statement() (string, []any) { return string(w.buf), w.args }
