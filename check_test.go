package mcp_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/schema"
)

func noTool(context.Context, struct{}) (string, error) { return "", nil }

func described(t mcp.Tool) mcp.Tool {
	if t.Name == "" {
		t.Name = "tool"
	}
	t.Description = "Described"
	return t
}

func TestEveryMistakeInATool(t *testing.T) {
	cases := []struct {
		rule string
		add  func(r mcp.Registrar)
		want []string // none: no mistake
	}{
		{"all is well", func(r mcp.Registrar) { mcp.AddTool(r, described(mcp.Tool{}), noTool) }, nil},
		{"names of one character", func(r mcp.Registrar) { mcp.AddTool(r, described(mcp.Tool{Name: "."}), noTool) }, nil},
		{"names of 128 characters", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{Name: strings.Repeat("aZ9-_.", 21) + "xx"}), noTool)
		}, nil},
		{"no name", func(r mcp.Registrar) { mcp.AddTool(r, mcp.Tool{Description: "D"}, noTool) }, []string{`tool ""`, "1 to 128", "rename it"}},
		{"names of 129 characters", func(r mcp.Registrar) { mcp.AddTool(r, described(mcp.Tool{Name: strings.Repeat("x", 129)}), noTool) }, []string{"1 to 128"}},
		{"blanks in a name", func(r mcp.Registrar) { mcp.AddTool(r, described(mcp.Tool{Name: "a b"}), noTool) }, []string{`tool "a b"`, "1 to 128"}},
		{"non-ASCII in a name", func(r mcp.Registrar) { mcp.AddTool(r, described(mcp.Tool{Name: "世界"}), noTool) }, []string{`tool "世界"`, "1 to 128"}},
		{"no description", func(r mcp.Registrar) { mcp.AddTool(r, mcp.Tool{Name: "tool"}, noTool) }, []string{"the description is empty"}},
		{"a nil handler", func(r mcp.Registrar) { mcp.AddTool[struct{}, string](r, described(mcp.Tool{}), nil) }, []string{"the handler is nil"}},
		{"a nil raw handler without a schema", func(r mcp.Registrar) { mcp.AddRawTool[string](r, described(mcp.Tool{}), nil) }, []string{"the handler is nil", "InputSchema is nil"}},
		{"a typed tool that checks nothing", func(r mcp.Registrar) { mcp.AddTool(r, described(mcp.Tool{ApplicationValidated: true}), noTool) }, []string{"ApplicationValidated is for raw handlers", "use AddRawTool"}},
		{"a negative timeout", func(r mcp.Registrar) { mcp.AddTool(r, described(mcp.Tool{Timeout: -1}), noTool) }, []string{"the timeout is negative"}},
		{"an icon over plain HTTP", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{Icons: []mcp.Icon{{Source: "http://example.com/i.png"}, {Source: "https://example.com/i.png"}, {Source: "data:image/png;base64,AA=="}}}), noTool)
		}, []string{`"http://example.com/i.png" is not https: or data:`}},
		{"an icon of an unknown theme", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{Icons: []mcp.Icon{{Source: "https://example.com/i.png", Theme: "neon"}}}), noTool)
		}, []string{`"neon"`, "light, dark or nothing"}},
		{"a _meta that is no object", func(r mcp.Registrar) { mcp.AddTool(r, described(mcp.Tool{Meta: json.RawMessage(`[]`)}), noTool) }, []string{"_meta", "no JSON object"}},
		{"a _meta that is no JSON", func(r mcp.Registrar) { mcp.AddTool(r, described(mcp.Tool{Meta: json.RawMessage(`{"a":`)}), noTool) }, []string{"_meta"}},
		{"keys of _meta that are reserved", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{Meta: json.RawMessage(`{"io.modelcontextprotocol/x":1,"dev.mcp/y":2,"com.example/ok":3,"-bad":4}`)}), noTool)
		}, []string{`"io.modelcontextprotocol/x" is reserved`, `"dev.mcp/y" is reserved`, `"-bad"`}},
		{"an unknown capability", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{Needs: []mcp.Capability{"telepathy", mcp.CapabilityRoots}}), noTool)
		}, []string{`unknown capability "telepathy"`}},
		{"an argument type that is no struct", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{}), func(context.Context, []int) (string, error) { return "", nil })
		}, []string{"input schema"}},
		{"a field that JSON has no form for", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{}), func(context.Context, struct {
				F func()   `json:"f"`
				C chan int `json:"c"`
			},
			) (string, error) {
				return "", nil
			})
		}, []string{"input schema", "func()", "chan int"}},
		{"an input schema that is no object", func(r mcp.Registrar) {
			mcp.AddRawTool(r, described(mcp.Tool{InputSchema: schema.Text(`{"type":"string"}`)}), func(context.Context, json.RawMessage) (string, error) { return "", nil })
		}, []string{"input schema", "object"}},
		{"an input schema that is no JSON", func(r mcp.Registrar) {
			mcp.AddRawTool(r, described(mcp.Tool{InputSchema: schema.Text(`{"type":`)}), func(context.Context, json.RawMessage) (string, error) { return "", nil })
		}, []string{"input schema"}},
		{"an output type that JSON has no form for", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{}), func(context.Context, struct{}) (chan int, error) { return nil, nil })
		}, []string{"output schema", "chan int"}},
		{"a pointer to a block", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{}), func(context.Context, struct{}) (*content.Image, error) { return nil, nil })
		}, []string{"*content.Image is no content; return content.Image"}},
		{"a slice of one kind of block", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{}), func(context.Context, struct{}) ([]content.Text, error) { return nil, nil })
		}, []string{"[]content.Text is no content; return []content.Block"}},
		{"a result by hand that is no pointer", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{}), func(context.Context, struct{}) (mcp.ToolResult, error) { return mcp.ToolResult{}, nil })
		}, []string{"mcp.ToolResult is no content; return *mcp.ToolResult"}},
		{"a pointer to a result with content of its own", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{}), func(context.Context, struct{}) (*mcp.Output[int], error) { return nil, nil })
		}, []string{"*mcp.Output[int] is no content; return mcp.Output[int]"}},
		{"the contents of a resource", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{}), func(context.Context, struct{}) (mcp.Contents, error) { return mcp.Contents{}, nil })
		}, []string{"content.Contents is no content; return content.Embedded, which content.Embed makes"}},
		{"an error as the result", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{}), func(context.Context, struct{}) (error, error) { return nil, nil })
		}, []string{"a result of type error is never sent", "struct{}"}},
		{"an input schema that its type does not go with", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{InputSchema: schema.Object().Prop("größe", schema.String()).Prop("n", schema.Number())}),
				func(context.Context, struct {
					N int `json:"n"`
				},
				) (string, error) {
					return "", nil
				})
		}, []string{`InputSchema and the argument type struct { N int "json:\"n\"" }: the schema has property "größe", but the Go type has no field for it`, "at .n: the schema has number, but the Go type holds integer"}},
		{"an input schema that its type goes with", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{InputSchema: schema.Object().Prop("n", schema.Integer().Min(0))}), func(context.Context, map[string]int) (string, error) { return "", nil })
		}, nil},
		{"an output schema that its type does not go with", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{OutputSchema: schema.String()}), func(context.Context, struct{}) (int, error) { return 0, nil })
		}, []string{"OutputSchema and the result type int: the schema has string, but the Go type gives integer"}},
		{"an output schema that nothing is sent for", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{Output: mcp.OutputText, OutputSchema: schema.Integer()}), func(context.Context, struct{}) (int, error) { return 0, nil })
		}, []string{"OutputText sends no structured result"}},
		{"an unknown output mode", func(r mcp.Registrar) { mcp.AddTool(r, described(mcp.Tool{Output: 3}), noTool) }, []string{"Output is 3; use one of the OutputMode constants"}},
		{"bytes have no MIME type", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{}), func(context.Context, struct{}) ([]byte, error) { return nil, nil })
		}, []string{"no MIME type", "content.Image"}},
		{"a reader has no MIME type", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{}), func(context.Context, struct{}) (io.Reader, error) { return nil, nil })
		}, []string{"no MIME type"}},
		{"bytes with a renderer", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{Render: content.ImageOf("image/png")}), func(context.Context, struct{}) ([]byte, error) { return nil, nil })
		}, nil},
		{"a name that is taken", func(r mcp.Registrar) {
			mcp.AddTool(r, described(mcp.Tool{Name: "twice"}), noTool)
			mcp.AddTool(r, described(mcp.Tool{Name: "twice"}), noTool)
			mcp.AddTool(r, described(mcp.Tool{Name: "Twice"}), noTool) // names are case-sensitive
		}, []string{`tool "twice": already registered at check_test.go:`}},
		{"several mistakes of one tool are all told", func(r mcp.Registrar) {
			mcp.AddTool[struct{}, string](r, mcp.Tool{Name: "a b", Timeout: -1, Meta: json.RawMessage(`7`)}, nil)
		}, []string{"the handler is nil", "1 to 128", "the description is empty", "the timeout is negative", "_meta"}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) { wantMistakes(t, c.add, c.want) })
	}
}

