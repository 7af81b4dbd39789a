package mcp_test

import (
	"context"
	"math"
	"testing"

	"github.com/bowline-go/mcp"
)

func step(ctx context.Context) (string, error) {
	mcp.Progress(ctx, 1, 0, "")
	return "stepped", nil
}

// withToken calls a tool and asks for its progress.
func withToken(id, token, name string) string {
	return request(id, "tools/call", `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":`+
		token+`},"name":"`+name+`"`)
}

func progressNote(members string) string {
	return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"世",` + members + `}}`
}

func TestProgressIncreasesOrIsNotSent(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	cases := []struct {
		rule   string
		report func(ctx context.Context)
		want   []string
	}{
		{"a value, a total and a text", func(ctx context.Context) { mcp.Progress(ctx, 1, 4, "half 世界😀") }, []string{progressNote(`"progress":1,"total":4,"message":"half 世界😀"`)}},
		{"an unknown total is left out", func(ctx context.Context) { mcp.Progress(ctx, 1, 0, "") }, []string{progressNote(`"progress":1`)}},
		{"a negative total is unknown", func(ctx context.Context) { mcp.Progress(ctx, 1, -1, "") }, []string{progressNote(`"progress":1`)}},
		{"fractions stay plain numbers", func(ctx context.Context) { mcp.Progress(ctx, 0.5, 1.5, "") }, []string{progressNote(`"progress":0.5,"total":1.5`)}},
		{"the first value may be below zero", func(ctx context.Context) { mcp.Progress(ctx, -2, 0, "") }, []string{progressNote(`"progress":-2`)}},
		{"what does not increase is dropped", func(ctx context.Context) {
			for _, value := range []float64{1, 1, 0.5, 2, 1.9, 3} {
				mcp.Progress(ctx, value, 0, "")
			}
		}, []string{progressNote(`"progress":1`), progressNote(`"progress":2`), progressNote(`"progress":3`)}},
		{"what is no number is dropped and changes nothing", func(ctx context.Context) {
			mcp.Progress(ctx, nan, 0, "")
			mcp.Progress(ctx, inf, 0, "")
			mcp.Progress(ctx, -inf, 0, "")
			mcp.Progress(ctx, 1, nan, "")
			mcp.Progress(ctx, 1, inf, "")
			mcp.Progress(ctx, 1, 0, "")
		}, []string{progressNote(`"progress":1`)}},
		{"bytes that are no UTF-8 are replaced", func(ctx context.Context) { mcp.Progress(ctx, 1, 0, "\xff世") }, []string{progressNote(`"progress":1,"message":"�世"`)}},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			k := talkTo(t, testServer(nil, tool("step", func(ctx context.Context) (string, error) {
				c.report(ctx)
				return "stepped", nil
			})))
			got := k.send(withToken("1", `"世"`, "step"))
			wantNotes(t, got, c.want...)
			wantReply(t, got, said("1", "stepped"))
		})
	}
}

func TestProgressNeedsAToken(t *testing.T) {
	k := talkTo(t, testServer(nil, tool("step", step)))
	wantNotes(t, k.send(callTool("1", "step")))
	mcp.Progress(context.Background(), 1, 2, "outside of a request it is a no-op")
}

func TestProgressInTheDialectOfTheRevision(t *testing.T) {
	server := testServer(nil, tool("step", func(ctx context.Context) (string, error) {
		mcp.Progress(ctx, 1, 2, "世界")
		return "stepped", nil
	}))
	for revision, want := range map[string]string{
		"2024-11-05": progressNote(`"progress":1,"total":2`),
		"2025-03-26": progressNote(`"progress":1,"total":2,"message":"世界"`),
		"2025-06-18": progressNote(`"progress":1,"total":2,"message":"世界"`),
		"2025-11-25": progressNote(`"progress":1,"total":2,"message":"世界"`),
	} {
		k := legacyTalk(t, server, revision)
		wantNotes(t, k.send(request("1", "tools/call", `"_meta":{"progressToken":"世"},"name":"step"`)), want)
		wantError(t, k.send(request("2", "tools/call", `"_meta":{"progressToken":1.5},"name":"step"`)), "2", -32602, "progressToken")
	}
}

func TestNothingIsSentAfterTheReply(t *testing.T) {
	var kept context.Context
	k := talkTo(t, testServer(nil, tool("keep", func(ctx context.Context) (string, error) {
		kept = ctx
		return "kept", nil
	})))
	got := k.send(request("1", "tools/call", `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},`+
		`"io.modelcontextprotocol/logLevel":"debug","progressToken":1},"name":"keep"`))
	mcp.Progress(kept, 1, 2, "late")
	mcp.Logger(kept).Info("late")
	if len(got.late)+len(got.notes) > 0 {
		t.Errorf("sent %q %q", got.notes, got.late)
	}
}

func TestAClientThatIsGoneEndsTheCall(t *testing.T) {
	var ended error
	session := connect(t, testServer(nil, tool("step", func(ctx context.Context) (string, error) {
		mcp.Progress(ctx, 1, 0, "")
		mcp.Progress(ctx, 2, 0, "")
		ended = ctx.Err()
		return "stepped", nil
	})))
	sink := &tape{broke: true}
	session.Handle(t.Context(), []byte(withToken("1", "1", "step")), sink)
	if len(sink.notes) != 1 || sink.replies != 0 || ended == nil {
		t.Errorf("after a failed notification: %q, %d replies, the context says %v", sink.notes, sink.replies, ended)
	}
}
