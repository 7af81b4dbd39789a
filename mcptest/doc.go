// Package mcptest is for testing MCP servers: a client in the same process, for every revision of the
// protocol, and scripts of what goes in and what must come out.
//
//	func TestAdd(t *testing.T) {
//		mcptest.EachRevision(t, newServer, func(t *testing.T, c *mcptest.Client) {
//			sum, err := mcptest.Call[int](t.Context(), c, "add", AddIn{A: 1, B: 2})
//			if err != nil || sum != 3 {
//				t.Errorf("got %d, %v", sum, err)
//			}
//		})
//	}
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
