package mcp

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Registrar is what the Add functions register on: a [Server] before it serves, or a
// [Change] while it does. A set of tools that belong together is a func(mcp.Registrar).
type Registrar interface {
	// registry is where a registration goes. It panics when nothing can be added any more.
	registry() *registry
}

// registry is a set of entries under construction. It becomes a snapshot, or an error
// that tells every mistake that was made.
type registry struct {
	tools     []*tool
	resources []*resource
	templates []*template
	prompts   []*prompt
	mistakes  []error
}

// place says where an entry was registered.
type place struct {
	kind, name string // `tool`, `add`
	callers    callers
}

// placed names the entry and who registers it.
func placed(kind, name string) place {
	return place{kind, name, callersOf()}
}

func (p place) String() string {
	return p.callers.outside() + ": " + p.kind + " " + strconv.Quote(p.name)
}

// mistake is one rule that a registration breaks: what happened, what was expected, what to do.
func (r *registry) mistake(at place, format string, args ...any) {
	r.mistakes = append(r.mistakes, fmt.Errorf("%s: %w", at, fmt.Errorf(format, args...)))
}

// mistakesOf adds every error that is joined in err.
func (r *registry) mistakesOf(at place, what string, err error) {
	if err == nil {
		return
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			r.mistakesOf(at, what, e)
		}
		return
	}
	r.mistake(at, "%s: %w", what, err)
}

func (r *registry) err() error { return errors.Join(r.mistakes...) }

// copy is a registry that starts with the same entries.
func (r *registry) copy() *registry {
	return &registry{
		tools:     append([]*tool(nil), r.tools...),
		resources: append([]*resource(nil), r.resources...),
		templates: append([]*template(nil), r.templates...),
		prompts:   append([]*prompt(nil), r.prompts...),
	}
}

// unique reports entries that share a key, which must be removed or renamed.
func unique[E any](r *registry, entries []E, key func(E) string, at func(E) place) {
	first := make(map[string]place, len(entries))
	for _, e := range entries {
		k := key(e)
		if earlier, taken := first[k]; taken {
			r.mistake(at(e), "already registered at %s; rename or remove one of the two", earlier.callers.outside())
			continue
		}
		first[k] = at(e)
	}
}

// callers are the innermost callers of a function, as addresses. A place is kept for each entry and told only with a mistake:
// looking up functions and lines takes some 20 µs of a start the first time, and more space.
type callers []uintptr

func callersOf() callers {
	var pcs [16]uintptr
	return append(callers(nil), pcs[:runtime.Callers(2, pcs[:])]...)
}

// outside is the line of the program that registers, such as main.go:12. Package procedure registers on its behalf. A server
// itself was made by NewServer.
func (c callers) outside() string {
	const root = "github.com/bowline-go/mcp"
	if len(c) == 0 {
		return "NewServer"
	}
	frames := runtime.CallersFrames(c)
	for {
		frame, more := frames.Next()
		if !strings.HasPrefix(frame.Function, root+".") && !strings.HasPrefix(frame.Function, root+"/procedure.") {
			return filepath.Base(frame.File) + ":" + strconv.Itoa(frame.Line)
		}
		if !more {
			return "unknown"
		}
	}
}
