package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/protocol"

	jsonv2 "github.com/go-json-experiment/json"
)

// Resource describes data that a client may read by its URI. URI and Name are required.
//
// Source: server/resources#resource.
type Resource struct {
	// URI identifies the resource. Any scheme will do.
	URI string
	// Name is for programs, Title for people.
	Name, Title string
	// Description tells a model what the resource holds.
	Description string
	// MIMEType is the type of the contents. Empty: text/plain for strings, application/json
	// for values, application/octet-stream for bytes and readers. It does not decide whether
	// they are sent as text or as a blob; the handler's result does.
	MIMEType string
	// Size is the number of raw bytes, if it is known and fixed. Zero: unknown.
	Size int64
	// Icons are pictures that a client may show.
	Icons []Icon
	// Annotations say for whom and how important the resource is.
	Annotations *content.Annotations
	// Cache is the caching hint of the contents. Zero: Options.Cache for a fixed resource, and
	// stale at once for one that a handler reads. A zero TTL alone is that of the same default.
	Cache Cache
	// Meta is sent with the definition as its _meta, a JSON object. Its keys follow
	// basic/index#meta.
	Meta json.RawMessage
}

// Contents is one part of what a resource holds.
type Contents = content.Contents

// ReadResult is the result of reading a resource.
type ReadResult struct {
	// Contents are the parts. The URI of a part is the requested one unless it is set.
	Contents []Contents
	// Meta is sent as the result's _meta, a JSON object.
	Meta json.RawMessage

	cache Cache
}

func (*ReadResult) result() {}

// resource is a compiled registration.
type resource struct {
	def  Resource
	at   place
	wire protocol.Resource
	read func(ctx context.Context, cache Cache) (*ReadResult, error)
}

// AddResource registers a resource that read produces anew for every request. Out is a
// string, which is sent as text; bytes or an [io.Reader], which are sent as a blob; [Contents]
// or a slice of them, whose TextReader is for text from a reader; a *[ReadResult], which is
// everything by hand; or any value, which is sent as JSON text. A reader that is an [io.Closer] is closed after use. An error is sent as a
// JSON-RPC error; [ErrNotFound] says that the resource is not there (any more). read must be
// safe for concurrent use.
func AddResource[Out any](r Registrar, def Resource, read func(ctx context.Context) (Out, error)) {
	reg := r.registry()
	e := &resource{def: def, at: placed("resource", def.URI)}
	if read == nil {
		reg.mistake(e.at, "the handler is nil; give it a function, or use AddFixedResource")
	}
	checkContents[Out](reg, e.at)
	cache := def.Cache.or(0)
	e.read = func(ctx context.Context, _ Cache) (*ReadResult, error) {
		out, err := read(ctx)
		if err != nil {
			return nil, err
		}
		return readResult(out, def.MIMEType, cache)
	}
	reg.addResource(e)
}

// AddFixedResource registers a resource that never changes while the server runs. value is
// what a handler of [AddResource] may return, but not a reader.
func AddFixedResource[Value any](r Registrar, def Resource, value Value) {
	reg := r.registry()
	e := &resource{def: def, at: placed("resource", def.URI)}
	checkContents[Value](reg, e.at)
	result, err := readResult(value, def.MIMEType, Cache{})
	switch {
	case err != nil:
		err = fmt.Errorf("%w; give text, bytes, contents or what encodes as JSON", err)
	case slices.ContainsFunc(result.Contents, streams):
		err = errors.New("a reader can be read only once; use AddResource")
	}
	reg.mistakesOf(e.at, "value", err)
	e.read = func(_ context.Context, cache Cache) (*ReadResult, error) {
		fixed := *result
		fixed.cache = def.Cache.within(cache)
		return &fixed, nil
	}
	reg.addResource(e)
}

// streams reports contents that can be read only once.
func streams(c Contents) bool { return c.TextReader != nil || c.BlobReader != nil }

// checkContents refuses types that are nearly the contents of a resource, and would be sent as
// the JSON text of a Go struct.
func checkContents[Out any](r *registry, at place) {
	typ, meant := reflect.TypeFor[Out](), ""
	elem := typ
	if typ.Kind() == reflect.Slice || typ.Kind() == reflect.Pointer {
		elem = typ.Elem()
	}
	switch {
	case typ == reflect.TypeFor[ReadResult]():
		meant = "*mcp.ReadResult"
	case typ == reflect.TypeFor[*Contents]():
		meant = "mcp.Contents"
	case typ == reflect.TypeFor[[]*Contents]():
		meant = "[]mcp.Contents"
	case typ.Implements(blockType), elem.Implements(blockType):
		meant = "mcp.Contents, which content.TextContents and content.BlobContents make"
	}
	if meant != "" {
		r.mistake(at, "a value of type %s is no contents of a resource; use %s", typ, meant)
	}
}

func (r *registry) addResource(e *resource) {
	d := &e.def
	checkResource(r, e)
	e.wire = protocol.Resource{
		URI: d.URI, Name: d.Name, Title: d.Title, Description: d.Description, MIMEType: d.MIMEType,
		Icons: d.Icons, Annotations: d.Annotations, Meta: d.Meta,
	}
	if d.Size > 0 {
		e.wire.Size = &d.Size
	}
	r.resources = append(r.resources, e)
}

// readResult gives a handler's value its place in a result.
func readResult(out any, mimeType string, cache Cache) (*ReadResult, error) {
	result := &ReadResult{cache: cache}
	switch v := out.(type) {
	case *ReadResult:
		if v == nil {
			return nil, errors.New("the handler returned neither contents nor an error")
		}
		result.Contents, result.Meta = v.Contents, v.Meta
	case Contents:
		result.Contents = []Contents{v}
	case []Contents:
		result.Contents = v
	case string:
		result.Contents = []Contents{{MIMEType: mimeOr(mimeType, "text/plain"), Text: v}}
	case []byte:
		result.Contents = []Contents{{MIMEType: mimeOr(mimeType, "application/octet-stream"), Blob: notNil(v)}}
	case io.Reader:
		result.Contents = []Contents{{MIMEType: mimeOr(mimeType, "application/octet-stream"), BlobReader: v}}
	default:
		if isNil(out) {
			return nil, errors.New("the handler returned neither a value nor an error")
		}
		text, err := jsonv2.Marshal(out, jsonv2.Deterministic(true))
		if err != nil {
			return nil, err
		}
		result.Contents = []Contents{{MIMEType: mimeOr(mimeType, "application/json"), Text: string(text)}}
	}
	return result, nil
}

func mimeOr(mimeType, otherwise string) string {
	if mimeType != "" {
		return mimeType
	}
	return otherwise
}

// notNil keeps an empty blob a blob: a nil one would read as empty text.
func notNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

func isNil(v any) bool {
	if v == nil {
		return true
	}
	if _, raw := v.(json.RawMessage); raw {
		return false
	}
	value := reflect.ValueOf(v)
	return value.Kind() == reflect.Pointer && value.IsNil()
}
