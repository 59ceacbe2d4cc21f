package jsonrpc

import (
	"errors"

	"parlance/internal/jsontree"
)

// Message is a body that has been read and not yet answered.
type Message struct {
	root     jsontree.Node
	repeated bool  // some object of it has a key twice
	err      error // it is no JSON
}

// Read reads a body. What is wrong with it is Answer's to say.
func Read(body []byte) Message {
	root, err := jsontree.Parse(body)
	if errors.As(err, new(*jsontree.DuplicateError)) {
		return Message{root: root, repeated: true}
	}
	return Message{root: root, err: err}
}

// ID returns the id of a message that is one request; "" for notifications, batches and what is no request.
func (m Message) ID() ID {
	id, _ := m.root.Get("id")
	return IDOf(id)
}

// Method returns the method of a message that is one request or notification; "" if it names none.
func (m Message) Method() string {
	method, _ := m.root.Get("method")
	if method.Kind != jsontree.String {
		return ""
	}
	return method.Text
}

// Params returns the parameters of a message that is one request or notification; null if it has none.
func (m Message) Params() jsontree.Node {
	params, _ := m.root.Get("params")
	return params
}

// ID is a request's id as it is compared with others: equal for two spellings of one string, different for a string and
// a number. "" is none.
type ID string

// IDOf returns the id that a value is.
func IDOf(n jsontree.Node) ID {
	switch n.Kind {
	case jsontree.String:
		return ID("s" + n.Text)
	case jsontree.Number:
		return ID("n" + string(n.Raw))
	case jsontree.Null, jsontree.Bool, jsontree.Object, jsontree.Array:
	}
	return ""
}
