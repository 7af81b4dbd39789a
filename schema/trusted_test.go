package schema_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/bowline-go/mcp/schema"
)

func trustingOf[T any](t testing.TB) *schema.Compiled {
	t.Helper()
	c, err := schema.For[T]().Compile(schema.CompileOptions{Role: schema.Input, Trusted: true})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// sameWhenTrusted holds a schema that trusts its values to one that does not. Of text that is no JSON it may say
// anything, but it must not panic.
func sameWhenTrusted(t *testing.T, strict, trusting *schema.Compiled, args []byte) {
	t.Helper()
	var want, got fuzzed
	wantErr, gotErr := strict.Decode(args, &want), trusting.Decode(args, &got)
	wantText, _ := strict.Complete(args)
	gotText, _ := trusting.Complete(args)
	if !jsontext.Value(args).IsValid(jsontext.AllowDuplicateNames(true)) {
		return
	}
	if !reflect.DeepEqual(wantErr, gotErr) || wantErr == nil && !reflect.DeepEqual(want, got) || string(wantText) != string(gotText) {
		t.Errorf("%s:\ntrusted %+v, %v, %s\n strict %+v, %v, %s", args, got, gotErr, gotText, want, wantErr, wantText)
	}
}

func TestTrustedValuesAreReadAsOthersAre(t *testing.T) {
	strict, trusting := compiled(t, schema.For[fuzzed](), schema.Input), trustingOf[fuzzed](t)
	for _, text := range []string{
		`{}`, `{"text":"世界😀"}`, `{"text":"\"a\\\"b\\\\"}`, `{"te\u0078t":"\ud83d\ude00\n"}`, `{"list":["\\","\"","世\u4e16"]}`,
		`{"text":` + strings.Repeat(`{"text":"\"}"},`, 3), `{"text":"` + strings.Repeat(`{\"a\":\"\\n\"}`, 500) + `"}`,
		`{"text":7}`, `{"none":"a"}`, `{"text":"a","text":"b"}`, `{"n":01}`, `{"n":1} x`,
	} {
		for cut := range len(text) + 1 {
			if cut < 200 || cut == len(text) {
				sameWhenTrusted(t, strict, trusting, []byte(text[:cut]))
			}
		}
	}
}

func TestOnlyStringsAreTrusted(t *testing.T) {
	trusting := trustingOf[fuzzed](t)
	for _, text := range []string{``, `{"n":1`, `{"n":01}`, `{"n":}`, `{"text":"a"`, `{"text":"a}`, `{"flag":yes}`, `{} {}`, strings.Repeat(`[`, 600)} {
		var into fuzzed
		if err := trusting.Decode([]byte(text), &into); err == nil && text != "" {
			t.Errorf("%.20s was accepted as %+v", text, into)
		}
	}
}

func TestTrustedTextIsNotReadTwice(t *testing.T) {
	text, err := json.Marshal(echoIn{strings.Repeat("a \"b\" 世\n", 1000)})
	if err != nil {
		t.Fatal(err)
	}
	trusting := trustingOf[echoIn](t)
	var into echoIn
	if n := testing.AllocsPerRun(100, func() { err = trusting.Decode(text, &into) }); n != 1 || err != nil {
		t.Errorf("%v allocations, want that of the string; %v", n, err)
	}
}
