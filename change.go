package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/bowline-go/mcp/internal/hub"
)

// Change is a set of changes to a serving server's registry. It is a [Registrar], so the Add
// functions work on it. See [Server.Change].
type Change struct{ next *registry }

func (c *Change) registry() *registry {
	if c.next == nil {
		panic("mcp: the change has been made; call Server.Change again")
	}
	return c.next
}

// Item names an entry of the registry.
type Item struct{ kind, name string }

// ToolItem names a tool.
func ToolItem(name string) Item { return Item{"tool", name} }

// ResourceItem names a resource.
func ResourceItem(uri string) Item { return Item{"resource", uri} }

// TemplateItem names a resource template.
func TemplateItem(uriTemplate string) Item { return Item{"resource template", uriTemplate} }

// PromptItem names a prompt.
func PromptItem(name string) Item { return Item{"prompt", name} }

// Remove takes entries away. Removing one and adding another of the same name replaces it.
// An entry that is not there is a mistake, which [Server.Change] reports.
func (c *Change) Remove(items ...Item) {
	r := c.registry()
	for _, item := range items {
		if !r.remove(item) {
			r.mistakes = append(r.mistakes, fmt.Errorf("%s: remove %s %q: there is none; check the name", callersOf().outside(), item.kind, item.name))
		}
	}
}

func (r *registry) remove(item Item) bool {
	before := len(r.tools) + len(r.resources) + len(r.templates) + len(r.prompts)
	switch item.kind {
	case "tool":
		r.tools = slices.DeleteFunc(r.tools, func(t *tool) bool { return t.def.Name == item.name })
	case "resource":
		r.resources = slices.DeleteFunc(r.resources, func(e *resource) bool { return e.def.URI == item.name })
	case "resource template":
		r.templates = slices.DeleteFunc(r.templates, func(t *template) bool { return t.def.URITemplate == item.name })
	case "prompt":
		r.prompts = slices.DeleteFunc(r.prompts, func(p *prompt) bool { return p.def.Name == item.name })
	}
	return before > len(r.tools)+len(r.resources)+len(r.templates)+len(r.prompts)
}

// Change changes the registry of a serving server as one step: every request sees it either
// before or after, and clients that listen are told once. When edit registers something
// wrong, nothing changes and the error tells every mistake. It needs [Options.Dynamic]. edit
// runs on the caller's goroutine and must not call Change.
func (s *Server) Change(ctx context.Context, edit func(c *Change)) error {
	if !s.options.Dynamic {
		return errors.New("mcp: the registry is fixed; set Options.Dynamic to change it while serving")
	}
	if err := s.freeze(); err != nil {
		return err
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	before := s.snapshot.Load()
	c := &Change{before.registry.copy()}
	edit(c)
	next := c.next
	c.next = nil
	after, err := s.compile(next)
	if err != nil {
		return err
	}
	s.snapshot.Store(after)
	for _, kind := range after.differs(before) {
		s.published.Publish(hub.Event{Kind: kind})
	}
	return nil
}

// differs tells which lists two snapshots do not share.
func (s *snapshot) differs(other *snapshot) (kinds []hub.Kind) {
	if !slices.Equal(s.registry.tools, other.registry.tools) {
		kinds = append(kinds, hub.ToolsChanged)
	}
	if !slices.Equal(s.registry.prompts, other.registry.prompts) {
		kinds = append(kinds, hub.PromptsChanged)
	}
	if !slices.Equal(s.registry.resources, other.registry.resources) ||
		!slices.Equal(s.registry.templates, other.registry.templates) {
		kinds = append(kinds, hub.ResourcesChanged)
	}
	return kinds
}

// ResourceUpdated tells the clients that subscribed to uri, exactly, that its contents have
// changed. Nobody is waited for, and several updates in short order may arrive as one. It
// needs [Options.ResourceUpdates].
func (s *Server) ResourceUpdated(ctx context.Context, uri string) error {
	if !s.options.ResourceUpdates {
		return errors.New("mcp: clients cannot subscribe to resources; set Options.ResourceUpdates")
	}
	if err := s.freeze(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.published.Publish(hub.Event{Kind: hub.ResourceUpdated, Key: uri})
	return nil
}
