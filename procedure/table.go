package procedure

import (
	"fmt"
	"sync"
)

// Table maps names to procedures. The zero Table is empty and ready for use. It is safe for concurrent use, also while a
// server serves it; a Table must not be copied after its first use.
type Table struct {
	mu         sync.RWMutex
	procedures map[string]*signature
}

// Register makes fn callable under a name. fn is a function, a method value or a closure, such as
//
//	func(a, b int) int
//	func(ctx context.Context, query string, limit *int) ([]Row, error)
//	func(text string) (words, letters int, err error)
//
// See the package's documentation for parameters and results. fn must be safe for concurrent use, and should return soon
// after its context has ended.
//
// A name that is registered already gets fn from the next call on; calls that are running are not disturbed.
//
// The error says where Register was called and what is wrong with the signature, naming the parameter or result by its
// position; the table is then as before. Errors of several registrations can be joined with errors.Join.
func (t *Table) Register(name string, fn any) error {
	return t.enter(name, fn, signatureOf)
}

// RegisterAsync makes fn callable under a name. fn starts work and returns; its last parameter is a function that takes the
// results, and an error if the work can fail, when they are there:
//
//	func(ctx context.Context, url string, done func(status int, err error))
//
// done may be called from any goroutine, before fn returns or after. Only its first call counts. When the context ends
// before, because the client cancels, the tool's Timeout passes or the session closes, the call ends without it; a result
// that comes later is dropped, and closed when it is a reader that can be closed. fn may have one result, an error: not nil, it counts
// as a call of done with that error.
//
// Otherwise it is [Table.Register].
func (t *Table) RegisterAsync(name string, fn any) error {
	return t.enter(name, fn, asyncSignatureOf)
}

func (t *Table) enter(name string, fn any, check func(fn any) (*signature, error)) error {
	if name == "" {
		return fmt.Errorf("%s: procedure: the name is empty; use that of a declared tool", callerOutside())
	}
	s, err := check(fn)
	if err != nil {
		return fmt.Errorf("%s: procedure %q: %w", callerOutside(), name, err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.procedures == nil {
		t.procedures = make(map[string]*signature)
	}
	t.procedures[name] = s
	return nil
}

// find returns the procedure of a name, or nil.
func (t *Table) find(name string) *signature {
	if t == nil {
		return nil
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.procedures[name]
}
