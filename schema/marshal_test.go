package schema_test

import (
	"encoding/json"
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/bowline-go/mcp/schema"
)

type (
	results struct {
		Text   string            `json:"text"`
		List   []string          `json:"list"`
		Pairs  []*[2]uint8       `json:"pairs"`
		Map    map[string]*int32 `json:"map"`
		Bytes  []byte            `json:"bytes"`
		Digest [3]byte           `json:"digest"`
		Ptr    *float64          `json:"ptr"`
		Inner  *resultsInner     `json:"inner"`
		Short  []int             `json:"short,omitempty"`
		None   *bool             `json:"none,omitzero"`
		Level  level             `json:"level"`
		Keyed  map[string]level  `json:"keyed"`
		*Promoted
	}
	resultsInner struct {
		Self  *results `json:"self,omitempty"`
		Count uint64
	}
	Promoted struct {
		More string `json:"more"`
	}
)

func TestWhatIsEncodedSatisfiesTheInferredSchema(t *testing.T) {
	c := compiled(t, schema.For[results](), schema.Output)
	if !c.Infallible() {
		t.Fatal("the type is not infallible")
	}
	check := func(v results) bool {
		text, err := jsonv2.Marshal(v)
		if err != nil {
			t.Errorf("marshal: %v", err)
			return false
		}
		if err := c.Validate(text); err != nil {
			t.Errorf("%s: %v", text, err)
			return false
		}
		return true
	}
	if !check(results{}) {
		return
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 100, Rand: rand.New(rand.NewSource(1))}); err != nil {
		t.Error(err)
	}
	for _, v := range []any{time.Time{}, embedding{}, embeddingPointer{}, node{}, forest{nil, {}}, []any{nil, 1.5}, map[string]json.RawMessage{"a": nil}, [0]int{}, (*int)(nil), secret{}} {
		text, err := jsonv2.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled(t, schema.Of(reflect.TypeOf(v)), schema.Output).Validate(text); err != nil {
			t.Errorf("%T: %s: %v", v, text, err)
		}
	}
}

func TestDecodeUndoesMarshal(t *testing.T) {
	c := compiled(t, schema.For[fuzzed](), schema.Input)
	check := func(text string, flag bool, n int64, u uint8, f float64, list []string, pair [2]bool, data []byte, m map[string]float32) bool {
		want := fuzzed{Text: text, Flag: flag, N: n, U: u, F: f, List: list, Pair: pair, Data: data, Map: m}
		encoded, err := jsonv2.Marshal(map[string]any{"text": text, "flag": flag, "n": n, "u": u, "f": f, "list": list, "pair": pair, "data": data, "map": m})
		if err != nil {
			return true // not UTF-8
		}
		var got fuzzed
		if err := c.Decode(encoded, &got); err != nil {
			t.Errorf("%s: %v", encoded, err)
			return false
		}
		if len(list) == 0 {
			want.List = got.List
		}
		if len(data) == 0 {
			want.Data = got.Data
		}
		return reflect.DeepEqual(got, want)
	}
	if err := quick.Check(check, &quick.Config{Rand: rand.New(rand.NewSource(1))}); err != nil {
		t.Error(err)
	}
}
