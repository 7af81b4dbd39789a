package mcp_test

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp"
)

// logs says one thing at every level.
func logs(ctx context.Context) (string, error) {
	log := mcp.Logger(ctx)
	for _, level := range []slog.Level{
		slog.LevelDebug, slog.LevelInfo, mcp.LevelNotice, slog.LevelWarn, slog.LevelError,
		mcp.LevelCritical, mcp.LevelAlert, mcp.LevelEmergency,
	} {
		log.Log(ctx, level, "世界😀")
	}
	return "logged", nil
}

var levelNames = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

func logNote(level, data string) string {
	return `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"` + level + `","data":` + data + `}}`
}

func withLogLevel(level string) string {
	return `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"` + level + `"}`
}

func wantNotes(t *testing.T, got *tape, want ...string) {
	t.Helper()
	if len(got.notes) != len(want) {
		t.Fatalf("got %d notifications %q, want %d", len(got.notes), got.notes, len(want))
	}
	for i := range want {
		if got.notes[i] != want[i] {
			t.Errorf("got  %s\nwant %s", got.notes[i], want[i])
		}
	}
}

func TestAClientHearsFromItsLevelUp(t *testing.T) {
	server := testServer(nil, tool("log", logs))
	for i, level := range levelNames {
		var want []string
		for _, passing := range levelNames[i:] {
			want = append(want, logNote(passing, `{"message":"世界😀"}`))
		}
		t.Run("modern "+level, func(t *testing.T) {
			got := talkTo(t, server).send(request("1", "tools/call", withLogLevel(level)+`,"name":"log"`))
			wantNotes(t, got, want...)
			wantReply(t, got, said("1", "logged"))
		})
		t.Run("legacy "+level, func(t *testing.T) {
			k := legacyTalk(t, server, "2025-06-18")
			wantReply(t, k.send(request("1", "logging/setLevel", `"level":"`+level+`"`)), answered("1", ""))
			wantNotes(t, k.send(request("2", "tools/call", `"name":"log"`)), want...)
		})
	}
}

func TestWithoutOptInNothingIsLogged(t *testing.T) {
	server := testServer(nil, tool("log", logs))
	k := talkTo(t, server)
	wantNotes(t, k.send(callTool("1", "log")))
	k.send(request("1", "tools/call", withLogLevel("debug")+`,"name":"log"`))
	wantNotes(t, k.send(callTool("2", "log"))) // the level is that of one request
	off := testServer(&mcp.Options{DisableLogging: true}, tool("log", logs))
	wantNotes(t, talkTo(t, off).send(request("1", "tools/call", withLogLevel("debug")+`,"name":"log"`)))
	wantNotes(t, legacyTalk(t, off, "2025-11-25").send(request("1", "tools/call", `"name":"log"`)))
}

func TestALegacyClientHearsInfoUntilItSaysOtherwise(t *testing.T) {
	k := legacyTalk(t, testServer(nil, tool("log", logs)), "2024-11-05")
	if got := k.send(request("1", "tools/call", `"name":"log"`)); len(got.notes) != 7 || strings.Contains(got.notes[0], "debug") {
		t.Errorf("got %q", got.notes)
	}
	for _, level := range []string{`"Info"`, `"trace"`, `7`, `null`, `""`} {
		wantError(t, k.send(request("2", "logging/setLevel", `"level":`+level)), "2", -32602, "debug, info, notice")
	}
	wantError(t, k.send(request("2", "logging/setLevel", "")), "2", -32602, "missing level")
	if got := k.send(request("3", "tools/call", `"name":"log"`)); len(got.notes) != 7 {
		t.Errorf("a refused level was taken: %q", got.notes)
	}
}

type secret struct{}

func (secret) LogValue() slog.Value { return slog.StringValue("hidden 世界") }

