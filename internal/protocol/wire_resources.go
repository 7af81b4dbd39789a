package protocol

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/content"
)

// Resource is the definition of a resource.
type Resource struct {
	URI         string               `json:"uri"`
	Name        string               `json:"name"`
	Title       string               `json:"title,omitzero"`
	Description string               `json:"description,omitzero"`
	MIMEType    string               `json:"mimeType,omitzero"`
	Annotations *content.Annotations `json:"annotations,omitzero"`
	// Size is the raw content's size in bytes; nil for unknown.
	Size  *int64          `json:"size,omitzero"`
	Icons []content.Icon  `json:"icons,omitzero"`
	Meta  json.RawMessage `json:"_meta,omitzero"`
	// Extra holds members that this library does not know; they pass through.
	Extra jsontext.Value `json:",embed"`
}

// For returns the definition as a client of revision r understands it.
func (d Resource) For(r *Revision) Resource {
	if !r.Titles {
		d.Title = ""
	}
	if !r.Icons {
		d.Icons = nil
	}
	if !r.DefinitionMeta {
		d.Meta = nil
	}
	d.Annotations = annotationsFor(d.Annotations, r)
	return d
}

// ResourceTemplate is the definition of a family of resources.
type ResourceTemplate struct {
	URITemplate string               `json:"uriTemplate"`
	Name        string               `json:"name"`
	Title       string               `json:"title,omitzero"`
	Description string               `json:"description,omitzero"`
	MIMEType    string               `json:"mimeType,omitzero"`
	Annotations *content.Annotations `json:"annotations,omitzero"`
	Icons       []content.Icon       `json:"icons,omitzero"`
	Meta        json.RawMessage      `json:"_meta,omitzero"`
	// Extra holds members that this library does not know; they pass through.
	Extra jsontext.Value `json:",embed"`
}

// For returns the definition as a client of revision r understands it.
func (d ResourceTemplate) For(r *Revision) ResourceTemplate {
	if !r.Titles {
		d.Title = ""
	}
	if !r.Icons {
		d.Icons = nil
	}
	if !r.DefinitionMeta {
		d.Meta = nil
	}
	d.Annotations = annotationsFor(d.Annotations, r)
	return d
}

// PagedParams are the params of a list request; the zero value asks for the first page.
type PagedParams struct {
	Meta json.RawMessage `json:"_meta,omitzero"`
	// Cursor is the nextCursor of the page before; nil for the first page.
	Cursor *string `json:"cursor,omitzero"`
}

// ListResourcesResult is the result of resources/list.
type ListResourcesResult struct {
	Resources  []Resource `json:"resources"`
	NextCursor *string    `json:"nextCursor,omitzero"`
	Stamps
}

// ListResourceTemplatesResult is the result of resources/templates/list.
type ListResourceTemplatesResult struct {
	ResourceTemplates []ResourceTemplate `json:"resourceTemplates"`
	NextCursor        *string            `json:"nextCursor,omitzero"`
	Stamps
}

// ReadResourceParams are the params of resources/read.
type ReadResourceParams struct {
	Meta json.RawMessage `json:"_meta,omitzero"`
	Retry
	URI string `json:"uri"`
}

// ReadResourceResult is the result of resources/read. Contents holds raw contents.
type ReadResourceResult struct {
	Contents []json.RawMessage `json:"contents"`
	Asked
	Stamps
}

// ResourceParams are the params of resources/subscribe, resources/unsubscribe and
// notifications/resources/updated.
type ResourceParams struct {
	Meta json.RawMessage `json:"_meta,omitzero"`
	URI  string          `json:"uri"`
}
