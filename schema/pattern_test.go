package schema_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp/schema"
)

func TestALongStringIsNotMatchedAgainstALargePattern(t *testing.T) {
	compile := func(pattern string) *schema.Compiled {
		c, err := schema.Object().Prop("s", schema.String().Pattern(pattern)).Compile(schema.CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	long := []byte(`{"s":"` + strings.Repeat("a", 4<<20-100) + `"}`)
	if err := compile(`^[A-Za-z0-9+/]*=*$`).Validate(long); err != nil {
		t.Errorf("a small pattern: %v", err)
	}
	err := compile(`(a{0,500}c){0,2}`).Validate(long)
	if err == nil || !strings.Contains(err.Error(), "string of at most") || !strings.Contains(err.Error(), "bytes, to be matched against") {
		t.Errorf("a large pattern: got %v, want the length that can be matched", err)
	}
	if err := compile(`^(a{0,500}c){0,2}$`).Validate([]byte(`{"s":"aac"}`)); err != nil {
		t.Errorf("a short string against a large pattern: %v", err)
	}
}