func TestMessageAndAttributesBecomeOneObject(t *testing.T) {
	at := time.Date(2026, 7, 28, 1, 2, 3, 0, time.UTC)
	cases := []struct {
		rule string
		log  func(l *slog.Logger)
		data string // "": nothing is sent
	}{
		{"a message alone", func(l *slog.Logger) { l.Info("世界😀") }, `{"message":"世界😀"}`},
		{"attributes are members, in one order", func(l *slog.Logger) { l.Info("m", "b", 2, "a", "世界😀") }, `{"a":"世界😀","b":2,"message":"m"}`},
		{"a group is an object", func(l *slog.Logger) { l.Info("m", slog.Group("g", "x", 1, slog.Group("h", "y", 2))) }, `{"g":{"h":{"y":2},"x":1},"message":"m"}`},
		{"a group without a name is inlined", func(l *slog.Logger) { l.Info("m", slog.Group("", "x", 1)) }, `{"message":"m","x":1}`},
		{"a group without members is left out", func(l *slog.Logger) { l.Info("m", slog.Group("g")) }, `{"message":"m"}`},
		{"WithGroup holds what follows", func(l *slog.Logger) { l.With("a", 1).WithGroup("g").With("b", 2).Info("m", "c", 3) }, `{"a":1,"g":{"b":2,"c":3},"message":"m"}`},
		{"WithGroup without attributes is left out", func(l *slog.Logger) { l.WithGroup("g").Info("m") }, `{"message":"m"}`},
		{"WithGroup of no name changes nothing", func(l *slog.Logger) { l.WithGroup("").Info("m", "a", 1) }, `{"a":1,"message":"m"}`},
		{"nested groups share their object", func(l *slog.Logger) { l.WithGroup("g").With("a", 1).Info("m", slog.Group("h", "b", 2)) }, `{"g":{"a":1,"h":{"b":2}},"message":"m"}`},
		{"an empty attribute is left out", func(l *slog.Logger) { l.LogAttrs(context.Background(), slog.LevelInfo, "m", slog.Attr{}) }, `{"message":"m"}`},
		{"the message cannot be replaced", func(l *slog.Logger) { l.Info("m", "message", "forged") }, `{"message":"m"}`},
		{"an error is its text", func(l *slog.Logger) { l.Info("m", "err", errors.New("no 世界")) }, `{"err":"no 世界","message":"m"}`},
		{"a duration is its text", func(l *slog.Logger) { l.Info("m", "took", 1500*time.Millisecond) }, `{"message":"m","took":"1.5s"}`},
		{"a time is RFC 3339", func(l *slog.Logger) { l.Info("m", "at", at) }, `{"at":"2026-07-28T01:02:03Z","message":"m"}`},
		{"a LogValuer says what is logged", func(l *slog.Logger) { l.Info("m", "s", secret{}) }, `{"message":"m","s":"hidden 世界"}`},
		{"a large integer is exact", func(l *slog.Logger) { l.Info("m", "n", uint64(math.MaxUint64)) }, `{"message":"m","n":18446744073709551615}`},
		{"what JSON has no form for is text", func(l *slog.Logger) { l.Info("m", "c", complex(1, 2)) }, `{"c":"(1+2i)","message":"m"}`},
		{"a number that JSON has no form for is text", func(l *slog.Logger) { l.Info("m", "f", math.NaN()) }, `{"f":"NaN","message":"m"}`},
		{"bytes that are no UTF-8 are replaced", func(l *slog.Logger) { l.Info("m\xff", "t", "世\xff") }, `{"message":"m�","t":"世�"}`},
		{"levels between names count as the lower", func(l *slog.Logger) { l.Log(context.Background(), slog.LevelInfo+1, "m") }, `{"message":"m"}`},
		{"below the level nothing is sent", func(l *slog.Logger) { l.Debug("m") }, ""},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			server := testServer(nil, tool("log", func(ctx context.Context) (string, error) {
				c.log(mcp.Logger(ctx))
				return "logged", nil
			}))
			got := talkTo(t, server).send(request("1", "tools/call", withLogLevel("info")+`,"name":"log"`))
			if c.data == "" {
				wantNotes(t, got)
				return
			}
			wantNotes(t, got, logNote("info", c.data))
		})
	}
}
