package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"strings"
	"testing/fstest"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/stdio"
)

// show serves one request and prints the answer. The servers of the examples need no handshake, which keeps
// the requests short.
func show(server *mcp.Server, request string) {
	err := stdio.ServeStream(context.Background(), server, strings.NewReader(request+"\n"), os.Stdout, nil)
	if err != nil {
		log.Fatal(err)
	}
}

func short() *mcp.Options { return &mcp.Options{Legacy: mcp.LegacySessionless} }

// A server with one tool. A request of 2026-07-28 says in its _meta who sends it.
func Example() {
	type AddIn struct {
		A int `json:"a" doc:"First operand"`
		B int `json:"b" doc:"Second operand"`
	}
	server := mcp.NewServer("calc", "1.0.0", nil)
	mcp.AddTool(server, mcp.Tool{Name: "add", Description: "Add two integers"},
		func(_ context.Context, in AddIn) (int, error) { return in.A + in.B, nil })

	show(server, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3},`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"5"}],"structuredContent":5,"isError":false,"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"calc","version":"1.0.0"}}}}
}

// Tags describe the arguments; what a model gets wrong it is told, and so are errors of the function.
func ExampleAddTool() {
	type In struct {
		City string `json:"city" doc:"Where" enum:"Lisbon,Oslo"`
		Days int    `json:"days" doc:"How many days ahead" default:"1" min:"1" max:"7"`
	}
	type Out struct {
		Degrees []int `json:"degrees" doc:"One a day, in °C"`
	}
	server := mcp.NewServer("weather", "1.0.0", short())
	mcp.AddTool(server, mcp.Tool{Name: "forecast", Description: "Forecast the temperature", ReadOnly: new(true)},
		func(_ context.Context, in In) (Out, error) {
			if in.City == "Oslo" {
				return Out{}, mcp.UserErrorf("the station of %s does not answer; try another city", in.City)
			}
			return Out{Degrees: []int{21, 22, 20, 23, 24, 24, 22}[:in.Days]}, nil
		})

	for _, arguments := range []string{`{"city":"Lisbon"}`, `{"city":"Paris","dayz":3}`, `{"city":"Oslo"}`} {
		show(server, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forecast","arguments":`+arguments+`}}`)
	}
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"degrees\":[21]}"}],"isError":false}}
	// {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"arguments.city: expected one of \"Lisbon\", \"Oslo\", got \"Paris\"; unknown argument \"dayz\"; did you mean \"days\"?"}],"isError":true}}
	// {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"the station of Oslo does not answer; try another city"}],"isError":true}}
}

