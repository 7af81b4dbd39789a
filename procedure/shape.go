package procedure

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/bowline-go/mcp/schema"
)

// shape is what of a schema can be compared with a Go type: kinds of values, and where they nest.
type shape struct {
	Kinds      kinds             `json:"type"`
	Ref        string            `json:"$ref"`
	Properties map[string]*shape `json:"properties"`
	Others     json.RawMessage   `json:"additionalProperties"`
	Items      *shape            `json:"items"`
	OneOf      []*shape          `json:"oneOf"`
	AnyOf      []*shape          `json:"anyOf"`
	Defs       map[string]*shape `json:"$defs"`
}

// kinds are the types that a schema names: none for any.
type kinds []string

// UnmarshalJSON reads one name or several.
func (k *kinds) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		*k = make(kinds, 1)
		return jsonv2.Unmarshal(text, &(*k)[0])
	}
	return jsonv2.Unmarshal(text, (*[]string)(k))
}

func (k kinds) String() string { return strings.Join(k, " or ") }

// takes reports whether a value of a kind is one of k.
func (k kinds) takes(kind string) bool {
	return len(k) == 0 || slices.Contains(k, kind) || kind == "integer" && slices.Contains(k, "number")
}

// shapeOf reads the shape of a schema. One that cannot be read has none, and so says nothing.
func shapeOf(s *schema.Schema) *shape {
	text, err := s.MarshalJSON()
	if err != nil {
		return nil
	}
	made := new(shape)
	if jsonv2.Unmarshal(text, made) != nil {
		return nil
	}
	return made
}

// maxShapeDepth ends the comparison of recursive schemas.
const maxShapeDepth = 16

// comparison finds where a declared schema accepts what a Go type cannot hold.
type comparison struct {
	declared, held *shape // the roots, where definitions stand
	found          []error
}

// compareShapes compares a declared schema with that of a Go type.
func compareShapes(declared, held *schema.Schema) []error {
	c := &comparison{declared: shapeOf(declared), held: shapeOf(held)}
	c.at("", c.declared, c.held, maxShapeDepth)
	return c.found
}

// at compares two shapes at a path such as .filter.names[].
func (c *comparison) at(path string, declared, held *shape, depth int) {
	declared, held = resolve(c.declared, declared), resolve(c.held, held)
	if declared == nil || held == nil || depth == 0 {
		return
	}
	for _, branch := range slices.Concat(declared.OneOf, declared.AnyOf) {
		c.at(path, branch, held, depth-1)
	}
	for _, kind := range declared.Kinds {
		if kind != "null" && !held.Kinds.takes(kind) {
			c.add(path, "the schema has %s, but the Go type holds %s", kind, held.Kinds)
			return
		}
	}
	c.members(path, declared, held, depth-1)
	c.at(path+"[]", declared.Items, held.Items, depth-1)
}

// members compares the members of objects.
func (c *comparison) members(path string, declared, held *shape, depth int) {
	if !held.Kinds.takes("object") || len(held.Kinds) == 0 {
		return
	}
	var others *shape // of a map
	if len(held.Others) > 0 && held.Others[0] == '{' {
		others = new(shape)
		if jsonv2.Unmarshal(held.Others, others) != nil {
			return
		}
	}
	for _, name := range slices.Sorted(maps.Keys(declared.Properties)) {
		target, known := held.Properties[name]
		switch {
		case known:
		case others != nil:
			target = others
		default:
			c.add(path, "the schema has property %s, but the Go type has no field for it", strconv.Quote(name))
			continue
		}
		c.at(path+"."+name, declared.Properties[name], target, depth)
	}
}

func (c *comparison) add(path, format string, args ...any) {
	err := fmt.Errorf(format, args...)
	if path != "" {
		err = fmt.Errorf("at %s: %w", path, err)
	}
	c.found = append(c.found, err)
}

// resolve follows a reference to a definition. Other references lead nowhere.
func resolve(root, s *shape) *shape {
	for range maxShapeDepth {
		if s == nil || s.Ref == "" {
			return s
		}
		name, ok := strings.CutPrefix(s.Ref, "#/$defs/")
		if !ok {
			return nil
		}
		s = root.Defs[name]
	}
	return nil
}
