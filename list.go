package mcp

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"sync/atomic"
	"time"

	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/internal/seal"
)

// listKind is one of the four lists.
type listKind uint8

const (
	toolList listKind = iota
	resourceList
	templateList
	promptList
	listKinds
)

// listMembers names the result's member that holds the entries.
var listMembers = [listKinds]string{"tools", "resources", "resourceTemplates", "prompts"}

// listCache holds the lists of one view in the dialect of one revision, each encoded when it
// is first asked for.
type listCache [listKinds]atomic.Pointer[list]

// list is an encoded list. It is immutable.
type list struct {
	pages  []encoded // without cursors
	digest uint64    // of the keys of all entries, in order: what makes a cursor stale
}

// cursorLife is how long a client may take to ask for the next page.
const cursorLife = 24 * time.Hour

// resolvePage finds the page that a list request asks for.
//
// server/utilities/pagination#error-handling: an invalid cursor is -32602.
func resolvePage(c *Call) *protocol.Fault {
	cursor, given, fault := protocol.CursorParam(c.msg)
	if fault != nil || !given {
		return fault
	}
	kind, digest, page, ok := c.session.server.openCursor(cursor)
	if !ok || kind != listOf[c.method.ID] {
		return protocol.BadCursor()
	}
	l := c.view.list(kind, c.revision)
	if digest != l.digest || page >= len(l.pages) {
		return protocol.BadCursor()
	}
	c.page = int32(page)
	return nil
}

// listOf says which list a method asks for.
var listOf = [...]listKind{
	protocol.ToolsList:              toolList,
	protocol.ResourcesList:          resourceList,
	protocol.ResourcesTemplatesList: templateList,
	protocol.PromptsList:            promptList,
}

func listEntries(_ context.Context, c *Call) (Result, error) {
	kind := listOf[c.method.ID]
	l := c.view.list(kind, c.revision)
	page := &l.pages[c.page]
	if int(c.page) == len(l.pages)-1 {
		return page, nil
	}
	cursor := c.session.server.sealCursor(kind, l.digest, int(c.page)+1)
	open := page.text[:len(page.text)-len("}}")]
	text := make([]byte, 0, len(open)+len(cursor)+32)
	text = append(append(append(text, open...), `,"nextCursor":"`...), cursor...)
	return &encoded{append(text, `"}}`...)}, nil
}

// list is the encoded list of one kind, shared by every request that sees this view.
func (v *view) list(kind listKind, r *protocol.Revision) *list {
	cached := &v.lists[r.Index][kind]
	if l := cached.Load(); l != nil {
		return l
	}
	l := v.encodeList(kind, r)
	cached.CompareAndSwap(nil, l)
	return cached.Load()
}

// encodeList encodes a list in the order of registration.
//
// server/tools#capabilities: the order is deterministic.
func (v *view) encodeList(kind listKind, r *protocol.Revision) *list {
	keys, texts := v.entries(kind, r)
	size := v.server.options.PageSize
	if size == 0 {
		size = max(len(texts), 1)
	}
	l := &list{digest: digestOf(keys)}
	for start := 0; start == 0 || start < len(texts); start += size {
		page := append([]byte(`{"`), listMembers[kind]...)
		page = append(page, `":[`...)
		for i, text := range texts[start:min(start+size, len(texts))] {
			if i > 0 {
				page = append(page, ',')
			}
			page = append(page, text...)
		}
		page = append(page, ']')
		page = protocol.AppendStamps(page, r, protocol.Stamp{Cache: v.server.cacheHint(v.server.options.Cache), ServerInfo: v.server.brief})
		l.pages = append(l.pages, encoded{append(page, "}}"...)})
	}
	return l
}

// entries are the keys and definitions of one kind in the dialect of a revision. Definitions
// were encoded once when they were registered, so encoding them again does not fail.
func (v *view) entries(kind listKind, r *protocol.Revision) (keys []string, texts [][]byte) {
	add := func(key string, definition any) {
		text, err := protocol.Append(nil, definition)
		if err != nil {
			return
		}
		keys, texts = append(keys, key), append(texts, text)
	}
	switch kind {
	case toolList:
		for _, t := range v.registry.tools {
			add(t.def.Name, t.definition(r))
		}
	case resourceList:
		for _, e := range v.registry.resources {
			add(e.def.URI, e.wire.For(r))
		}
	case templateList:
		for _, t := range v.registry.templates {
			add(t.def.URITemplate, t.wire.For(r))
		}
	case promptList:
		for _, p := range v.registry.prompts {
			add(p.def.Name, p.wire.For(r))
		}
	}
	return keys, texts
}

// definition is a tool as a revision has it. Where structured content must be an object, an
// output schema of another shape is that of the object around the value.
//
// 2025-11-25/server/tools#output-schema: the root of an output schema is an object.
func (t *tool) definition(r *protocol.Revision) protocol.Tool {
	wire := t.wire.For(r)
	if wire.OutputSchema != nil && !r.StructuredAnyRoot && !t.output.PlainObject() {
		wire.OutputSchema = t.output.Wrapped()
	}
	return wire
}

// cacheHint is a hint as the protocol layer has it.
func (s *Server) cacheHint(c Cache) *protocol.CacheHint {
	return &protocol.CacheHint{TTLMs: c.TTL.Milliseconds(), Public: c.Public}
}

func digestOf(keys []string) uint64 {
	h := fnv.New64a()
	for _, key := range keys {
		h.Write(binary.AppendUvarint(nil, uint64(len(key))))
		h.Write([]byte(key))
	}
	return h.Sum64()
}

func (s *Server) sealCursor(kind listKind, digest uint64, page int) string {
	content := binary.BigEndian.AppendUint64([]byte{byte(kind)}, digest)
	content = binary.AppendUvarint(content, uint64(page))
	return s.keys.Seal(seal.Cursor, content, []byte(s.name), cursorLife)
}

func (s *Server) openCursor(cursor string) (kind listKind, digest uint64, page int, ok bool) {
	content, err := s.keys.Open(seal.Cursor, cursor, []byte(s.name))
	if err != nil || len(content) < 10 {
		return 0, 0, 0, false
	}
	number, n := binary.Uvarint(content[9:])
	if n <= 0 || number > 1<<31-1 {
		return 0, 0, 0, false
	}
	return listKind(content[0]), binary.BigEndian.Uint64(content[1:9]), int(number), true
}
