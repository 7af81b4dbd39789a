package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bowline-go/mcp/schema"
)

type searchIn struct {
	Query  string `json:"query" doc:"What to look for" minLength:"1"`
	Filter struct {
		Kind  string   `json:"kind" enum:"file,folder"`
		Tags  []string `json:"tags"`
		Since string   `json:"since,omitempty" format:"date"`
	} `json:"filter"`
	Page struct {
		Limit  int `json:"limit" min:"1" max:"100" default:"20"`
		Offset int `json:"offset" min:"0" default:"0"`
	} `json:"page"`
}

const searchArgs = `{"query":"quarterly 世界","filter":{"kind":"file","tags":["a","bc","def"],"since":"2026-07-28"},"page":{"limit":50}}`

func benchmarkDecode[T any](b *testing.B, args string) {
	c := compiled(b, schema.For[T](), schema.Input)
	text := []byte(args)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var v T
		if err := c.Decode(text, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeAdd(b *testing.B) { benchmarkDecode[addIn](b, `{"a":1234567,"b":1000003}`) }

func BenchmarkDecodeNested(b *testing.B) { benchmarkDecode[searchIn](b, searchArgs) }

func BenchmarkDecodeText64KiB(b *testing.B) {
	benchmarkDecode[echoIn](b, `{"text":"`+strings.Repeat("x", 64<<10)+`"}`)
}

func BenchmarkDecodeEscapedText64KiB(b *testing.B) {
	benchmarkDecode[echoIn](b, `{"text":"`+strings.Repeat(`quarterly report\n`, 64<<10/18)+`"}`)
}

func BenchmarkDecodeTrustedText64KiB(b *testing.B) {
	text, err := json.Marshal(echoIn{strings.Repeat("The quick \"brown\" fox, 漢字.\n", 64<<10/30)})
	if err != nil {
		b.Fatal(err)
	}
	c := trustingOf[echoIn](b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var v echoIn
		if err := c.Decode(text, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValidatePlan(b *testing.B) {
	c := compiled(b, schema.For[searchIn](), schema.Input)
	text := []byte(searchArgs)
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Validate(text); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkValidateTwin is the same check by the general validator, from text to verdict.
func BenchmarkValidateTwin(b *testing.B) {
	var s jsonschema.Schema
	if err := s.UnmarshalJSON(compiled(b, schema.For[searchIn](), schema.Input).JSON()); err != nil {
		b.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		b.Fatal(err)
	}
	text := []byte(searchArgs)
	b.ReportAllocs()
	for b.Loop() {
		var instance any
		if err := json.Unmarshal(text, &instance); err != nil {
			b.Fatal(err)
		}
		if err := resolved.Validate(instance); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValidateOutsideThePlan(b *testing.B) {
	c := compiled(b, schema.Text(`{"type":"object","properties":{"a":{"oneOf":[{"type":"string"},{"type":"integer"}]}}}`), schema.Input)
	text := []byte(`{"a":1}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Validate(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkComplete(b *testing.B) {
	c := compiled(b, schema.For[searchIn](), schema.Input)
	text := []byte(searchArgs)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Complete(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := schema.For[searchIn]().Compile(schema.CompileOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
