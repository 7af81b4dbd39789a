package schema_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bowline-go/mcp/schema"
)

// The twin of the plan is the general validator: on the vocabulary of the plan both must decide alike.

// A twin decides with the general validator alone, which is slow, obvious and in float64 where it has bounds.
type twin struct{ resolved *jsonschema.Resolved }

func newTwin(t *testing.T, text string) twin {
	t.Helper()
	var s jsonschema.Schema
	if err := s.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return twin{resolved}
}

func (w twin) accepts(t *testing.T, value []byte) bool {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	var instance any
	if err := d.Decode(&instance); err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	return w.resolved.Validate(exactNumbers(instance)) == nil
}

func exactNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return n
		}
		if n, err := strconv.ParseUint(v.String(), 10, 64); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = exactNumbers(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = exactNumbers(v[name])
		}
	}
	return v
}

// valuesEach is how many values one schema is asked about: reading a schema costs the twin most of its time.
const valuesEach = 4

// compareTwins makes a schema and values from a seed and returns how many of them were accepted.
func compareTwins(t *testing.T, seed uint64) (accepted int) {
	w := newWriter(seed)
	text := w.root()
	c, err := schema.Text(text).Compile(schema.CompileOptions{Role: schema.Output})
	if err != nil {
		if strings.Contains(err.Error(), "not exact") {
			return 0
		}
		t.Fatalf("seed %d: %s: %v", seed, text, err)
	}
	general := newTwin(t, text)
	for range valuesEach {
		w.value(3)
		value := []byte(w.take())
		if strings.Contains(text, "multipleOf") && beyondFloat(value) {
			continue // the twin divides in float64
		}
		got, want := c.Validate(value), general.accepts(t, value)
		if (got == nil) != want {
			t.Errorf("seed %d\nschema %s\nvalue  %s\nplan: %v, twin: %v", seed, text, value, got, want)
		}
		if got == nil {
			accepted++
			checkAccepted(t, c, seed, value)
		}
	}
	return accepted
}

// beyondFloat reports whether a value holds one of the generator's numbers that float64 cannot divide exactly.
func beyondFloat(value []byte) bool {
	for _, digits := range []string{"99254740993", "5807", "5808", "1615", "e-324"} {
		if bytes.Contains(value, []byte(digits)) {
			return true
		}
	}
	return false
}

// checkAccepted checks that a value which satisfies a schema without defaults is completed to itself and decodes.
func checkAccepted(t *testing.T, c *schema.Compiled, seed uint64, value []byte) {
	completed, err := c.Complete(value)
	if err != nil || !bytes.Equal(completed, value) {
		t.Errorf("seed %d: %s: Complete: %s, %v", seed, value, completed, err)
	}
	var loose any
	if err := c.Decode(value, &loose); err != nil {
		t.Errorf("seed %d: %s: Decode: %v", seed, value, err)
	}
}

func TestPlanAndTwinDecideAlike(t *testing.T) {
	accepted := 0
	const schemas = 2_000 // FuzzPlanAndTwin goes on from there
	for seed := range uint64(schemas) {
		accepted += compareTwins(t, seed)
		if t.Failed() {
			return
		}
	}
	if runs := schemas * valuesEach; accepted < runs/10 || accepted > runs*9/10 {
		t.Errorf("%d of %d values were accepted: the generator no longer tests both", accepted, runs)
	}
}

func FuzzPlanAndTwin(f *testing.F) {
	for seed := range uint64(16) {
		f.Add(seed << 20)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { compareTwins(t, seed) })
}
