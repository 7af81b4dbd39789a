package mcp

import (
	"context"
	"runtime/debug"

	"github.com/bowline-go/mcp/internal/protocol"
)

// service is how one method is served: resolve finds and checks what the request names,
// before middleware sees it; run does the work.
type service struct {
	resolve func(c *Call) *protocol.Fault
	run     func(ctx context.Context, c *Call) (Result, error)
}

// services says who serves which row of the method table. Admission lets no request
// through that is not here.
var services = [...]service{
	protocol.ServerDiscover:         {resolved, discover},
	protocol.ToolsList:              {resolvePage, listEntries},
	protocol.ToolsCall:              {resolveTool, callTool},
	protocol.ResourcesList:          {resolvePage, listEntries},
	protocol.ResourcesTemplatesList: {resolvePage, listEntries},
	protocol.ResourcesRead:          {resolveResource, readResource},
	protocol.PromptsList:            {resolvePage, listEntries},
	protocol.PromptsGet:             {resolvePrompt, getPrompt},
	protocol.CompletionComplete:     {resolveCompletion, completeArgument},
	protocol.SubscriptionsListen:    {resolve: resolveListen}, // stays open: see Call.listen
	protocol.Initialize:             {resolved, answerHandshake},
	protocol.Ping:                   {resolved, answerPing},
	protocol.LoggingSetLevel:        {resolveLevel, setLevel},
	protocol.ResourcesSubscribe:     {resolveResource, subscribeResource},
	protocol.ResourcesUnsubscribe:   {resolveURI, unsubscribeResource},
}

// resolved is for methods that name nothing.
func resolved(*Call) *protocol.Fault { return nil }

// dispatch is the innermost handler.
func dispatch(ctx context.Context, req *Request) (Result, error) {
	c := req.call
	return c.session.server.protect(ctx, req, func(ctx context.Context, req *Request) (Result, error) {
		return services[c.method.ID].run(ctx, c)
	})
}

// protect runs a handler and turns a panic into an error that tells the client nothing but a
// reference. It stands inside and outside the middleware.
func (s *Server) protect(ctx context.Context, req *Request, handle Handler) (result Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, s.panicked(ctx, req, p)
		}
	}()
	return handle(ctx, req)
}

// panicked logs a panic where it was recovered.
func (s *Server) panicked(ctx context.Context, req *Request, p any) error {
	return &incidentError{s.incident(ctx, "panic", req, "panic", p, "stack", string(debug.Stack()))}
}
