package procedure

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/bowline-go/mcp/schema"
)

// rawArgument is the text of an argument.
type rawArgument = json.RawMessage

// A loneParam is converted by itself: a member's name that no struct tag can hold, such as one with a quote, keeps the
// arguments of its tool from being fields of one struct.
type loneParam struct {
	name string
	plan *schema.Compiled
	args reflect.Type // a struct with one field
}

// lone is the name of a loneParam's field.
const lone = "value"

func (b *binding) standApart(t *Tool, options schema.CompileOptions) (mistakes []error) {
	for i, p := range t.params {
		if b.places[i] < 0 {
			b.apart = append(b.apart, nil)
			continue
		}
		plan, err := p.addTo(schema.Object(), lone).Compile(options)
		if err != nil {
			mistakes = append(mistakes, err)
		}
		args := reflect.StructOf([]reflect.StructField{field("P0", lone, b.signature.params[i])})
		b.apart = append(b.apart, &loneParam{p.Name, plan, args})
	}
	return mistakes
}

// oneByOne checks all arguments together, which finds the words for what is wrong with them, and then converts each.
func (b *binding) oneByOne(in []reflect.Value, raw []byte) ([]reflect.Value, error) {
	texts := map[string]rawArgument{}
	if err := b.plan.Decode(raw, &texts); err != nil {
		return nil, err
	}
	for i, p := range b.apart {
		if p == nil {
			in = append(in, reflect.Zero(b.signature.params[i]))
			continue
		}
		args := reflect.New(p.args)
		if text, sent := texts[p.name]; sent {
			object := append([]byte(`{"`+lone+`":`), text...)
			if err := p.plan.Decode(append(object, '}'), args.Interface()); err != nil {
				return nil, errors.New(strings.ReplaceAll(err.Error(), "arguments."+lone, "arguments["+strconv.Quote(p.name)+"]"))
			}
		}
		in = append(in, args.Elem().Field(0))
	}
	return in, nil
}
