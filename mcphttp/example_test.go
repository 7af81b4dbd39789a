package mcphttp_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

func exampleServer() *mcp.Server {
	server := mcp.NewServer("calc", "1.0.0", nil)
	type in struct {
		A int `json:"a" doc:"First operand"`
		B int `json:"b" doc:"Second operand"`
	}
	mcp.AddTool(server, mcp.Tool{Name: "add", Description: "Add two integers"},
		func(_ context.Context, in in) (int, error) { return in.A + in.B, nil })
	return server
}

// A server of its own, until the process is told to end.
func ExampleListenAndServe() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	err := mcphttp.ListenAndServe(ctx, "127.0.0.1:0", exampleServer(), &mcphttp.Options{
		OnListen: func(bound net.Addr) {
			fmt.Println("serving on", bound.(*net.TCPAddr).IP)
			stop() // the example ends here; a program waits for its signal
		},
	})
	fmt.Println("ended:", err)
	// Output:
	// serving on 127.0.0.1
	// ended: <nil>
}

// On a mux of your own, behind middleware that knows the caller.
func ExampleNewHandler() {
	handler, err := mcphttp.NewHandler(exampleServer(), &mcphttp.Options{AllowedHosts: []string{"mcp.example.com"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer handler.Close()
	mux := http.NewServeMux()
	mux.Handle("/mcp", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, _, ok := r.BasicAuth()
		if !ok {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r.WithContext(mcp.WithCaller(r.Context(), mcp.Caller{ID: user})))
	}))

	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	request := httptest.NewRequest(http.MethodPost, "https://mcp.example.com/mcp", strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("MCP-Protocol-Version", "2026-07-28")
	request.Header.Set("Mcp-Method", "tools/call")
	request.Header.Set("Mcp-Name", "add")
	request.SetBasicAuth("ann", "secret")
	response := httptest.NewRecorder()
	mux.ServeHTTP(response, request)
	text, _ := io.ReadAll(response.Body)
	fmt.Println(response.Code, strings.Contains(string(text), `"structuredContent"`))
	// Output:
	// 200 true
}

// The end of a handler in a server of your own: first the handler, which ends open streams, then the server.
func ExampleHandler_Drain() {
	handler, err := mcphttp.NewHandler(exampleServer(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Second)
	defer stop()
	fmt.Println(handler.Drain(ctx))
	fmt.Println(server.Shutdown(ctx))
	// Output:
	// <nil>
	// <nil>
}
