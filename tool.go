package mcp

import (
	"context"
	"encoding/json"
	"reflect"
	"time"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/schema"
)

// Tool describes a function that a model may call. Name and Description are required.
//
// Source: server/tools#tool.
type Tool struct {
	// Name is 1 to 128 of A-Z, a-z, 0-9, '_', '-' and '.'. It is case-sensitive.
	Name string
	// Title is a name for people.
	Title string
	// Description tells a model what the tool does and when to use it.
	Description string
	// Icons are pictures that a client may show.
	Icons []Icon

	// ReadOnly, Destructive, Idempotent and OpenWorld are hints about what a call does to
	// the world. Nil leaves a hint out, and clients then assume false, true, false, true.
	ReadOnly, Destructive, Idempotent, OpenWorld *bool

	// InputSchema describes the arguments. [AddTool] infers it from its argument type when
	// it is nil, and otherwise compares the two; [AddRawTool] needs it.
	InputSchema *schema.Schema
	// OutputSchema describes the structured result. AddTool infers it from its result type
	// when it is nil, and otherwise compares the two.
	OutputSchema *schema.Schema
	// Output says in which forms a structured result is sent.
	Output OutputMode
	// Render makes the content blocks of a result. Nil: compact JSON text for a structured
	// result, and what a string or a content block says for itself.
	Render content.Renderer

	// Lenient accepts a number or a boolean that was sent as a string where the schema
	// declares a number or a boolean. Other mistakes in the arguments are still refused.
	Lenient bool
	// ApplicationValidated leaves the checking of the arguments to a raw handler: the schema
	// is published but not enforced, and defaults are not filled in.
	ApplicationValidated bool

	// Timeout ends the handler's context; the call is then answered with an in-band error.
	// Zero: no deadline.
	Timeout time.Duration
	// Needs are the client's capabilities without which a call cannot succeed. The tool is
	// listed for every client, but a call of one that lacks them is refused before the
	// handler runs.
	Needs []Capability

	// Meta is sent with the definition as its _meta, a JSON object. Its keys follow
	// basic/index#meta.
	Meta json.RawMessage
}

// OutputMode says in which forms a tool's structured result is sent.
type OutputMode uint8

const (
	// OutputBoth sends structuredContent and, for clients and models that read text only,
	// the same value as a text block.
	OutputBoth OutputMode = iota
	// OutputStructured sends structuredContent alone, which halves the tokens. Clients that
	// do not know it, before 2025-06-18, get the text.
	OutputStructured
	// OutputText sends the text alone and publishes no output schema.
	OutputText
)

// tool is a compiled registration. It is immutable and stands by itself.
type tool struct {
	def     Tool
	at      place
	wire    protocol.Tool
	input   *schema.Compiled
	output  *schema.Compiled // nil: no output schema
	needs   protocol.CapabilitySet
	headers []protocol.MirroredParam
	trusted bool // results of the handler's type cannot violate the output schema
	call    func(ctx context.Context, args json.RawMessage) (*ToolResult, error)
}

// AddTool registers a function as a tool. In, a struct, gives the input schema; arguments
// are checked against it and converted before handle runs, and what is wrong with them is
// told to the model. Out gives the result:
//
//   - a string, a [content.Block] or a slice of blocks is content;
//   - struct{} is an empty result;
//   - *[ToolResult] is everything by hand;
//   - [Output] is a typed value with content of its own;
//   - anything else is structured content with an output schema, and a text block with the
//     same value as JSON (see [OutputMode] and Tool.Render).
//
// An error becomes an in-band result with isError set, which a model can read; an *[Error]
// becomes a JSON-RPC error. A panic is recovered and reported by reference; what it was and
// where goes to [Options].Logger.
//
// Mistakes in def or in the types are reported by [Server.Check]. handle must be safe for
// concurrent use.
func AddTool[In, Out any](r Registrar, def Tool, handle func(ctx context.Context, in In) (Out, error)) {
	reg := r.registry()
	t := &tool{def: def, at: placed("tool", def.Name)}
	if handle == nil {
		reg.mistake(t.at, "the handler is nil; give it a function")
	}
	if def.ApplicationValidated {
		reg.mistake(t.at, "ApplicationValidated is for raw handlers, and the arguments of a typed one are always checked; use AddRawTool or unset it")
	}
	in := def.InputSchema
	if in == nil {
		in = schema.For[In]()
	} else {
		typ := reflect.TypeFor[In]()
		reg.mistakesOf(t.at, "InputSchema and the argument type "+typ.String(), in.CheckType(typ, schema.Input))
	}
	output := outputOf[Out](reg, t)
	reg.addTool(t, in, output)
	t.call = func(ctx context.Context, args json.RawMessage) (*ToolResult, error) {
		var value In
		if err := t.input.Decode(args, &value); err != nil {
			return nil, &argumentError{err}
		}
		out, err := handle(ctx, value)
		if err != nil {
			return nil, err
		}
		return output.result(out)
	}
}

