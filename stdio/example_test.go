package stdio_test

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/stdio"
)

func greeter() *mcp.Server {
	type greeting struct {
		Name string `json:"name"`
	}
	server := mcp.NewServer("greeter", "1.0.0", &mcp.Options{Legacy: mcp.LegacySessionless})
	mcp.AddTool(server, mcp.Tool{Name: "greet", Description: "Greet somebody."},
		func(_ context.Context, in greeting) (string, error) { return "Hello, " + in.Name + "!", nil })
	return server
}

// A program that a client starts.
func ExampleServe() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := stdio.Serve(ctx, greeter(), nil); err != nil {
		log.Fatal(err)
	}
}

// A server that clients connect to, here over TCP.
func ExampleServeConn() {
	listener, err := net.Listen("tcp", "localhost:7000")
	if err != nil {
		log.Fatal(err)
	}
	server := greeter()
	for {
		conn, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go stdio.ServeConn(context.Background(), server, conn, nil)
	}
}

// Any reader and any writer will do.
func ExampleServeStream() {
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"name":"世界"}}}`)
	if err := stdio.ServeStream(context.Background(), greeter(), in, os.Stdout, nil); err != nil {
		log.Fatal(err)
	}
	// Output: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Hello, 世界!"}],"isError":false}}
}

// Messages with a Content-Length header, as some clients send them.
func ExampleReadMessage() {
	r := bufio.NewReader(strings.NewReader("content-length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnull"))
	for range 2 {
		msg, err := stdio.ReadMessage(r, 1<<20)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", msg)
	}
	// Output:
	// {}
	// null
}
