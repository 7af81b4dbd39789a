package protocol_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/bowline-go/mcp/internal/protocol"
)

// The unions at the end of each schema.ts, tasks left out.
var (
	commonRequests = []string{
		"completion/complete", "prompts/get", "prompts/list", "resources/list", "resources/templates/list",
		"resources/read", "tools/call", "tools/list",
	}
	legacyRequests      = append([]string{"ping", "initialize", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"}, commonRequests...)
	modernRequests      = append([]string{"server/discover", "subscriptions/listen"}, commonRequests...)
	legacyNotifications = []string{"notifications/cancelled", "notifications/progress", "notifications/initialized", "notifications/roots/list_changed"}
	serverNotifications = []string{
		"notifications/cancelled", "notifications/progress", "notifications/message", "notifications/resources/updated",
		"notifications/resources/list_changed", "notifications/tools/list_changed", "notifications/prompts/list_changed",
	}
	oldAsks = []string{"ping", "sampling/createMessage", "roots/list"}
)

func join(lists ...[]string) []string { return slices.Sorted(slices.Values(slices.Concat(lists...))) }

func TestMethodTableHasTheUnionsOfTheSchemas(t *testing.T) {
	in := map[string][]string{ // ClientRequest and ClientNotification
		"2024-11-05": join(legacyRequests, legacyNotifications),
		"2025-03-26": join(legacyRequests, legacyNotifications),
		"2025-06-18": join(legacyRequests, legacyNotifications),
		"2025-11-25": join(legacyRequests, legacyNotifications),
		"2026-07-28": join(modernRequests, []string{"notifications/cancelled"}),
	}
	out := map[string][]string{ // ServerRequest and ServerNotification
		"2024-11-05": join(oldAsks, serverNotifications),
		"2025-03-26": join(oldAsks, serverNotifications),
		"2025-06-18": join(oldAsks, []string{"elicitation/create"}, serverNotifications),
		"2025-11-25": join(oldAsks, []string{"elicitation/create", "notifications/elicitation/complete"}, serverNotifications),
		"2026-07-28": join([]string{"notifications/subscriptions/acknowledged"}, serverNotifications),
	}
	for r := range protocol.Revisions() {
		var gotIn, gotOut []string
		for m := range protocol.Methods() {
			if m.ServedBy(r) {
				gotIn = append(gotIn, m.Name)
			}
			if m.SentBy(r) {
				gotOut = append(gotOut, m.Name)
			}
		}
		if want := in[r.Name]; !slices.Equal(join(gotIn), want) {
			t.Errorf("%s: clients send %v, want %v", r.Name, join(gotIn), want)
		}
		if want := out[r.Name]; !slices.Equal(join(gotOut), want) {
			t.Errorf("%s: servers send %v, want %v", r.Name, join(gotOut), want)
		}
	}
}

func TestMethodProperties(t *testing.T) {
	sets := map[string]struct {
		has  func(*protocol.Method) bool
		want []string
	}{
		"basic/patterns/mrtr#supported-requests": {
			func(m *protocol.Method) bool { return m.MayAsk },
			[]string{"prompts/get", "resources/read", "tools/call"},
		},
		"streamable-http#standard-request-headers, params.name": {
			func(m *protocol.Method) bool { return m.NamedBy == protocol.ParamName },
			[]string{"tools/call", "prompts/get"},
		},
		"streamable-http#standard-request-headers, params.uri": {
			func(m *protocol.Method) bool { return m.NamedBy == protocol.ParamURI },
			[]string{"resources/read"},
		},
		"needs completions": {
			func(m *protocol.Method) bool { return m.Needs == protocol.NeedsCompletions },
			[]string{"completion/complete"},
		},
		"needs nothing of the server": {
			func(m *protocol.Method) bool {
				return m.Needs == protocol.NeedsNothing && !m.Notification && m.In != (protocol.Eras{})
			},
			[]string{"server/discover", "initialize", "ping"},
		},
	}
	for _, rule := range slices.Sorted(maps.Keys(sets)) {
		var got []string
		for m := range protocol.Methods() {
			if sets[rule].has(m) {
				got = append(got, m.Name)
			}
		}
		if !slices.Equal(join(got), join(sets[rule].want)) {
			t.Errorf("%s: %v, want %v", rule, got, sets[rule].want)
		}
	}
}

func TestMethodNamedFindsEveryRowAndNothingElse(t *testing.T) {
	count := 0
	for m := range protocol.Methods() {
		if protocol.MethodNamed([]byte(m.Name)) != m || protocol.MethodOf(m.ID) != m || int(m.ID) != count {
			t.Errorf("%s is not found by its name, id or place", m.Name)
		}
		if isNotification := len(m.Name) > 14 && m.Name[:14] == "notifications/"; isNotification != m.Notification {
			t.Errorf("%s: Notification is %v", m.Name, m.Notification)
		}
		count++
	}
	for _, name := range []string{"", "tools/Call", "tools/call ", "tasks/get", "世界", "x"} {
		if m := protocol.MethodNamed([]byte(name)); m != nil {
			t.Errorf("MethodNamed(%q) = %s", name, m.Name)
		}
	}
	if protocol.MethodOf(protocol.MethodID(count)) != nil {
		t.Error("MethodOf finds a row behind the table")
	}
	var none *protocol.Method
	if none.ServedBy(protocol.Modern()) || none.SentBy(protocol.Modern()) {
		t.Error("an unknown method is served")
	}
	for range protocol.Methods() {
		break
	}
}

func TestMethodNamedDoesNotAllocate(t *testing.T) {
	name := []byte("notifications/elicitation/complete")
	if n := testing.AllocsPerRun(100, func() { protocol.MethodNamed(name) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkMethodNamed(b *testing.B) {
	name := []byte("tools/call")
	b.ReportAllocs()
	for b.Loop() {
		protocol.MethodNamed(name)
	}
}
