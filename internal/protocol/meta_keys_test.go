package protocol_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/protocol"
)

func TestMetaKeysFollowTheNamingRules(t *testing.T) {
	// basic/index#meta gives these prefixes as reserved and as free.
	for _, key := range []string{"a", "A.b-c_9", "example.com/owner", "com.example.mcp/x", "a-b.c/", "traceparent", ""} {
		if err := protocol.CheckMeta([]byte(`{"` + key + `":1}`)); err != nil {
			t.Errorf("%q is refused: %v", key, err)
		}
	}
	for key, text := range map[string]string{
		"io.modelcontextprotocol/serverInfo": "reserved", "dev.mcp/x": "reserved",
		"org.modelcontextprotocol.api/x": "reserved", "com.mcp.tools/x": "reserved",
		"9a/x": "label", "a-/x": "label", "a..b/x": "label", "/x": "label", "世界/x": "label",
		"-a": "name", "a.": "name", "世界😀": "name", "a/b/c": "name", "a b": "name",
	} {
		if err := protocol.CheckMeta([]byte(`{"` + key + `":1}`)); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v, want … %s …", key, err, text)
		}
	}
}

func TestMetaOfADefinitionIsAnObjectOrNothing(t *testing.T) {
	if err := protocol.CheckMeta(nil); err != nil {
		t.Errorf("nothing: %v", err)
	}
	for _, raw := range []string{``, `null`, `[]`, `7`, `{`, `{"a":1,"a":2}`} {
		if err := protocol.CheckMeta([]byte(raw)); err == nil {
			t.Errorf("%q passes", raw)
		}
	}
}

func TestMistakesInMetaKeysComeAllAndInOrder(t *testing.T) {
	err := protocol.CheckMeta([]byte(`{"c c":1,"ok":1,"b b":1,"a a":1}`))
	if err == nil {
		t.Fatal("passes")
	}
	a, b, c := strings.Index(err.Error(), `"a a"`), strings.Index(err.Error(), `"b b"`), strings.Index(err.Error(), `"c c"`)
	if a < 0 || b < a || c < b {
		t.Errorf("got %v", err)
	}
}

func TestMetaMemberFindsKeysOfTheProtocolAndOfVendors(t *testing.T) {
	m := decode(t, request("x", `{"_meta":{"traceparent":"00-世界","example.com/\u4e16":{"a":1},"x":null}}`))
	for key, want := range map[string]string{
		protocol.KeyTraceparent: `"00-世界"`, "example.com/世": `{"a":1}`, "x": "null", protocol.KeyBaggage: "", "a": "", "": "",
	} {
		if got := string(protocol.MetaMember(m, key)); got != want {
			t.Errorf("%q is %s, want %s", key, got, want)
		}
	}
	if got := protocol.MetaMember(decode(t, request("x", `{}`)), "x"); got != nil {
		t.Errorf("without _meta: %s", got)
	}
}
