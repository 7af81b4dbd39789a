package mcptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/protocol"
)

// Resource is the definition of a resource as the client sees it.
type Resource struct {
	// URI identifies it.
	URI string
	// Name is for programs, Title for people.
	Name, Title string
	// Description and MIMEType say what it holds.
	Description, MIMEType string
	// Annotations is nil when there are none.
	Annotations *content.Annotations
	// Size is the number of bytes; 0 when it is not known.
	Size int64
	// Meta is the _meta, a JSON object; nil when there is none.
	Meta json.RawMessage
}

// Template is the definition of a resource template as the client sees it.
type Template struct {
	// URITemplate is an RFC 6570 template.
	URITemplate string
	// Name is for programs, Title for people.
	Name, Title string
	// Description and MIMEType say what the resources hold.
	Description, MIMEType string
	// Annotations is nil when there are none.
	Annotations *content.Annotations
	// Meta is the _meta, a JSON object; nil when there is none.
	Meta json.RawMessage
}

// ListResources returns all resources, every page of them.
func (c *Client) ListResources(ctx context.Context) ([]Resource, error) {
	var resources []Resource
	err := c.pages(func(at protocol.PagedParams) (*string, error) {
		var page protocol.ListResourcesResult
		err := c.call(ctx, protocol.ResourcesList, at, &page)
		for _, r := range page.Resources {
			resource := Resource{r.URI, r.Name, r.Title, r.Description, r.MIMEType, r.Annotations, 0, r.Meta}
			if r.Size != nil {
				resource.Size = *r.Size
			}
			resources = append(resources, resource)
		}
		return page.NextCursor, err
	})
	return resources, err
}

// ListTemplates returns all resource templates, every page of them.
func (c *Client) ListTemplates(ctx context.Context) ([]Template, error) {
	var templates []Template
	err := c.pages(func(at protocol.PagedParams) (*string, error) {
		var page protocol.ListResourceTemplatesResult
		err := c.call(ctx, protocol.ResourcesTemplatesList, at, &page)
		for _, t := range page.ResourceTemplates {
			templates = append(templates, Template{t.URITemplate, t.Name, t.Title, t.Description, t.MIMEType, t.Annotations, t.Meta})
		}
		return page.NextCursor, err
	})
	return templates, err
}

// ReadResource reads a resource. Contents with a blob have a Blob that is not nil.
func (c *Client) ReadResource(ctx context.Context, uri string) ([]content.Contents, error) {
	var wire protocol.ReadResourceResult
	if err := c.call(ctx, protocol.ResourcesRead, protocol.ReadResourceParams{URI: uri}, &wire); err != nil {
		return nil, fmt.Errorf("resource %q: %w", uri, err)
	}
	parts := make([]content.Contents, len(wire.Contents))
	for i, raw := range wire.Contents {
		var err error
		if parts[i], err = content.DecodeContents(raw); err != nil {
			return nil, fmt.Errorf("resource %q: part %d: %w", uri, i, err)
		}
	}
	return parts, nil
}

// Filter says which changes a client wants to hear of.
type Filter struct {
	// Tools, Prompts and Resources are the lists.
	Tools, Prompts, Resources bool
	// Updates are the URIs of resources whose contents may change.
	Updates []string
}

// Listen asks the server to tell of changes, in the way of the revision: one that listens, or one where
// changes of lists are told to everybody and resources are subscribed to. What is told goes to
// Options.OnNotification when the client is used next or [Client.Flush] is called. stop ends it.
func (c *Client) Listen(ctx context.Context, f Filter) (stop func(), err error) {
	s, err := c.core.Listen(ctx, protocol.SubscriptionFilter{
		ToolsListChanged: f.Tools, PromptsListChanged: f.Prompts, ResourcesListChanged: f.Resources,
		ResourceSubscriptions: f.Updates,
	})
	err = public(err)
	if e, ok := errors.AsType[*mcp.Error](err); ok && e.Code == protocol.CodeMethodNotFound {
		err = fmt.Errorf("%w; to be told of lists needs mcp.Options.Dynamic, of resources mcp.Options.ResourceUpdates", err)
	}
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	return func() {
		if err := s.Close(ctx); err != nil {
			c.t.Errorf("mcptest: end of a subscription: %v", public(err))
		}
	}, nil
}
