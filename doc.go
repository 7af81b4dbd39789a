// Package mcp is for writing MCP servers: programs whose functions, data and prompts an
// AI client can use. MCP, the Model Context Protocol, is JSON-RPC 2.0 with a fixed set of
// methods; this package speaks all five of its dated revisions to every client, on any
// transport, at the same time.
//
// A server is made of tools (functions that a model may call), resources and resource
// templates (data that a client may read), and prompts (messages that a user may pick):
//
//	server := mcp.NewServer("calc", "1.0.0", nil)
//
//	type AddIn struct {
//		A int `json:"a" doc:"First operand"`
//		B int `json:"b" doc:"Second operand"`
//	}
//	mcp.AddTool(server, mcp.Tool{Name: "add", Description: "Add two integers"},
//		func(ctx context.Context, in AddIn) (int, error) { return in.A + in.B, nil })
//
//	err := stdio.Serve(ctx, server, nil)
//
// The function is the contract: its argument type gives the input schema, the checking of
// what a model sends, and the conversion; its result type gives the output schema and the
// text that goes with it.
//
// # Two eras
//
// Clients of 2026-07-28 (modern) say with every request who they are and what they can do;
// older ones (legacy) open a session with a handshake. The era is chosen for each message.
// Handlers do not see the difference.
//
// # Layers
//
// A transport reads a message and gives it to [Session.Admit], which settles everything that
// must happen in order of arrival, and then runs [Call.Serve] on a goroutine of its choice.
// The answer leaves through the transport's [Sink]. Packages stdio and mcphttp are such
// transports; a program that has another channel can use the three types itself.
//
// This package does not read or write anything, start goroutines, or know about sockets,
// HTTP or processes. It does not log unless it is given a logger.
package mcp
