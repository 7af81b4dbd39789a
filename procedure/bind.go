package procedure

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/schema"
)

// binding is a tool and the procedure that it calls. It is immutable.
type binding struct {
	signature *signature
	mistakes  []error // not empty: the two do not go together, and nothing else is set

	plan   *schema.Compiled // of all arguments together
	args   reflect.Type     // a struct with a field for each argument
	places []int            // the field of each parameter, -1 for one that calls cannot reach
	apart  []*loneParam     // not nil: arguments are converted one by one
	result func(out []reflect.Value) (*mcp.ToolResult, error)
}

// bind makes the plan of a tool's calls.
func bind(t *Tool, s *signature) *binding {
	b := &binding{signature: s, mistakes: compare(t, s)}
	if len(b.mistakes) > 0 {
		return b
	}
	options := schema.CompileOptions{Lenient: t.def.Lenient}
	plan, err := t.schema().Strict().Compile(options)
	if err != nil {
		b.mistakes = append(b.mistakes, err)
		return b
	}
	b.plan = plan
	b.result = resultOf(t, s)
	var fields []reflect.StructField
	for i, p := range t.params {
		if !t.reachable(i) {
			b.places = append(b.places, -1)
			continue
		}
		b.places = append(b.places, len(fields))
		fields = append(fields, field("P"+strconv.Itoa(len(fields)), p.Name, s.params[i]))
		if !fitsTag(p.Name) {
			b.apart = []*loneParam{}
		}
	}
	if b.apart == nil {
		b.args = reflect.StructOf(fields)
		return b
	}
	b.args = reflect.TypeFor[map[string]rawArgument]()
	b.mistakes = b.standApart(t, options)
	return b
}

// field is a field of a struct that stands for an object, with the name of the member in its tag.
func field(goName, name string, t reflect.Type) reflect.StructField {
	return reflect.StructField{Name: goName, Type: t, Tag: reflect.StructTag(`json:` + strconv.Quote(name))}
}

// fitsTag reports whether a struct tag can hold a member's name.
func fitsTag(name string) bool {
	return name != "" && name != "-" && utf8.ValidString(name) && !strings.ContainsAny(name, "\\'\"`,")
}

// arguments checks the arguments of a call and returns the values of the parameters, with room for one more.
func (b *binding) arguments(ctx context.Context, raw []byte) ([]reflect.Value, error) {
	s := b.signature
	in := make([]reflect.Value, 0, len(s.params)+2)
	if s.takesCtx {
		in = append(in, reflect.ValueOf(ctx))
	}
	if b.apart != nil {
		return b.oneByOne(in, raw)
	}
	args := reflect.New(b.args)
	if err := b.plan.Decode(raw, args.Interface()); err != nil {
		return nil, err
	}
	args = args.Elem()
	for i, place := range b.places {
		if place < 0 {
			in = append(in, reflect.Zero(s.params[i]))
			continue
		}
		in = append(in, args.Field(place))
	}
	return in, nil
}