// wantMistakes checks what Check says about one registration: every line has a place in this package.
func wantMistakes(t *testing.T, add func(r mcp.Registrar), want []string) {
	t.Helper()
	server := testServer(nil)
	add(server)
	err := server.Check()
	again := server.Check()
	if len(want) == 0 {
		if err != nil {
			t.Errorf("Check says %v", err)
		}
		return
	}
	if err == nil {
		t.Fatal("Check finds nothing")
	}
	if again == nil || again.Error() != err.Error() {
		t.Errorf("a second Check says %v", again)
	}
	for _, part := range want {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("Check says %v, which lacks %s", err, part)
		}
	}
	for line := range strings.Lines(err.Error()) {
		if !strings.HasPrefix(line, "check_test.go:") {
			t.Errorf("no place in %q", line)
		}
	}
	if _, connectErr := server.Connect(mcp.ConnectOptions{}); connectErr == nil || connectErr.Error() != err.Error() {
		t.Errorf("Connect says %v", connectErr)
	}
}

func TestEveryMistakeInAResource(t *testing.T) {
	read := func(context.Context) (string, error) { return "", nil }
	user := func(context.Context, struct {
		ID int `json:"id"`
	},
	) (string, error) {
		return "", nil
	}
	cases := []struct {
		rule string
		add  func(r mcp.Registrar)
		want []string
	}{
		{"all is well", func(r mcp.Registrar) {
			mcp.AddResource(r, mcp.Resource{URI: "x://世界/😀", Name: "n"}, read)
			mcp.AddTemplate(r, mcp.ResourceTemplate{URITemplate: "x://{id}", Name: "n"}, user)
		}, nil},
		{"no URI", func(r mcp.Registrar) { mcp.AddResource(r, mcp.Resource{Name: "n"}, read) }, []string{"no absolute URI"}},
		{"a relative URI", func(r mcp.Registrar) { mcp.AddResource(r, mcp.Resource{URI: "notes.txt", Name: "n"}, read) }, []string{`resource "notes.txt"`, "no absolute URI"}},
		{"a template for a URI", func(r mcp.Registrar) { mcp.AddResource(r, mcp.Resource{URI: "x://a/{id}", Name: "n"}, read) }, []string{`resource "x://a/{id}"`, "use AddTemplate, or write them as %7B and %7D"}},
		{"no name", func(r mcp.Registrar) { mcp.AddResource(r, mcp.Resource{URI: "x://a"}, read) }, []string{"the name is empty"}},
		{"a nil handler", func(r mcp.Registrar) { mcp.AddResource[string](r, mcp.Resource{URI: "x://a", Name: "n"}, nil) }, []string{"the handler is nil"}},
		{"a negative size", func(r mcp.Registrar) { mcp.AddResource(r, mcp.Resource{URI: "x://a", Name: "n", Size: -1}, read) }, []string{"the size is negative"}},
		{"a priority above one", func(r mcp.Registrar) {
			mcp.AddResource(r, mcp.Resource{URI: "x://a", Name: "n", Annotations: &content.Annotations{Priority: new(1.5), Audience: []content.Role{"robot"}}}, read)
		}, []string{"the priority is 1.5", `"robot"`}},
		{"a fixed reader", func(r mcp.Registrar) {
			mcp.AddFixedResource(r, mcp.Resource{URI: "x://a", Name: "n"}, strings.NewReader("once"))
		}, []string{"a reader can be read only once"}},
		{"a reader in fixed contents", func(r mcp.Registrar) {
			mcp.AddFixedResource(r, mcp.Resource{URI: "x://a", Name: "n"}, []mcp.Contents{{Text: "世界"}, {TextReader: strings.NewReader("once")}})
		}, []string{"a reader can be read only once"}},
		{"a result by value", func(r mcp.Registrar) {
			mcp.AddResource(r, mcp.Resource{URI: "x://a", Name: "n"}, func(context.Context) (_ mcp.ReadResult, _ error) { return })
		}, []string{"a value of type mcp.ReadResult is no contents of a resource; use *mcp.ReadResult"}},
		{"pointers to contents", func(r mcp.Registrar) {
			mcp.AddFixedResource(r, mcp.Resource{URI: "x://a", Name: "n"}, &mcp.Contents{Text: "a"})
			mcp.AddFixedResource(r, mcp.Resource{URI: "x://b", Name: "n"}, []*mcp.Contents{})
		}, []string{"a value of type *content.Contents is no contents of a resource; use mcp.Contents", "use []mcp.Contents"}},
		{"content blocks", func(r mcp.Registrar) {
			mcp.AddResource(r, mcp.Resource{URI: "x://a", Name: "n"}, func(context.Context) (_ content.Text, _ error) { return })
			mcp.AddTemplate(r, mcp.ResourceTemplate{URITemplate: "y://a", Name: "n"}, func(context.Context, struct{}) (_ []content.Block, _ error) { return })
		}, []string{"a value of type content.Text is no contents of a resource", "a value of type []content.Block is no contents of a resource; use mcp.Contents, which content.TextContents"}},
		{"a fixed value that JSON has no form for", func(r mcp.Registrar) {
			mcp.AddFixedResource(r, mcp.Resource{URI: "x://a", Name: "n"}, make(chan int))
		}, []string{"value", "chan int", "give text, bytes, contents or what encodes as JSON"}},
		{"a URI that is taken", func(r mcp.Registrar) {
			mcp.AddFixedResource(r, mcp.Resource{URI: "x://a", Name: "n"}, "")
			mcp.AddResource(r, mcp.Resource{URI: "x://a", Name: "n"}, read)
		}, []string{`resource "x://a": already registered at check_test.go:`}},
		{"a template that is taken", func(r mcp.Registrar) {
			mcp.AddTemplate(r, mcp.ResourceTemplate{URITemplate: "x://{id}", Name: "n"}, user)
			mcp.AddTemplate(r, mcp.ResourceTemplate{URITemplate: "x://{id}", Name: "n"}, user)
		}, []string{`resource template "x://{id}": already registered`}},
		{"a template that does not parse", func(r mcp.Registrar) {
			mcp.AddTemplate(r, mcp.ResourceTemplate{URITemplate: "x://{id", Name: "n"}, user)
		}, []string{`resource template "x://{id"`, "template"}},
		{"a variable without a field", func(r mcp.Registrar) {
			mcp.AddTemplate(r, mcp.ResourceTemplate{URITemplate: "x://{id}/{part}", Name: "n"}, user)
		}, []string{`variable "part" has no field`}},
		{"a field that is no variable", func(r mcp.Registrar) {
			mcp.AddTemplate(r, mcp.ResourceTemplate{URITemplate: "x://{name}", Name: "n"}, user)
		}, []string{`field "id" is no variable`, `variable "name" has no field`}},
		{"a field that is no scalar", func(r mcp.Registrar) {
			mcp.AddTemplate(r, mcp.ResourceTemplate{URITemplate: "x://{id}", Name: "n"}, func(context.Context, struct {
				ID []int `json:"id"`
			},
			) (string, error) {
				return "", nil
			})
		}, []string{`field "id" is no scalar`}},
		{"a completer of nothing", func(r mcp.Registrar) {
			mcp.AddTemplate(r, mcp.ResourceTemplate{URITemplate: "x://{id}", Name: "n", Complete: map[string]mcp.Completer{"other": mcp.CompleteFrom()}}, user)
		}, []string{`Complete names "other"`}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) { wantMistakes(t, c.add, c.want) })
	}
}

