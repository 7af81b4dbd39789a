package schema

import (
	"slices"

	"github.com/bowline-go/mcp/internal/jsonstring"
)

func (b *planner) objectRuleOf(p *part) *objectRule {
	n := p.node
	rule := &objectRule{least: countOf(n, "minProperties", 0), most: countOf(n, "maxProperties", -1)}
	var required []string
	if list := n.get("required"); list != nil {
		for _, item := range list.items {
			required = append(required, item.text)
		}
	}
	if properties := n.get("properties"); properties != nil {
		for _, name := range properties.names {
			b.addProperty(rule, p.named[name], name, slices.Contains(required, name))
		}
	}
	b.restrictOthers(rule, p)
	for _, name := range required {
		if rule.find([]byte(name), 0) < 0 {
			rule.properties = append(rule.properties, propertyRule{name: name, quoted: jsonstring.AppendQuoted(nil, name), plan: rule.extra, required: true})
		}
	}
	if len(rule.properties) > manyNames {
		rule.index = make(map[string]int, len(rule.properties))
		for i := range rule.properties {
			rule.index[rule.properties[i].name] = i
		}
	}
	if len(rule.properties) == 0 && !rule.closed && rule.extra == nil && rule.least == 0 && rule.most < 0 {
		return nil
	}
	return rule
}

func (b *planner) addProperty(rule *objectRule, p *part, name string, required bool) {
	entry := propertyRule{name: name, quoted: jsonstring.AppendQuoted(nil, name), plan: b.planOf(p), declared: true, required: required}
	rule.properties = append(rule.properties, entry)
	if value := p.node.get("default"); value != nil {
		rule.defaults = true
		b.defaults = append(b.defaults, pendingDefault{pointerTo(p.at, "default"), value.append(nil), rule, len(rule.properties) - 1})
	}
}

// restrictOthers reads additionalProperties. Beside patternProperties it is about other members than a plan knows.
func (b *planner) restrictOthers(rule *objectRule, p *part) {
	others := p.branches["additionalProperties"]
	if len(others) != 1 || p.node.get("patternProperties") != nil {
		return
	}
	if extra := b.planOf(others[0]); extra.never {
		rule.closed = true
	} else if !extra.free() || b.unfinished(others[0]) {
		rule.extra = extra
	}
}

// unfinished reports whether the plan of a part is being made further up: it looks free but is not yet.
func (b *planner) unfinished(p *part) bool { return p.node.kind == '{' && len(p.node.names) > 0 }

// completeDefaults checks every default against its own schema and fills the defaults inside it.
func (b *planner) completeDefaults(c *Compiled) {
	// Twice: the first pass checks, and completes defaults that hold no other; the second sees those completed.
	for pass := range 2 {
		for _, d := range b.defaults {
			property := &d.rule.properties[d.i]
			if property.required {
				continue // an absent required member is refused, so its default is advice alone
			}
			text := d.text
			if pass == 1 {
				text = property.fallback
			}
			completed, err := (&walker{lexer: lexer{src: text}, root: "the default"}).complete(property.plan)
			if err != nil {
				if pass == 0 {
					b.fail(d.at, "the default does not satisfy its own schema (%v); correct one of the two", err)
				}
				continue
			}
			property.fallback = completed
		}
		if len(b.mistakes) > 0 {
			return
		}
	}
}
