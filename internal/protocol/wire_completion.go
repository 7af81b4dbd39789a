package protocol

import (
	"encoding/json"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// MaxCompletionValues is how many values a completion may have.
//
// server/utilities/completion#completion-results: at most 100.
const MaxCompletionValues = 100

// Types of completion references.
const (
	RefPrompt   = "ref/prompt"
	RefResource = "ref/resource"
)

// CompleteParams are the params of completion/complete.
type CompleteParams struct {
	Meta     json.RawMessage    `json:"_meta,omitzero"`
	Ref      Reference          `json:"ref"`
	Argument CompleteArgument   `json:"argument"`
	Context  *CompletionContext `json:"context,omitzero"`
}

// Reference names what has the argument.
type Reference struct {
	// Type is RefPrompt or RefResource.
	Type string `json:"type"`
	// Name is that of the prompt.
	Name string `json:"name,omitzero"`
	// Title is that of the prompt; servers do not need it.
	Title string `json:"title,omitzero"`
	// URI is a template, or a URI that matches one.
	URI string `json:"uri,omitzero"`
}

// CompleteArgument is the argument and what the user typed so far.
type CompleteArgument struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// CompletionContext has the arguments that are settled already.
type CompletionContext struct {
	Arguments map[string]string `json:"arguments,omitzero"`
}

// CompleteResult is the result of completion/complete.
type CompleteResult struct {
	Completion Completion `json:"completion"`
	Stamps
}

// Completion is a list of proposals.
type Completion struct {
	// Values are at most MaxCompletionValues, the best first.
	Values []string `json:"values"`
	// Total is how many there are in all; nil for unknown.
	Total *int `json:"total,omitzero"`
	// HasMore says that there are more than Values.
	HasMore bool `json:"hasMore"`
}

// CompleteParamsOf reads the params of a completion request. The context is taken whatever the
// revision; a caller asks Revision.CompletionContext whether it means anything.
func CompleteParamsOf(m *jsonrpc.Message) (p CompleteParams, fault *Fault) {
	raw := m.Param(int(ParamRef))
	if !isObject(raw) || Decode(raw, &p.Ref) != nil || !p.Ref.valid() {
		return p, BadParam(raw, ParamRef, `{"type":"ref/prompt","name":…} or {"type":"ref/resource","uri":…}`)
	}
	raw = m.Param(int(ParamArgument))
	if !hasStrings(raw, "name", "value") || Decode(raw, &p.Argument) != nil {
		return p, BadParam(raw, ParamArgument, "an object with the strings name and value")
	}
	if raw = m.Param(int(ParamContext)); raw != nil {
		p.Context = new(CompletionContext)
		if !isObject(raw) || Decode(raw, p.Context) != nil {
			return p, BadParam(raw, ParamContext, "an object whose arguments are strings")
		}
	}
	return p, nil
}

func (r *Reference) valid() bool {
	return (r.Type == RefPrompt && r.Name != "") || (r.Type == RefResource && r.URI != "")
}
