package content

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// EmbeddedOf renders a value as one embedded resource of the given URI. Bytes and
// an [io.Reader] (streamed) are text when the MIME type is textual (text/*, JSON,
// XML, YAML, JavaScript) and, for bytes, when they are UTF-8; else they are a blob.
// Of other values a textual type takes the plain text before the binary form, any
// other type the binary form before the plain text.
func EmbeddedOf(uri, mimeType string) Renderer {
	return embeddedOf{uri: uri, mimeType: mimeType, textual: isTextual(mimeType)}
}

type embeddedOf struct {
	uri, mimeType string
	textual       bool
}

func (r embeddedOf) Render(v any) ([]Block, error) {
	c, err := r.contents(v)
	if err != nil {
		return nil, err
	}
	return []Block{Embedded{Resource: c}}, nil
}

func (r embeddedOf) contents(v any) (Contents, error) {
	data, reader, ok := givenBytes(v)
	switch {
	case ok && reader != nil && r.textual:
		return Contents{URI: r.uri, MIMEType: r.mimeType, TextReader: reader}, nil
	case ok && reader != nil:
		return Contents{URI: r.uri, MIMEType: r.mimeType, BlobReader: reader}, nil
	case ok && r.textual && utf8.Valid(data):
		return TextContents(r.uri, r.mimeType, string(data)), nil
	case ok:
		return BlobContents(r.uri, r.mimeType, data), nil
	}
	forms := []func(any) (Contents, bool, error){r.blob, r.text}
	if r.textual {
		forms = []func(any) (Contents, bool, error){r.text, r.blob}
	}
	for _, form := range forms {
		c, ok, err := form(v)
		if err != nil {
			return Contents{}, fmt.Errorf("content: a %T could not be rendered as an embedded resource: %w", v, err)
		}
		if ok {
			return c, nil
		}
	}
	return Contents{}, cannotRender("an embedded resource", v, "text, a number, bytes or an io.Reader")
}

func (r embeddedOf) text(v any) (Contents, bool, error) {
	text, ok, err := textOf(v)
	return TextContents(r.uri, r.mimeType, text), ok, err
}

func (r embeddedOf) blob(v any) (Contents, bool, error) {
	data, ok, err := marshaledBytes(v)
	return BlobContents(r.uri, r.mimeType, data), ok, err
}

// LinkTo renders a URI (a string or a [fmt.Stringer] such as a *url.URL) as one
// link with the given name. An empty MIME type is left out.
func LinkTo(name, mimeType string) Renderer { return linkTo{name, mimeType} }

type linkTo struct{ name, mimeType string }

func (r linkTo) Render(v any) ([]Block, error) {
	uri, ok, err := textOf(v)
	if err != nil || !ok || uri == "" {
		return nil, errors.Join(cannotRender("a link", v, "its URI as a string that is not empty, or a *url.URL"), err)
	}
	return []Block{Link{URI: uri, Name: r.name, MIMEType: r.mimeType}}, nil
}

// isTextual says whether data of a MIME type is text to its reader.
func isTextual(mimeType string) bool {
	media, _, _ := strings.Cut(strings.ToLower(mimeType), ";")
	media = strings.TrimSpace(media)
	if strings.HasPrefix(media, "text/") {
		return true
	}
	switch media[strings.LastIndexAny(media, "/+")+1:] {
	case "json", "xml", "yaml", "javascript":
		return true
	}
	return false
}
