package mcp_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
)

// FuzzHandle gives a session any bytes: it never panics, answers at most once, and what it says is one line of JSON.
func FuzzHandle(f *testing.F) {
	for _, seed := range seedMessages(f) {
		f.Add([]byte(seed), uint8(0))
		f.Add([]byte(seed), uint8(1))
		f.Add([]byte(seed), uint8(2))
	}
	dynamic := &mcp.Options{Dynamic: true, ResourceUpdates: true, PageSize: 2}
	server := testServer(dynamic, echo, tool("step", step), tool("log", logs), fixed("x://a", "A"), template("t://{name}", nameIs("")), prompt("greet", greetTo))
	f.Fuzz(func(t *testing.T, message []byte, kind uint8) {
		k := talkTo(t, server)
		switch kind % 3 {
		case 1:
			k = legacyTalk(t, server, "2025-03-26")
		case 2:
			k = sharedTalk(t, server, modernHeaders("tools/call", "echo"))
		}
		sink := &tape{}
		call, err := k.session.Admit(t.Context(), message, sink, k.headers)
		if call == nil {
			if err == nil && sink.replies > 0 {
				t.Fatalf("no call, and an answer: %s", sink.reply)
			}
			return
		}
		open := call.Serve()
		if sink.replies > 1 || len(sink.late) > 0 || open && sink.replies > 0 {
			t.Fatalf("%d replies, open %v, after them %q", sink.replies, open, sink.late)
		}
		for _, said := range append(sink.notes, sink.reply) {
			if said != "" && (!json.Valid([]byte(said)) || strings.ContainsAny(said, "\n\r")) {
				t.Fatalf("said %q", said)
			}
		}
		if open {
			call.Cancel()
		}
		wantReply(t, (&talk{t: t, session: k.session, ctx: t.Context()}).send(callEcho(`"after it"`, "世界")), said(`"after it"`, "世界"))
	})
}

// seedMessages are what the transcripts send, and messages that are none.
func seedMessages(tb testing.TB) []string {
	tb.Helper()
	seeds := []string{``, `{`, `[]`, `[[]]`, `null`, `{"jsonrpc":"2.0"}`, callEcho("1", "x"), listenTo("1", `"toolsListChanged":true`), "\xef\xbb\xbf{}"}
	paths, err := filepath.Glob(filepath.Join(transcripts, "*", "*.txt"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			if message, sent := bytes.CutPrefix(bytes.TrimSpace(line), []byte("-> ")); sent && len(seeds) < 400 {
				seeds = append(seeds, string(message))
			}
		}
	}
	return seeds
}

// FuzzArguments gives a typed tool any arguments: they are taken or told to be wrong, in band, and never anything else.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{`{}`, `{"text":"世界😀"}`, `{"text":"","count":4.0}`, `{"text":"","big":18446744073709551616}`, `{"text":7,"inner":{}}`, `[]`, `null`} {
		f.Add([]byte(seed))
	}
	server := testServer(nil, showArgs(true))
	f.Fuzz(func(t *testing.T, arguments []byte) {
		message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + plainMeta + `,"name":"show","arguments":` + string(arguments) + `}}`
		got := talkTo(t, server).send(message)
		if got.replies != 1 || !json.Valid([]byte(got.reply)) {
			t.Fatalf("%d replies: %s", got.replies, got.reply)
		}
		if got.err != nil && got.err.Code != -32602 && got.err.Code != -32700 && got.err.Code != -32600 && got.err.Code != -32601 && got.err.Code != -32022 {
			t.Fatalf("code %d: %s", got.err.Code, got.reply)
		}
	})
}
