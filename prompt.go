package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/bowline-go/mcp/content"
	"github.com/bowline-go/mcp/internal/protocol"
	"github.com/bowline-go/mcp/schema"
)

// Prompt describes messages that a user may pick, such as a slash command. Name and
// Description are required.
//
// Source: server/prompts#prompt.
type Prompt struct {
	// Name is for programs, Title for people.
	Name, Title string
	// Description says what the prompt is for. It is sent with the messages, too.
	Description string
	// Icons are pictures that a client may show.
	Icons []Icon
	// Complete suggests values for an argument. An argument whose field has an enum tag
	// completes by itself.
	Complete map[string]Completer
	// Meta is sent with the definition. Its keys follow basic/index#meta.
	Meta json.RawMessage
}

// Message is one message of a prompt.
type Message struct {
	// Role says who speaks.
	Role content.Role
	// Content is what the message says or shows.
	Content content.Block
}

// UserText is a message of the user.
func UserText(text string) Message { return Message{content.RoleUser, content.Text{Text: text}} }

// AssistantText is a message of the assistant.
func AssistantText(text string) Message {
	return Message{content.RoleAssistant, content.Text{Text: text}}
}

// PromptResult is the result of a prompt by hand.
type PromptResult struct {
	// Description is Prompt.Description unless it is set.
	Description string
	Messages    []Message
	// Meta is sent as the result's _meta.
	Meta json.RawMessage
}

func (*PromptResult) result() {}

// prompt is a compiled registration.
type prompt struct {
	def        Prompt
	at         place
	wire       protocol.Prompt
	args       *schema.Compiled
	completers map[string]Completer
	get        func(ctx context.Context, args []byte) (*PromptResult, error)
}

// AddPrompt registers a prompt. Args is a struct of strings (or of types that a string
// converts to); its fields, with their doc and optional tags, are the prompt's arguments.
// Out is a slice of [Message], one Message, a string (a message of the user) or a
// *[PromptResult]. Errors are sent as JSON-RPC errors. get must be safe for concurrent use.
func AddPrompt[Args, Out any](r Registrar, def Prompt, get func(ctx context.Context, args Args) (Out, error)) {
	reg := r.registry()
	p := &prompt{def: def, at: placed("prompt", def.Name)}
	if get == nil {
		reg.mistake(p.at, "the handler is nil; give it a function")
	}
	if !isPromptType(reflect.TypeFor[Out]()) {
		reg.mistake(p.at, "a result of type %s is no message; return []mcp.Message, mcp.Message, string or *mcp.PromptResult", reflect.TypeFor[Out]())
	}
	reg.addPrompt(p, schema.For[Args]())
	p.get = func(ctx context.Context, raw []byte) (*PromptResult, error) {
		var args Args
		if err := p.args.Decode(raw, &args); err != nil {
			return nil, &argumentError{err}
		}
		out, err := get(ctx, args)
		if err != nil {
			return nil, err
		}
		return promptResult(out, def.Description)
	}
}

func isPromptType(t reflect.Type) bool {
	return t == reflect.TypeFor[[]Message]() || t == reflect.TypeFor[Message]() ||
		t == reflect.TypeFor[string]() || t == reflect.TypeFor[*PromptResult]()
}

func (r *registry) addPrompt(p *prompt, args *schema.Schema) {
	var err error
	d := &p.def
	// The arguments are part of a message that was decoded strictly.
	p.args, err = args.Compile(schema.CompileOptions{Role: schema.Input, Lenient: true, Trusted: true})
	r.mistakesOf(p.at, "arguments", err)
	p.wire = protocol.Prompt{
		Name: d.Name, Title: d.Title, Description: d.Description,
		Icons: d.Icons, Meta: d.Meta,
	}
	if p.args != nil {
		properties := p.args.Properties()
		for _, property := range properties {
			if !isScalar(property) {
				r.mistake(p.at, "argument %q is no scalar; a client sends strings, so use a string, a number or a boolean", property.Name)
			}
			p.wire.Arguments = append(p.wire.Arguments, protocol.PromptArgument{
				Name: property.Name, Title: property.Title, Description: property.Description, Required: property.Required,
			})
		}
		p.completers = completersOf(r, p.at, properties, d.Complete)
	}
	checkPrompt(r, p)
	r.prompts = append(r.prompts, p)
}

func promptResult(out any, description string) (*PromptResult, error) {
	result := &PromptResult{Description: description}
	switch v := out.(type) {
	case []Message:
		result.Messages = v
	case Message:
		result.Messages = []Message{v}
	case string:
		result.Messages = []Message{UserText(v)}
	case *PromptResult:
		if v == nil {
			return nil, errors.New("the handler returned neither messages nor an error")
		}
		result.Messages, result.Meta = v.Messages, v.Meta
		if v.Description != "" {
			result.Description = v.Description
		}
	}
	if len(result.Messages) == 0 {
		return nil, errors.New("the handler returned no messages; a prompt has at least one")
	}
	for i, m := range result.Messages {
		if m.Role != content.RoleUser && m.Role != content.RoleAssistant {
			return nil, fmt.Errorf("message %d has the role %q, want user or assistant", i, m.Role)
		}
		if m.Content == nil {
			return nil, fmt.Errorf("message %d has no content", i)
		}
	}
	return result, nil
}
