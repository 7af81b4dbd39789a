package mcp

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/bowline-go/mcp/internal/protocol"
)

// The way of an admitted call stands here from top to bottom: Serve, the resolve of its method,
// the middleware around each pass, the run of its method, and the answer, which reply.go sends.

// retryAfter is what a client is told that finds no room.
const retryAfter = 100 * time.Millisecond

// Result is the result of a method: a *[ToolResult], *[ReadResult] or *[PromptResult], or a
// ready-made one that only the library makes.
type Result interface{ result() }

// Handler serves one request: what middleware wraps. See [Server.Use].
type Handler func(ctx context.Context, req *Request) (Result, error)

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
	protocol.SubscriptionsListen:    {resolveListen, mayListen},
	protocol.Initialize:             {resolved, answerHandshake},
	protocol.Ping:                   {resolved, answerPing},
	protocol.LoggingSetLevel:        {resolveLevel, setLevel},
	protocol.ResourcesSubscribe:     {resolveResource, subscribeResource},
	protocol.ResourcesUnsubscribe:   {resolveURI, unsubscribeResource},
}

// resolved is for methods that name nothing.
func resolved(*Call) *protocol.Fault { return nil }

// Serve runs the call to its answer, on the caller's goroutine, and sends it to the sink. It
// is called once, unless Refuse is. When the client cancels, Serve returns without an answer.
// open reports a subscription, which stays open behind Serve: its sink is woken, and
// [Call.Cancel] ends it.
func (c *Call) Serve() (open bool) {
	settled := false
	defer func() {
		if !settled { // a handler ended its goroutine; the client gets an answer all the same
			c.refuseWith(protocol.Internal("the handler ended without a result"))
		}
		if !open {
			c.release()
		}
	}()
	open = c.serve()
	settled = true
	return open
}

func (c *Call) serve() (open bool) {
	if c.batch != nil {
		c.batch.serve()
		return false
	}
	if c.isVoid() {
		return false
	}
	if c.standalone && c.fault == nil {
		return c.openStream()
	}
	if c.fault == nil {
		c.fault = services[c.method.ID].resolve(c)
	}
	if c.fault != nil {
		c.refuseWith(c.fault)
		return false
	}
	server := c.session.server
	defer server.inFlight.Add(-1)
	if server.inFlight.Add(1) > int64(server.options.MaxInFlight) {
		c.refuseWith(protocol.Busy("too many requests in flight", retryAfter))
		return false
	}
	return c.run()
}

// run passes the call through the middleware to its handler and answers it, or opens the
// subscription that it asks for. A legacy client is asked here what a handler asks for in the
// explicit form, and the handler runs again.
func (c *Call) run() (open bool) {
	if fault := c.spend(); fault != nil {
		c.refuseWith(fault)
		return false
	}
	for {
		result, err := c.session.server.protect(c, &c.request, pass)
		switch {
		case err == errAgain:
			continue
		case err == nil && c.listensFor(result):
			return c.listen()
		}
		c.answer(result, err)
		return false
	}
}

// errAgain says that the handler is to run again for the same request.
var errAgain = errors.New("mcp: another pass")

// pass runs the handler once and sees to what it asks for in the explicit form. All that looks
// into its error stands in here, where a panic is recovered: errors have methods of the
// program's own.
func pass(ctx context.Context, req *Request) (Result, error) {
	c := req.call
	result, err := c.session.server.serve(ctx, req)
	explicit := explicitOf(err)
	if explicit == nil {
		return result, err
	}
	if c.revision.InputRequired {
		return nil, c.recordExplicit(explicit)
	}
	if err := c.bridgeExplicit(c, explicit); err != nil {
		return nil, err
	}
	return nil, errAgain
}

// dispatch is the innermost handler.
func dispatch(ctx context.Context, req *Request) (Result, error) {
	return req.call.session.server.protect(ctx, req, runMethod)
}

func runMethod(ctx context.Context, req *Request) (Result, error) {
	return services[req.call.method.ID].run(ctx, req.call)
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

// Refuse answers with err instead of serving, because a transport has no room.
func (c *Call) Refuse(err *Error) {
	defer c.release()
	if c.batch != nil {
		defer c.batch.release()
	}
	if c.fault == nil {
		c.fault = wireError(err, true)
	}
	c.refuseWith(c.fault)
}
