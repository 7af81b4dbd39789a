package protocol

import (
	"strconv"

	"github.com/bowline-go/mcp/internal/jsonrpc"
)

// object appends members to a JSON object under construction; dst ends behind its opening brace or a member.
type object struct {
	dst []byte
}

// name appends a comma where one is due, and the quoted name. Names are plain ASCII.
func (o *object) name(name string) {
	if o.dst[len(o.dst)-1] != '{' {
		o.dst = append(o.dst, ',')
	}
	o.dst = append(append(append(o.dst, '"'), name...), '"', ':')
}

// raw appends a member that is JSON already; none when value is empty.
func (o *object) raw(name string, value []byte) {
	if len(value) > 0 {
		o.name(name)
		o.dst = jsonrpc.AppendRaw(o.dst, value)
	}
}

// text appends a member that is a string.
func (o *object) text(name, value string) {
	o.name(name)
	o.dst = jsonrpc.AppendString(o.dst, value)
}

// optional appends a member that is a string, none when it is empty.
func (o *object) optional(name, value string) {
	if value != "" {
		o.text(name, value)
	}
}

// texts appends a member that is a list of strings.
func (o *object) texts(name string, values []string) {
	o.name(name)
	o.dst = append(o.dst, '[')
	for i, value := range values {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = jsonrpc.AppendString(o.dst, value)
	}
	o.dst = append(o.dst, ']')
}

// number appends a finite number: plain digits where they stay short, an exponent elsewhere.
func (o *object) number(name string, value float64) {
	o.name(name)
	format := byte('f')
	if magnitude := max(value, -value); magnitude >= 1e21 || (magnitude != 0 && magnitude < 1e-6) {
		format = 'e'
	}
	o.dst = strconv.AppendFloat(o.dst, value, format, -1, 64)
}

// flag is a member that is there when it is set.
type flag struct {
	name string
	set  bool
}

// set appends a member with the JSON value given for each flag that is set.
func (o *object) set(value string, flags []flag) {
	for _, f := range flags {
		if f.set {
			o.raw(f.name, []byte(value))
		}
	}
}

// flags appends an object in which the flags that are set are true, when it is wanted at all.
func (o *object) flags(name string, wanted bool, inner ...flag) { o.inner(name, wanted, "true", inner) }

// empties appends an object in which the flags that are set are empty objects, when it is wanted at all.
func (o *object) empties(name string, wanted bool, inner ...flag) { o.inner(name, wanted, "{}", inner) }

func (o *object) inner(name string, wanted bool, value string, inner []flag) {
	if !wanted {
		return
	}
	o.name(name)
	o.dst = append(o.dst, '{')
	o.set(value, inner)
	o.dst = append(o.dst, '}')
}
