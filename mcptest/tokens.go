package mcptest

import (
	"strings"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// tokens are the last values of what a server makes anew in every run, by name.
type tokens map[string]string

// askName is the name of the id of a server's own request.
const askName = "ask"

// opaque names the members that only their server can read.
//
// server/utilities/pagination#response-format: a cursor is an opaque token.
// basic/patterns/mrtr#inputrequiredresult: so is the state of a request.
// 2025-11-25/client/elicitation#url-mode-elicitation-requests: and so is the id of a URL elicitation.
func opaque() []string { return []string{"nextCursor", "requestState", "elicitationId"} }

// name puts names in place of tokens, and notes the tokens.
func (t tokens) name(line string) string {
	if kind, id := kindOf([]byte(line)); kind == jsonrpc.Request {
		t[askName] = strings.Trim(id.Text(), `"`)
	}
	if ask, known := t[askName]; known {
		for _, member := range []string{"id", "requestId"} {
			line = strings.Replace(line, `"`+member+`":"`+ask+`"`, `"`+member+`":"${`+askName+`}"`, 1)
		}
	}
	for _, name := range opaque() {
		before, rest, found := strings.Cut(line, `"`+name+`":"`)
		if !found {
			continue
		}
		if token, after, closed := strings.Cut(rest, `"`); closed {
			t[name] = token
			line = before + `"` + name + `":"${` + name + `}"` + after
		}
	}
	return line
}

// fill puts the last tokens in place of their names.
func (t tokens) fill(line string) string {
	for name, token := range t {
		line = strings.ReplaceAll(line, "${"+name+"}", token)
	}
	return line
}
