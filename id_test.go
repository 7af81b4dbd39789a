package mcp_test

import (
	"strings"
	"testing"
)

func TestIDsComeBackAsTheTextThatTheyWere(t *testing.T) {
	k := talkTo(t, testServer(nil, echo))
	for _, id := range []string{
		`0`, `-1`, `9007199254740993`, `18446744073709551616`, `-123456789012345678901234567890`, `-0`,
		`""`, `"7"`, `"世界😀"`, `"\u4e16\u754c\ud83d\ude00"`, `"\"\\\/"`, `" "`, `"` + strings.Repeat("x", 1000) + `"`,
	} {
		wantReply(t, k.send(callEcho(id, "x")), said(id, "x"))
		wantError(t, k.send(modern(id, "nope", "")), id, -32601)
	}
}

func TestIDsThatCannotBeReadAreLeftOut(t *testing.T) {
	k := talkTo(t, testServer(nil, echo))
	for _, id := range []string{`null`, `true`, `1.0`, `1.5`, `1e3`, `1E3`, `-1.0`, `{}`, `[]`, `{"id":1}`} {
		wantError(t, k.send(callEcho(id, "x")), "", -32600, "id must be a string or an integer")
	}
}

func TestProgressTokensComeBackAsTheTextThatTheyWere(t *testing.T) {
	k := talkTo(t, testServer(nil, tool("step", step)))
	for _, token := range []string{`0`, `7`, `18446744073709551616`, `-3`, `""`, `"op-世界😀"`, `"7"`} {
		got := k.send(withToken("1", token, "step"))
		wantNotes(t, got, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`+token+`,"progress":1}}`)
	}
}
