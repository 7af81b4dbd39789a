package procedure_test

import (
	"errors"
	"io"
	"math"
	"net/url"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/content/yaml"
	"github.com/bowline-go/mcp/procedure"
	"github.com/bowline-go/mcp/schema"
)

// served is a server with one tool x without parameters, rendered by r.
func served(t *testing.T, fn any, r content.Renderer, names ...string) peer {
	t.Helper()
	var table procedure.Table
	register(t, &table, "x", fn)
	d := procedure.NewDeclaration("s", "1")
	tl := d.AddTool(tool("x")).Render(r)
	if names != nil {
		tl.Results(names...)
	}
	return connect(t, procedure.NewServer(d, &table, &mcp.Options{Legacy: mcp.LegacySessionless}))
}

const callX = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`

type row struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

type color string

func TestResultsAreRendered(t *testing.T) {
	twice := content.RendererFunc(func(v any) ([]content.Block, error) {
		return []content.Block{content.NewText(v.(string)), content.NewLink("世界", "file:///"+v.(string))}, nil
	})
	text := func(s string) string { return `{"type":"text","text":` + s + `}` }
	cases := []struct {
		rule  string
		fn    any
		by    content.Renderer
		names []string
		want  string // the content
	}{
		{"a string as it is", func() string { return "say \"hi\"\n世界😀" }, nil, nil, text(`"say \"hi\"\n世界😀"`)},
		{"a string type as it is", func() color { return "red" }, nil, nil, text(`"red"`)},
		{"an integer", func() int { return -7 }, nil, nil, text(`"-7"`)},
		{"an integer is exact", func() uint64 { return math.MaxUint64 }, nil, nil, text(`"18446744073709551615"`)},
		{"a number", func() float64 { return 0.1 }, nil, nil, text(`"0.1"`)},
		{"a boolean", func() bool { return true }, nil, nil, text(`"true"`)},
		{"a struct as JSON", func() row { return row{"世界", 1} }, nil, nil, text(`"{\"name\":\"世界\",\"n\":1}"`)},
		{"a nil pointer is null", func() *row { return nil }, nil, nil, text(`"null"`)},
		{"a nil slice is empty", func() []row { return nil }, nil, nil, text(`"[]"`)},
		{"map keys are sorted", func() map[string]int { return map[string]int{"b": 1, "a": 2} }, nil, nil, text(`"{\"a\":2,\"b\":1}"`)},
		{"any is what it holds", func() any { return "x" }, nil, nil, text(`"x"`)},
		{"a block as it is", func() content.Block { return content.PNG([]byte("P")) }, nil, nil, `{"type":"image","data":"UA==","mimeType":"image/png"}`},
		{"several blocks", func() []content.Block { return []content.Block{content.NewText("a"), content.NewText("b")} }, nil, nil, text(`"a"`) + `,` + text(`"b"`)},
		{"a result by hand", func() *mcp.ToolResult {
			return &mcp.ToolResult{Content: []content.Block{content.NewText("h")}}
		}, nil, nil, text(`"h"`)},
		{"several results are an object", func() (int, string) { return 1, "世" }, nil, nil, text(`"{\"result1\":1,\"result2\":\"世\"}"`)},
		{"with names in their order", func() (int, string, error) { return 1, "世", nil }, nil, []string{"zahl", "名前"}, text(`"{\"zahl\":1,\"名前\":\"世\"}"`)},
		{"JSON quotes a string", func() string { return "x" }, content.JSON(), nil, text(`"\"x\""`)},
		{"plain text", func() *url.URL { return &url.URL{Scheme: "https", Host: "x.org"} }, content.PlainText(), nil, text(`"https://x.org"`)},
		{"YAML", func() row { return row{"yes", 1} }, yaml.Text(), nil, text(`"name: \"yes\"\n\"n\": 1"`)},
		{"YAML of several results", func() (int, []string) { return 1, []string{"😀"} }, yaml.Text(), []string{"count", "names"}, text(`"count: 1\nnames:\n- 😀"`)},
		{"YAML leaves a string raw", func() string { return "a: b\n- c" }, yaml.Text(), nil, text(`"a: b\n- c"`)},
		{"an image", func() []byte { return []byte("PNGDATA") }, content.ImageOf("image/jpeg"), nil, `{"type":"image","data":"UE5HREFUQQ==","mimeType":"image/jpeg"}`},
		{"an image without a MIME type is PNG", func() []byte { return nil }, content.ImageOf(""), nil, `{"type":"image","data":"","mimeType":"image/png"}`},
		{"an image from a reader", func() io.Reader { return strings.NewReader("PNGDATA") }, content.ImageOf(""), nil, `{"type":"image","data":"UE5HREFUQQ==","mimeType":"image/png"}`},
		{"audio as clients of 2025-03-26 know it", func() []byte { return []byte("RIFF") }, content.AudioOf("audio/wav"), nil, `{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}`},
		{"an embedded text", func() string { return "世😀" }, content.EmbeddedOf("file:///a", "text/plain"), nil, `{"type":"resource","resource":{"uri":"file:///a","mimeType":"text/plain","text":"世😀"}}`},
		{"an embedded blob", func() []byte { return []byte{0} }, content.EmbeddedOf("file:///a", "x/y"), nil, `{"type":"resource","resource":{"uri":"file:///a","mimeType":"x/y","blob":"AA=="}}`},
		{"a link is text before 2025-06-18", func() string { return "https://x.org" }, content.LinkTo("site", ""), nil, text(`"site: https://x.org"`)},
		{"a renderer of one's own, with two blocks", func() string { return "a" }, twice, nil, text(`"a"`) + `,` + text(`"世界: file:///a"`)},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			got := served(t, c.fn, c.by, c.names...).send(callX).String()
			if want := `{"jsonrpc":"2.0","id":1,"result":{"content":[` + c.want + `],"isError":false}}`; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestBase64OfEveryLengthAndPace(t *testing.T) {
	want := []string{"", "MA==", "MDE=", "MDEy", "MDEyMw==", "MDEyMzQ=", "MDEyMzQ1"}
	for n, encoded := range want {
		for _, r := range []io.Reader{strings.NewReader("012345"[:n]), oneByteReader{strings.NewReader("012345"[:n])}} {
			got := served(t, func() io.Reader { return r }, content.ImageOf("")).send(callX).String()
			if !strings.Contains(got, `"data":"`+encoded+`"`) {
				t.Errorf("%d bytes: got %s, want %q in it", n, got, encoded)
			}
		}
	}
}

// oneByteReader reads one byte at a time.
type oneByteReader struct{ io.Reader }

func (r oneByteReader) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(1, len(p))]) }

func TestResultsThatCannotBeRenderedAreErrorsInBand(t *testing.T) {
	cases := []struct {
		rule string
		fn   any
		by   content.Renderer
		want string
	}{
		{"no form in JSON", func() float64 { return math.NaN() }, nil, "rendering the result: "},
		{"a channel inside", func() any { return make(chan int) }, nil, "rendering the result: "},
		{"bytes in an any", func() any { return []byte("x") }, nil, "content.ImageOf"},
		{"no image", func() int { return 1 }, content.ImageOf(""), "cannot be rendered as an image"},
		{"no result by hand", func() *mcp.ToolResult { return nil }, nil, "neither a result nor an error"},
		{"a renderer that fails", func() int { return 1 }, content.RendererFunc(func(any) ([]content.Block, error) {
			return nil, errors.New("out of ink 世界")
		}), "out of ink 世界"},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) { served(t, c.fn, c.by).send(callX).tells(t, c.want) })
	}
}

func TestARendererIsSharedByConcurrentCalls(t *testing.T) {
	var table procedure.Table
	register(t, &table, "x", func(s string) map[string]string { return map[string]string{"s": s} })
	d := procedure.NewDeclaration("s", "1")
	d.AddTool(tool("x")).Param("s", schema.String(), "").Render(yaml.Text())
	server := procedure.NewServer(d, &table, nil)
	for _, s := range []string{"a", "yes", "世界", "😀"} {
		t.Run(s, func(t *testing.T) {
			t.Parallel()
			p := connect(t, server)
			for range 50 {
				if got, _ := p.call("x", `{"s":"`+s+`"}`).content(t); !strings.HasPrefix(got, "s: ") || !strings.Contains(got, s) {
					t.Fatal(got)
				}
			}
		})
	}
}
