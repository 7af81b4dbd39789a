package schema_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/schema"
)

// FuzzNumbers compares exact decimals with rationals.
func FuzzNumbers(f *testing.F) {
	for _, seed := range [][2]string{
		{"1.5", "3e0"},
		{"-0.00", "0"},
		{"9223372036854775807", "9223372036854775808"},
		{"1e20", "99999999999999999999.9"},
		{"0.1", "10e-2"},
		{"-7", "2"},
		{"12.34", "0.01"},
		{"-3", "-2.5"},
		{"-2", "-2.5"},
		{"3", "2.5"},
		{"2", "2.5"},
		{"0", "-0.5"},
		{"9223372036854775807", "9223372036854775807.5"},
		{"-9223372036854775808", "-9223372036854775808.5"},
		{"-9223372036854775808", "-9223372036854775809"},
		{"-9223372036854775808", "-9223372036854775808"},
		{"9223372036854775807", "9223372036854775807"},
		{"5", "1e30"},
		{"5", "-1e30"},
		{"18446744073709551615", "18446744073709551616"},
		{"6e18", "4e18"},
		{"1e19", "5e18"},
		{"-1e19", "0.3"},
		{"9223372036854775806", "9223372036854775807"},
		{"1e-30", "1e-31"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, n := range []string{a, b} {
			if !json.Valid([]byte(n)) || strings.TrimLeft(n, "-0123456789") == n || len(n) > 40 || strings.Trim(n, " \n\r\t") != n || exponent(n) > 200 {
				return
			}
		}
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		for keyword, want := range map[string]bool{"minimum": x.Cmp(y) >= 0, "maximum": x.Cmp(y) <= 0, "exclusiveMinimum": x.Cmp(y) > 0, "exclusiveMaximum": x.Cmp(y) < 0, "const": x.Cmp(y) == 0} {
			c := compiled(t, schema.Text(fmt.Sprintf(`{%q:%s}`, keyword, b)), schema.Output)
			if got := c.Validate([]byte(a)) == nil; got != want {
				t.Errorf("%s %s %s: got %v", a, keyword, b, got)
			}
		}
		if c := compiled(t, schema.Integer(), schema.Output); (c.Validate([]byte(a)) == nil) != x.IsInt() {
			t.Errorf("%s is integral: want %v", a, x.IsInt())
		}
		if c, err := schema.Text(`{"multipleOf":` + b + `}`).Compile(schema.CompileOptions{Role: schema.Output}); err == nil {
			if got, want := c.Validate([]byte(a)) == nil, new(big.Rat).Quo(x, y).IsInt(); got != want {
				t.Errorf("%s is a multiple of %s: got %v", a, b, got)
			}
		}
		var n int64
		if err := compiled(t, schema.Number(), schema.Output).Decode([]byte(a), &n); err == nil != (x.IsInt() && x.Num().IsInt64()) || err == nil && n != x.Num().Int64() {
			t.Errorf("%s as int64: %d, %v", a, n, err)
		}
		var u uint64
		if err := compiled(t, schema.Number(), schema.Output).Decode([]byte(a), &u); err == nil != (x.IsInt() && x.Num().IsUint64()) || err == nil && u != x.Num().Uint64() {
			t.Errorf("%s as uint64: %d, %v", a, u, err)
		}
	})
}

func exponent(n string) int {
	_, e, found := strings.Cut(strings.ToLower(n), "e")
	if !found {
		return 0
	}
	value, err := strconv.Atoi(e)
	if err != nil {
		return 1 << 20
	}
	return max(value, -value)
}