// A tool that takes a while: it says how far it is, and ends when the client cancels.
func ExampleProgress() {
	type In struct {
		Files []string `json:"files" doc:"What to convert" minItems:"1"`
	}
	convert := func(ctx context.Context, in In) (string, error) {
		for i, file := range in.Files {
			mcp.Progress(ctx, float64(i), float64(len(in.Files)), "converting "+file)
			select {
			case <-time.After(time.Millisecond): // the work
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}
		return "done", nil
	}
	server := mcp.NewServer("converter", "1.0.0", short())
	mcp.AddTool(server, mcp.Tool{Name: "convert", Description: "Convert files", Timeout: time.Minute}, convert)

	show(server, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"convert","arguments":{"files":["a","b"]},"_meta":{"progressToken":"p"}}}`)
	// Output:
	// {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":0,"total":2,"message":"converting a"}}
	// {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":2,"message":"converting b"}}
	// {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}],"isError":false}}
}

// The fields of the struct are the arguments that a client asks the user for.
func ExampleAddPrompt() {
	type Args struct {
		Code  string `json:"code" doc:"The code to review"`
		Focus string `json:"focus" doc:"What to look at" enum:"bugs,style" default:"bugs"`
	}
	server := mcp.NewServer("reviews", "1.0.0", short())
	mcp.AddPrompt(server, mcp.Prompt{Name: "review", Description: "Review code"},
		func(_ context.Context, args Args) (string, error) {
			return "Review this code for " + args.Focus + ": " + args.Code, nil
		})

	show(server, `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"review","arguments":{"code":"x := 1"}}}`)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"description":"Review code","messages":[{"role":"user","content":{"type":"text","text":"Review this code for bugs: x := 1"}}]}}
}

// A family of resources, with proposals for the variable.
func ExampleAddTemplate() {
	folder := fstest.MapFS{"a.md": {Data: []byte("hello 世界")}, "b.md": {Data: []byte("bye")}}
	type Note struct {
		Name string `json:"name"`
	}
	read := func(_ context.Context, note Note) (string, error) {
		text, err := fs.ReadFile(folder, note.Name+".md")
		if errors.Is(err, fs.ErrNotExist) {
			return "", mcp.ErrNotFound
		}
		return string(text), err
	}
	names := func(_ context.Context, typed string, _ map[string]string) (found []string, err error) {
		files, err := fs.Glob(folder, "*.md")
		for _, file := range files {
			if name := strings.TrimSuffix(file, ".md"); strings.HasPrefix(name, typed) {
				found = append(found, name)
			}
		}
		return found, err
	}
	server := mcp.NewServer("notes", "1.0.0", short())
	mcp.AddTemplate(server, mcp.ResourceTemplate{
		URITemplate: "notes://{name}", Name: "note", Description: "A note", MIMEType: "text/markdown",
		Complete: map[string]mcp.Completer{"name": names},
	}, read)

	show(server, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"notes://a"}}`)
	show(server, `{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"notes://c"}}`)
	show(server, `{"jsonrpc":"2.0","id":3,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"notes://{name}"},"argument":{"name":"name","value":"b"}}}`)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"notes://a","mimeType":"text/markdown","text":"hello 世界"}]}}
	// {"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"resource not found","data":{"uri":"notes://c"}}}
	// {"jsonrpc":"2.0","id":3,"result":{"completion":{"values":["b"],"total":1,"hasMore":false}}}
}

// A middleware that lets some callers only use some tools. The caller is whom the HTTP middleware named with WithCaller.
func ExampleServer_Use_callers() {
	server := mcp.NewServer("shop", "1.0.0", short())
	server.Use(func(next mcp.Handler) mcp.Handler {
		return func(ctx context.Context, req *mcp.Request) (mcp.Result, error) {
			if req.Method() == "tools/call" && req.Name() == "refund" && req.Caller().ID != "ann" {
				return nil, &mcp.Error{Code: 403, Message: "only ann may do that"}
			}
			return next(ctx, req)
		}
	})
	mcp.AddTool(server, mcp.Tool{Name: "refund", Description: "Pay back an order"},
		func(context.Context, struct{}) (string, error) { return "paid back", nil })

	show(server, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"refund"}}`)
	// Output:
	// {"jsonrpc":"2.0","id":1,"error":{"code":403,"message":"only ann may do that"}}
}

// Tools that come and go while the server runs. Clients that listen are told.
func ExampleServer_Change() {
	server := mcp.NewServer("plugins", "1.0.0", &mcp.Options{Dynamic: true})
	load := func(ctx context.Context, name string) error {
		return server.Change(ctx, func(c *mcp.Change) {
			mcp.AddTool(c, mcp.Tool{Name: name, Description: "The plugin " + name},
				func(context.Context, struct{}) (string, error) { return name + " ran", nil })
		})
	}
	ctx := context.Background()
	fmt.Println(load(ctx, "search"))
	fmt.Println(load(ctx, "search") != nil) // the name is taken, so nothing changes
	fmt.Println(server.Change(ctx, func(c *mcp.Change) { c.Remove(mcp.ToolItem("search")) }))
	// Output:
	// <nil>
	// true
	// <nil>
}
