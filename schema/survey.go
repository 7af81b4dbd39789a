package schema

import (
	"fmt"
	"net/url"
)

const (
	maxSchemaBytes = 256 << 10
	maxSchemaDepth = 64
	maxSchemaParts = 4096
)

// A part is one schema inside a document: the root or a sub-schema.
type part struct {
	node *node
	at   string // JSON pointer from the root
	home *part  // the resource that it belongs to: the root, or the nearest schema around it with an $id
	base *url.URL

	here     []*part          // sub-schemas for the same value
	named    map[string]*part // for members by name
	members  []*part          // for members otherwise
	elements []*part          // for elements by position
	items    []*part          // for elements otherwise
	branches map[string][]*part

	ref     *part   // what $ref leads to
	dynamic []*part // what $dynamicRef may lead to
}

// A survey is everything that is known of a document before it is compiled: its parts, their references, its mistakes.
type survey struct {
	dialect  dialect
	role     Role
	root     *part
	parts    []*part
	byAt     map[string]*part
	byNode   map[*node]*part
	byID     map[string]*part
	anchors  map[*part]map[string]*part
	dynamics map[string][]*part
	headers  headerSurvey
	mistakes []mistake
}

func (v *survey) fail(at, format string, args ...any) {
	v.mistakes = append(v.mistakes, mistake{at, fmt.Errorf(format, args...)})
}

// surveyOf reads a document. It stops at its limits; whatever it finds wrong is in mistakes.
func surveyOf(doc *node, role Role) *survey {
	v := &survey{
		role: role, byAt: map[string]*part{}, byNode: map[*node]*part{}, byID: map[string]*part{},
		anchors: map[*part]map[string]*part{}, dynamics: map[string][]*part{},
	}
	v.headers.taken = map[string]string{}
	// basic/index#schema-dialect: without $schema the dialect is 2020-12.
	if named := doc.get("$schema"); named != nil {
		v.dialect = v.dialectOf(named)
	}
	v.root = v.visit(doc, &part{base: &url.URL{}}, visitAt{path: []string{}})
	if len(v.mistakes) == 0 {
		v.resolve()
	}
	if len(v.mistakes) == 0 {
		v.refuseEndless()
	}
	return v
}

func (v *survey) dialectOf(n *node) dialect {
	switch n.text {
	case dialect2020, dialect2020 + "#":
		return draft2020
	case "http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-07/schema",
		"https://json-schema.org/draft-07/schema#", "https://json-schema.org/draft-07/schema":
		return draft07
	}
	v.fail("/$schema", "the dialect %q is not supported; use %q or %q", n.text, dialect2020, "http://json-schema.org/draft-07/schema#")
	return draft2020
}

// visitAt says where a part stands.
type visitAt struct {
	at    string
	depth int
	path  []string // names of properties from the root; nil where the way leads through anything else
}

// visit surveys a schema and what is below it.
func (v *survey) visit(n *node, parent *part, where visitAt) *part {
	p := &part{node: n, at: where.at, home: parent.home, base: parent.base}
	v.parts = append(v.parts, p)
	v.byAt[p.at], v.byNode[n] = p, p
	switch {
	case n.kind == 't' || n.kind == 'f':
		return p
	case n.kind != '{':
		v.fail(p.at, "a schema is an object, got %s; write an object", describeKind(byte(n.kind)))
		return p
	case where.depth >= maxSchemaDepth:
		v.fail(p.at, "more than %d levels of sub-schemas; flatten the schema", maxSchemaDepth)
		return p
	case len(v.parts) > maxSchemaParts:
		if len(v.parts) == maxSchemaParts+1 {
			v.fail(p.at, "more than %d sub-schemas; split the schema", maxSchemaParts)
		}
		return p
	}
	if p.home == nil {
		p.home = p
	}
	v.identify(p)
	v.checkHeader(p, where.path)
	for i, name := range n.names {
		v.keyword(p, name, n.items[i], where)
	}
	return p
}

// keyword checks one member of a schema and surveys the schemas in it.
func (v *survey) keyword(p *part, name string, value *node, where visitAt) {
	k := keywordOf(name, v.dialect)
	at := pointerTo(p.at, name)
	if !v.fits(k.shape, value, at) {
		return
	}
	below := visitAt{depth: where.depth + 1}
	add := func(n *node, at string, named string) {
		below.at, below.path = at, nil
		if k.applies == appliesToMember && where.path != nil {
			below.path = append(where.path[:len(where.path):len(where.path)], named)
		}
		if n.kind != '{' && name != "additionalProperties" && (n.kind == 't' || n.kind == 'f') {
			*n = *plainBoolean(n)
		}
		p.adopt(v.visit(n, p, below), k.applies, name, named)
	}
	switch k.shape {
	case shapeSchema:
		add(value, at, "")
	case shapeNamed, shapePatterns:
		for i, n := range value.items {
			add(n, pointerTo(at, value.names[i]), value.names[i])
		}
	case shapeDependency:
		for i, n := range value.items {
			if n.kind != '[' {
				add(n, pointerTo(at, value.names[i]), value.names[i])
			}
		}
	case shapeSchemas:
		for i, n := range value.items {
			add(n, pointerTo(at, fmt.Sprint(i)), "")
		}
	case shapeItems:
		if value.kind != '[' {
			add(value, at, "")
			return
		}
		k.applies = appliesToElement
		for i, n := range value.items {
			add(n, pointerTo(at, fmt.Sprint(i)), "")
		}
	}
}

// adopt enters a sub-schema where its keyword applies it.
func (p *part) adopt(child *part, how applicator, keyword, named string) {
	if p.branches == nil {
		p.branches = map[string][]*part{}
	}
	p.branches[keyword] = append(p.branches[keyword], child)
	switch how {
	case appliesHere:
		p.here = append(p.here, child)
	case appliesToMember:
		if p.named == nil {
			p.named = map[string]*part{}
		}
		p.named[named] = child
	case appliesToMembers:
		p.members = append(p.members, child)
	case appliesToElement:
		p.elements = append(p.elements, child)
	case appliesToItems:
		p.items = append(p.items, child)
	}
}
