// Package mcptest is for testing MCP servers: a client in the same process, for every revision of the
// protocol, and scripts of what goes in and what must come out.
//
//	func TestAdd(t *testing.T) {
//		mcptest.EachRevision(t, newServer, nil, func(t *testing.T, c *mcptest.Client) {
//			sum, err := mcptest.Call[int](t.Context(), c, "add", AddIn{A: 1, B: 2})
//			if err != nil || sum != 3 {
//				t.Errorf("got %d, %v", sum, err)
//			}
//		})
//	}
//
// A client that can be asked, that hears of progress, or that comes as somebody, is made with options, which
// [EachRevision] takes as well, and a context:
//
//	c := mcptest.Connect(t, newServer(), &mcptest.Options{
//		Elicit: func(ctx context.Context, q mcptest.Question) (mcptest.Answer, error) {
//			return mcptest.Answer{Content: Confirm{Sure: true}}, nil // or Action: "decline"
//		},
//		OnNotification: func(n mcptest.Notification) { t.Log(n.Method, string(n.Params)) },
//	})
//	ann := mcp.WithCaller(t.Context(), mcp.Caller{ID: "ann"})
//	text, err := mcptest.Call[string](ann, c, "delete", Note{Name: "old"})
//
// A handler that panics answers with a reference. The panic and its stack go to the log of the test, which go test shows
// when the test fails, unless the server under test has a logger of its own ([mcp.Options].Logger).
//
// [Connect] makes a client, [Client.CallTool] and its like make requests, and [Call] is a tool call with a
// Go type as its result. Errors that the server answers are an [mcp.Error]. The functions in [Options]
// answer what a tool asks the user. [Transcript] runs a script file, byte for byte; with an -update flag
// it writes the file anew.
//
// Everything that a test gives to this package runs on the test's own goroutines: what the server tells by
// itself, for instance after [mcp.Server.Change], waits until the client is used again or [Client.Flush]
// is called. Handlers run on goroutines of their own, which have ended when the test is over.
//
// This package does not open sockets or start processes: it tests what a server says, not how a transport
// carries it.
package mcptest