// AddRawTool registers a tool whose handler reads its arguments itself. def.InputSchema is
// required: from the builders of package schema, a Go type or JSON text. The arguments are
// checked against it and its defaults are filled in before handle runs, unless
// def.ApplicationValidated is set. args is a JSON object, {} when the client sent none, and
// valid until handle returns. For Out and errors see [AddTool].
func AddRawTool[Out any](r Registrar, def Tool, handle func(ctx context.Context, args json.RawMessage) (Out, error)) {
	reg := r.registry()
	t := &tool{def: def, at: placed("tool", def.Name)}
	if handle == nil {
		reg.mistake(t.at, "the handler is nil; give it a function")
	}
	if def.InputSchema == nil {
		reg.mistake(t.at, "InputSchema is nil; a raw tool needs one, such as schema.Object()")
	}
	output := outputOf[Out](reg, t)
	reg.addTool(t, def.InputSchema, output)
	t.call = func(ctx context.Context, args json.RawMessage) (*ToolResult, error) {
		if !t.def.ApplicationValidated {
			completed, err := t.input.Complete(args)
			if err != nil {
				return nil, &argumentError{err}
			}
			args = completed
		}
		out, err := handle(ctx, args)
		if err != nil {
			return nil, err
		}
		return output.result(out)
	}
}

// addTool compiles what is common to typed and raw tools and enters the tool. Its schemas trust
// their values: arguments are part of a message that was decoded strictly, and results come from
// the encoder.
func (r *registry) addTool(t *tool, in *schema.Schema, out output) {
	var err error
	if in != nil {
		t.input, err = in.Compile(schema.CompileOptions{Role: schema.Input, Lenient: t.def.Lenient, Trusted: true})
		r.mistakesOf(t.at, "input schema", err)
	}
	if out.schema != nil && t.def.Output != OutputText {
		t.output, err = out.schema.Compile(schema.CompileOptions{Role: schema.Output, Trusted: true})
		r.mistakesOf(t.at, "output schema", err)
	}
	if t.input != nil {
		t.headers = mirroredParams(t.input)
	}
	t.trusted = out.inferred && t.output != nil && t.output.Infallible()
	checkTool(r, t)
	t.needs = capabilitySet(r, t.at, t.def.Needs)
	t.wire = wireTool(t)
	r.tools = append(r.tools, t)
}

func wireTool(t *tool) protocol.Tool {
	d := &t.def
	wire := protocol.Tool{
		Name: d.Name, Title: d.Title, Description: d.Description,
		Icons: d.Icons, Meta: d.Meta,
		Annotations: wireHints(d),
	}
	if t.input != nil {
		wire.InputSchema = t.input.JSON()
	}
	if t.output != nil {
		wire.OutputSchema = t.output.JSON()
	}
	return wire
}

func wireHints(d *Tool) *protocol.ToolAnnotations {
	if d.ReadOnly == nil && d.Destructive == nil && d.Idempotent == nil && d.OpenWorld == nil {
		return nil
	}
	return &protocol.ToolAnnotations{
		ReadOnlyHint: d.ReadOnly, DestructiveHint: d.Destructive,
		IdempotentHint: d.Idempotent, OpenWorldHint: d.OpenWorld,
	}
}
