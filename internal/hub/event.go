package hub

import "fmt"

// Kind says what happened.
type Kind uint8

// The kinds. The list changes have no key; every other kind has one.
const (
	ToolsChanged     Kind = iota + 1 // the list of tools
	PromptsChanged                   // the list of prompts
	ResourcesChanged                 // the list of resources and templates
	ResourceUpdated                  // one resource; key: its URI, exactly
	AskAnswered                      // key: the ask; payload: the answer
)

// MaxKey is the length in bytes of the longest key of a topic.
const MaxKey = 8 << 10

// Topic is what a waiter can wait for: one kind and one key.
type Topic struct {
	Kind Kind
	Key  string
}

// Event is something that happened. It is a plain value; the bytes of its payload are shared by everybody who takes it and
// must not be changed once it is published.
type Event struct {
	Kind    Kind
	Key     string
	Payload []byte
}

func (t Topic) check() error {
	switch {
	case t.Kind < ToolsChanged || t.Kind > AskAnswered:
		return fmt.Errorf("%w: unknown kind %d; use one of the constants", ErrTopics, t.Kind)
	case t.Kind <= ResourcesChanged && t.Key != "":
		return fmt.Errorf("%w: kind %d has no key, but got %.40q; leave it empty", ErrTopics, t.Kind, t.Key)
	case t.Kind > ResourcesChanged && t.Key == "":
		return fmt.Errorf("%w: kind %d needs a key; name the resource or the ask", ErrTopics, t.Kind)
	case len(t.Key) > MaxKey:
		return fmt.Errorf("%w: a key has %d bytes, at most %d are allowed; use a shorter one", ErrTopics, len(t.Key), MaxKey)
	}
	return nil
}
