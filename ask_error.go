package mcp

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bowline-go/mcp/internal/protocol"
)

// What came of a question. Each is wrapped in an [AskError] with the question's key.
var (
	// ErrInputRequired: the question is on its way, and the handler will run again with the
	// answer. Return it; what the handler returns is not used.
	ErrInputRequired = errors.New("mcp: input required")
	// ErrDeclined: the user said no.
	ErrDeclined = errors.New("mcp: the user declined to answer")
	// ErrDismissed: the user closed the question without a choice.
	ErrDismissed = errors.New("mcp: the user dismissed the question")
	// ErrUnsupported: this client cannot be asked this. A handler that returns it answers
	// with the capability that is missing.
	ErrUnsupported = errors.New("mcp: the client cannot be asked this")
)

// AskError says what came of one question.
type AskError struct {
	// Key is the question's. From its second use on a number follows, as in "file#2", and in
	// front of it stands what it was asked within, as in "plan/file".
	Key string
	// Err is one of the outcomes above, an [*Error] that the client answered with, the
	// context's error or context.DeadlineExceeded when no answer came, or what is wrong with
	// the question.
	Err error

	missing protocol.CapabilitySet // what the client did not declare
}

// Error names the question and the outcome.
func (e *AskError) Error() string {
	if answer, ok := e.Err.(*Error); ok {
		return fmt.Sprintf("question %q: the client answered: %s", e.Key, answer.Message)
	}
	// A model reads this, to which the name of a Go package says nothing.
	return fmt.Sprintf("question %q: %s", e.Key, strings.TrimPrefix(e.Err.Error(), "mcp: "))
}

// Unwrap returns Err.
func (e *AskError) Unwrap() error { return e.Err }

// answered says that the question went its way: the client or its user decides what happens.
// Otherwise the question itself is wrong, or cannot be asked.
func (e *AskError) answered() bool {
	return errors.Is(e.Err, ErrInputRequired) || errors.Is(e.Err, ErrDeclined) || errors.Is(e.Err, ErrDismissed)
}

// eachAskError visits the errors of questions in a tree of errors.
func eachAskError(err error, visit func(e *AskError)) {
	switch e := err.(type) {
	case *AskError:
		visit(e)
	case interface{ Unwrap() error }:
		eachAskError(e.Unwrap(), visit)
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			eachAskError(one, visit)
		}
	}
}

// cannotAsk reports an error with a question that is wrong, that is one too many or that the
// client cannot be asked: then the others are not asked in vain.
func cannotAsk(err error) (found bool) {
	eachAskError(err, func(e *AskError) { found = found || !e.answered() })
	return found
}

// undeclared joins what the client would have had to declare.
func undeclared(err error) (missing protocol.CapabilitySet) {
	eachAskError(err, func(e *AskError) { missing |= e.missing })
	return missing
}

// isOutcome reports an error that says nothing but what came of questions, which the client
// knows already.
func isOutcome(err error) bool {
	switch e := err.(type) {
	case *AskError:
		return e.answered() || errors.Is(e.Err, ErrUnsupported)
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			if !isOutcome(one) {
				return false
			}
		}
		return errors.Join(e.Unwrap()...).Error() == err.Error() // no text of its own
	}
	return false
}
