package mcp

import (
	"sync/atomic"

	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/internal/uri"
)

// snapshot is a compiled, immutable registry. A server without Options.Dynamic has one.
type snapshot struct {
	registry  *registry
	tools     map[string]*tool
	resources map[string]*resource
	templates map[string]*template // by the template itself
	matching  *uri.Index           // of the registry's templates
	prompts   map[string]*prompt
	completes bool

	capabilities protocol.ServerCapabilities
	everything   view
}

// compile makes a snapshot, or reports every mistake.
func (s *Server) compile(r *registry) (*snapshot, error) {
	unique(r, r.tools, func(t *tool) string { return t.def.Name }, func(t *tool) place { return t.at })
	unique(r, r.resources, func(e *resource) string { return e.def.URI }, func(e *resource) place { return e.at })
	unique(r, r.templates, func(t *template) string { return t.def.URITemplate }, func(t *template) place { return t.at })
	unique(r, r.prompts, func(p *prompt) string { return p.def.Name }, func(p *prompt) place { return p.at })
	if err := r.err(); err != nil {
		return nil, err
	}
	snap := &snapshot{
		registry:  r,
		tools:     make(map[string]*tool, len(r.tools)),
		resources: make(map[string]*resource, len(r.resources)),
		templates: make(map[string]*template, len(r.templates)),
		prompts:   make(map[string]*prompt, len(r.prompts)),
	}
	for _, t := range r.tools {
		snap.tools[t.def.Name] = t
	}
	for _, e := range r.resources {
		snap.resources[e.def.URI] = e
	}
	patterns := make([]*uri.Template, len(r.templates))
	for i, t := range r.templates {
		patterns[i] = t.pattern
		snap.templates[t.def.URITemplate] = t
		snap.completes = snap.completes || completes(t.completers)
	}
	snap.matching = uri.NewIndex(patterns)
	for _, p := range r.prompts {
		snap.prompts[p.def.Name] = p
		snap.completes = snap.completes || completes(p.completers)
	}
	snap.capabilities = s.capabilities(snap)
	snap.everything.snapshot, snap.everything.server = snap, s
	return snap, nil
}

// copyWithMistakes is a copy to check without leaving a trace in the original.
func (r *registry) copyWithMistakes() *registry {
	c := r.copy()
	c.mistakes = append([]error(nil), r.mistakes...)
	return c
}

// view is what one request may see of a snapshot: every look-up and every list goes through
// it. It is taken once a call. Today every request sees everything; encoded lists are kept
// with the view, so that requests which see the same share them.
type view struct {
	*snapshot
	server    *Server
	lists     [protocol.RevisionCount]listCache
	discovery atomic.Pointer[encoded]
}

// view chooses what a call may see.
func (s *Server) view() *view { return &s.snapshot.Load().everything }

func (v *view) tool(name []byte) *tool { return v.tools[string(name)] }

func (v *view) prompt(name string) *prompt { return v.prompts[name] }

// reader finds who reads a URI: the resource of exactly that URI, else the first template
// that matches.
func (v *view) reader(target string) (reader, bool) {
	if exact := v.resources[target]; exact != nil {
		return reader{resource: exact}, true
	}
	if i, values, ok := v.matching.Match(target, nil); ok {
		return reader{template: v.registry.templates[i], values: values}, true
	}
	return reader{}, false
}

// template finds a resource template by itself or by a URI that matches it.
func (v *view) template(target string) *template {
	if itself := v.templates[target]; itself != nil {
		return itself
	}
	if i, _, ok := v.matching.Match(target, nil); ok {
		return v.registry.templates[i]
	}
	return nil
}
