package protocol_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/bowline-go/mcp/internal/jsonrpc"
	"github.com/bowline-go/mcp/internal/protocol"
)

func TestProgressParams(t *testing.T) {
	total := 1.0
	p := protocol.ProgressParams{Token: json.RawMessage(`"世界"`), Progress: 0.5, Total: &total, Message: "halb 😀"}
	if got, want := string(p.AppendTo(nil, protocol.Modern())), `{"progressToken":"世界","progress":0.5,"total":1,"message":"halb 😀"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string(p.AppendTo(nil, protocol.Lookup(names[0]))), `{"progressToken":"世界","progress":0.5,"total":1}`; got != want {
		t.Errorf("the oldest revision has no message: %s, want %s", got, want)
	}
	for _, value := range []float64{0, 1, 42, 0.1, 1e-7, 1e21, 123456789.125, -3, math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53} {
		line := (&protocol.ProgressParams{Token: json.RawMessage(`1`), Progress: value}).AppendTo(nil, protocol.Modern())
		var back protocol.ProgressParams
		if err := protocol.Decode(line, &back); err != nil || back.Progress != value {
			t.Errorf("%v travels as %s and comes back as %v, %v", value, line, back.Progress, err)
		}
	}
}

func TestLogAndCancelledParams(t *testing.T) {
	log := protocol.LogParams{Level: "error", Logger: "db", Data: json.RawMessage(`{"e":"世界😀"}`)}
	if got, want := string(log.AppendTo(nil)), `{"level":"error","logger":"db","data":{"e":"世界😀"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := string((&protocol.LogParams{Level: "info"}).AppendTo(nil)), `{"level":"info","data":null}`; got != want {
		t.Errorf("data is always there: %s, want %s", got, want)
	}
	cancelled := protocol.CancelledParams{RequestID: json.RawMessage(`7`), Reason: "世界"}
	if got, want := string(cancelled.AppendTo(nil)), `{"requestId":7,"reason":"世界"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSubscriptionMessagesCarryTheIDWithItsType(t *testing.T) {
	number, text, none := jsonrpc.IDFromText(`1`), jsonrpc.IDFromText(`"世界"`), jsonrpc.ID{}
	filter := protocol.SubscriptionFilter{ToolsListChanged: true, PromptsListChanged: true, ResourcesListChanged: true, ResourceSubscriptions: []string{"a://😀", "b"}}
	for got, want := range map[string]string{
		string(protocol.AppendAcknowledged(nil, number, filter)):                             `{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["a://😀","b"]}}`,
		string(protocol.AppendAcknowledged(nil, text, protocol.SubscriptionFilter{})):        `{"_meta":{"io.modelcontextprotocol/subscriptionId":"世界"},"notifications":{}}`,
		string(protocol.AppendListChanged(nil, text)):                                        `{"_meta":{"io.modelcontextprotocol/subscriptionId":"世界"}}`,
		string(protocol.AppendListChanged(nil, none)):                                        ``,
		string(protocol.AppendUpdated(nil, number, "a://世界")):                                `{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"uri":"a://世界"}`,
		string(protocol.AppendUpdated(nil, none, "a://世界")):                                  `{"uri":"a://世界"}`,
		string(protocol.AppendSubscriptionMeta(nil, jsonrpc.IDFromNumber(9007199254740993))): `{"io.modelcontextprotocol/subscriptionId":9007199254740993}`,
	} {
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestOnlySupportedSubscriptionsAreHonoured(t *testing.T) {
	all := protocol.SubscriptionFilter{ToolsListChanged: true, PromptsListChanged: true, ResourcesListChanged: true, ResourceSubscriptions: []string{"a"}}
	if got := encoded(t, all.Honoured(&protocol.ServerCapabilities{ToolsListChanged: true})); got != `{"toolsListChanged":true}` {
		t.Errorf("lists only: %s", got)
	}
	if got := encoded(t, all.Honoured(&protocol.ServerCapabilities{ResourcesSubscribe: true})); got != `{"resourceSubscriptions":["a"]}` {
		t.Errorf("updates only: %s", got)
	}
}

func BenchmarkProgressParams(b *testing.B) {
	total := 10.0
	p := protocol.ProgressParams{Token: json.RawMessage(`7`), Progress: 3, Total: &total, Message: "working"}
	dst := make([]byte, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		p.AppendTo(dst, protocol.Modern())
	}
}
