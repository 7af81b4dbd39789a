package schema

import (
	"net/url"
	"strings"
)

// identify enters the names that a schema gives itself: $id, which makes it a resource of its own, and anchors.
func (v *survey) identify(p *part) {
	if p.at == "" {
		v.byID[p.base.String()] = p
	}
	if id := p.node.get("$id"); id != nil && id.kind == '"' && !(v.dialect == draft07 && p.node.get("$ref") != nil) {
		v.identifyByID(p, id.text)
	}
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if n := p.node.get(keyword); n != nil && n.kind == '"' && v.dialect != draft07 {
			v.anchor(p, n.text)
			if keyword == "$dynamicAnchor" {
				v.dynamics[n.text] = append(v.dynamics[n.text], p)
			}
		}
	}
}

func (v *survey) identifyByID(p *part, id string) {
	u, err := url.Parse(id)
	switch {
	case err != nil:
		v.fail(pointerTo(p.at, "$id"), "the $id %q is no URI reference; correct it", clip(id))
	case v.dialect == draft07 && strings.HasPrefix(id, "#"):
		v.anchor(p, u.Fragment)
	case u.Fragment != "":
		v.fail(pointerTo(p.at, "$id"), "the $id %q has a fragment; name the fragment with $anchor", clip(id))
	default:
		p.home, p.base = p, p.base.ResolveReference(u)
		p.base.Fragment = ""
		if other := v.byID[p.base.String()]; other != nil && other != p {
			v.fail(pointerTo(p.at, "$id"), "the $id %q is already that of %s; use another", clip(id), place(other.at))
		}
		v.byID[p.base.String()] = p
	}
}

func (v *survey) anchor(p *part, name string) {
	if v.anchors[p.home] == nil {
		v.anchors[p.home] = map[string]*part{}
	}
	if other := v.anchors[p.home][name]; other != nil && other != p {
		v.fail(p.at, "the anchor %q is already that of %s; use another", clip(name), place(other.at))
	}
	v.anchors[p.home][name] = p
}

// resolve finds what every reference leads to.
//
// basic/index#ref-resolution: a $ref that resolves to a network URI is never dereferenced, and one that cannot be resolved
// is refused.
func (v *survey) resolve() {
	for _, p := range v.parts {
		if p.node.kind != '{' {
			continue
		}
		if ref := p.node.get("$ref"); ref != nil {
			p.ref = v.lookUp(p, "$ref", ref.text)
		}
		if ref := p.node.get("$dynamicRef"); ref != nil && v.dialect != draft07 {
			if target := v.lookUp(p, "$dynamicRef", ref.text); target != nil {
				_, anchor, _ := strings.Cut(ref.text, "#")
				p.dynamic = append([]*part{target}, v.dynamics[anchor]...)
			}
		}
	}
}

func (v *survey) lookUp(p *part, keyword, ref string) *part {
	at := pointerTo(p.at, keyword)
	u, err := url.Parse(ref)
	if err != nil {
		v.fail(at, "%q is no URI reference; correct it", clip(ref))
		return nil
	}
	home := p.home
	if !strings.HasPrefix(ref, "#") {
		target := p.base.ResolveReference(u)
		target.Fragment, target.RawFragment = "", ""
		if home = v.byID[target.String()]; home == nil {
			v.fail(at, "%q is not in this schema, and references are never fetched; copy what it names into $defs", clip(ref))
			return nil
		}
	}
	target := home
	switch {
	case u.Fragment == "":
	case strings.HasPrefix(u.Fragment, "/"):
		target = v.byAt[home.at+u.Fragment]
	default:
		target = v.anchors[home][u.Fragment]
	}
	if target == nil {
		v.fail(at, "%q names no schema here; correct it or add the definition", clip(ref))
	}
	return target
}

// place words a JSON pointer.
func place(at string) string {
	if at == "" {
		return "the root"
	}
	return at
}

// beside returns every schema that decides about the same value as p.
func (p *part) beside() []*part {
	all := p.here
	if p.ref != nil {
		all = append(all[:len(all):len(all)], p.ref)
	}
	return append(all[:len(all):len(all)], p.dynamic...)
}

// refuseEndless finds schemas that decide about a value by deciding about the same value again.
func (v *survey) refuseEndless() {
	const open, done = 1, 2
	state := make(map[*part]int, len(v.parts))
	var visit func(p *part)
	visit = func(p *part) {
		state[p] = open
		for _, next := range p.beside() {
			switch state[next] {
			case open:
				v.fail(next.at, "the schema refers to itself for the same value, so it can never be decided; remove the cycle of references")
			case 0:
				visit(next)
			}
		}
		state[p] = done
	}
	for _, p := range v.parts {
		if state[p] == 0 {
			visit(p)
		}
	}
}
