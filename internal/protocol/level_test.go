package protocol_test

import (
	"slices"
	"testing"

	"github.com/bowline-go/mcp/internal/protocol"
)

func TestLevelsRiseInTheOrderOfTheSchema(t *testing.T) {
	want := []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
	var got []string
	for l := protocol.LevelDebug; l <= protocol.LevelEmergency; l++ {
		got = append(got, l.String())
		parsed, ok := protocol.ParseLevel(l.String())
		if !ok || parsed != l {
			t.Errorf("%v does not come back", l)
		}
		if raw, ok := protocol.LevelFromJSON([]byte(`"` + l.String() + `"`)); !ok || raw != l {
			t.Errorf("%v does not come back from JSON", l)
		}
		if !l.Passes(protocol.LevelDebug) || l.Passes(protocol.LevelNone) || l.Passes(l+1) || !l.Passes(l) {
			t.Errorf("%v passes wrongly", l)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("levels are %v, want %v", got, want)
	}
}

func TestUnknownLevelsAreRefused(t *testing.T) {
	for _, name := range []string{"", "INFO", "Info", "warn", "info ", "世界"} {
		if l, ok := protocol.ParseLevel(name); ok || l != protocol.LevelNone {
			t.Errorf("ParseLevel(%q) = %v", name, l)
		}
		if l, ok := protocol.LevelFromJSON([]byte(`"` + name + `"`)); ok || l != protocol.LevelNone {
			t.Errorf("LevelFromJSON(%q) = %v", name, l)
		}
	}
	for _, raw := range []string{``, `"`, `null`, `1`, `{}`, `"info`, `info`} {
		if l, ok := protocol.LevelFromJSON([]byte(raw)); ok {
			t.Errorf("LevelFromJSON(%s) = %v", raw, l)
		}
	}
	if l, ok := protocol.LevelFromJSON([]byte(`"\u0069nfo"`)); !ok || l != protocol.LevelInfo {
		t.Error("an escaped spelling is the same name")
	}
	if protocol.Level(200).String() != "" || protocol.LevelNone.String() != "" || protocol.Level(200).Passes(protocol.LevelDebug) || protocol.LevelNone.Passes(protocol.LevelDebug) {
		t.Error("a number that is no level has a name or passes")
	}
}