func TestEveryMistakeInAPrompt(t *testing.T) {
	cases := []struct {
		rule string
		add  func(r mcp.Registrar)
		want []string
	}{
		{"all is well", func(r mcp.Registrar) { mcp.AddPrompt(r, mcp.Prompt{Name: "p", Description: "D"}, greetTo) }, nil},
		{"neither name nor description", func(r mcp.Registrar) { mcp.AddPrompt(r, mcp.Prompt{}, greetTo) }, []string{"the description is empty", "the name is empty"}},
		{"a nil handler", func(r mcp.Registrar) { mcp.AddPrompt[greetIn, string](r, mcp.Prompt{Name: "p", Description: "D"}, nil) }, []string{"the handler is nil"}},
		{"a result that is no message", func(r mcp.Registrar) {
			mcp.AddPrompt(r, mcp.Prompt{Name: "p", Description: "D"}, func(context.Context, struct{}) (int, error) { return 0, nil })
		}, []string{"a result of type int is no message"}},
		{"an argument that is no scalar", func(r mcp.Registrar) {
			mcp.AddPrompt(r, mcp.Prompt{Name: "p", Description: "D"}, func(context.Context, struct {
				L []string `json:"l"`
			},
			) (string, error) {
				return "", nil
			})
		}, []string{`argument "l" is no scalar`}},
		{"a completer of nothing", func(r mcp.Registrar) {
			mcp.AddPrompt(r, mcp.Prompt{Name: "p", Description: "D", Complete: map[string]mcp.Completer{"nmae": mcp.CompleteFrom()}}, greetTo)
		}, []string{`Complete names "nmae"`}},
		{"a name that is taken", func(r mcp.Registrar) {
			mcp.AddPrompt(r, mcp.Prompt{Name: "p", Description: "D"}, greetTo)
			mcp.AddPrompt(r, mcp.Prompt{Name: "p", Description: "D"}, greetTo)
		}, []string{`prompt "p": already registered`}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) { wantMistakes(t, c.add, c.want) })
	}
}

func TestMistakesOfAllKindsAreToldTogether(t *testing.T) {
	server := mcp.NewServer("", "", &mcp.Options{Icons: []mcp.Icon{{Source: "ftp://x"}}, Keys: [][]byte{[]byte("short")}})
	mcp.AddTool(server, mcp.Tool{}, noTool)
	mcp.AddFixedResource(server, mcp.Resource{}, "")
	mcp.AddPrompt(server, mcp.Prompt{}, greetTo)
	server.Use(nil, func(next mcp.Handler) mcp.Handler { return next })
	err := server.Check()
	for _, part := range []string{"a middleware is nil", "no name or no version", "ftp://x", "Options.Keys", "tool", "resource", "prompt"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s is not told: %v", part, err)
		}
	}
	if _, connected := server.Connect(mcp.ConnectOptions{}); connected == nil || connected.Error() != err.Error() {
		t.Errorf("Connect says %v", connected)
	}
	if checked := server.Check(); checked == nil || checked.Error() != err.Error() {
		t.Errorf("Check says afterwards %v", checked)
	}
}
