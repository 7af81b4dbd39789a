package schema

import (
	"regexp"
	"slices"
)

// A planner makes plans of surveyed parts. A part that uses more than a plan can say is planned as far as that goes, and
// marks the whole schema as outside.
type planner struct {
	*survey
	plans    map[*part]*plan
	outside  bool
	defaults []pendingDefault
}

// A pendingDefault is a default that is checked and completed once all plans are done.
type pendingDefault struct {
	at   string
	text []byte
	rule *objectRule
	i    int
}

func newPlanner(v *survey) *planner { return &planner{survey: v, plans: map[*part]*plan{}} }

func (b *planner) planOf(p *part) *plan {
	if done, ok := b.plans[p]; ok {
		return done
	}
	if p.ref != nil && b.refersOnly(p) {
		target := b.planOf(p.ref)
		b.plans[p] = target
		return target
	}
	made := &plan{}
	b.plans[p] = made
	b.fill(made, p)
	return made
}

// refersOnly reports whether a reference alone decides about the value.
func (b *planner) refersOnly(p *part) bool {
	if b.dialect == draft07 {
		return true // draft-07 core 8.3: what stands beside $ref is ignored
	}
	for _, name := range p.node.names {
		if !annotates(name, b.dialect) {
			return false
		}
	}
	return true
}

func (b *planner) fill(made *plan, p *part) {
	n := p.node
	if n.kind == 'f' || isNever(n) {
		made.never = true
		return
	}
	if n.kind != '{' {
		return
	}
	if inner := b.nullOr(p); inner != nil {
		made.orNull = b.planOf(inner)
		return
	}
	listed := b.listedBranches(p)
	if p.ref != nil {
		b.outside = true
	}
	for _, name := range n.names {
		if keywordOf(name, b.dialect).outside && name != listed {
			b.outside = true
		}
	}
	if kind := n.get("type"); kind != nil {
		for _, one := range append([]*node{kind}, kind.items...) {
			made.types |= typeNamed(one.text)
		}
	}
	made.options = optionsOf(n, listed)
	made.number = numberRuleOf(n)
	made.text = textRuleOf(n)
	made.array = b.arrayRuleOf(p)
	made.object = b.objectRuleOf(p)
}

// isNever recognises {"not":{}}, which false is rewritten to.
func isNever(n *node) bool {
	not := n.get("not")
	return not != nil && len(n.names) == 1 && not.kind == '{' && len(not.names) == 0
}

// nullOr recognises a schema that is another one or null, and returns the other one.
func (b *planner) nullOr(p *part) *part {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		branches := p.branches[keyword]
		if len(branches) != 2 || !isNull(branches[1].node) {
			continue
		}
		for _, name := range p.node.names {
			if name != keyword && !annotates(name, b.dialect) {
				return nil
			}
		}
		if keyword == "anyOf" || refusesNull(branches[0]) {
			return branches[0]
		}
	}
	return nil
}

func isNull(n *node) bool {
	kind := n.get("type")
	return kind != nil && kind.text == "null" && len(n.names) == 1
}

// refusesNull reports whether a part has a type of its own without null, so that oneOf cannot count null twice.
func refusesNull(p *part) bool {
	for p.ref != nil && p.node.get("type") == nil {
		p = p.ref
	}
	kind := p.node.get("type")
	return kind != nil && kind.text != "null" && !slices.ContainsFunc(kind.items, func(n *node) bool { return n.text == "null" })
}

// listedBranches recognises a titled enumeration: oneOf or anyOf whose branches each name one scalar, all different. It
// returns the keyword, or nothing.
func (b *planner) listedBranches(p *part) string {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		branches := p.branches[keyword]
		seen := map[string]bool{}
		for _, branch := range branches {
			value := listedValue(branch.node)
			if value == nil || seen[string(value.append(nil))] {
				seen = nil
				break
			}
			seen[string(value.append(nil))] = true
		}
		if len(seen) > 0 {
			return keyword
		}
	}
	return ""
}

// listedValue is the only value that a branch accepts if it is a string or null, else nil.
func listedValue(n *node) *node {
	if isNull(n) {
		return &node{kind: 'n'}
	}
	value := n.get("const")
	if value == nil || value.kind != '"' {
		return nil
	}
	for _, name := range n.names {
		if name != "const" && name != "title" && name != "description" {
			return nil
		}
	}
	return value
}

func optionsOf(n *node, listed string) []*options {
	var all []*options
	if enum := n.get("enum"); enum != nil {
		all = append(all, newOptions(enum.items))
	}
	if value := n.get("const"); value != nil {
		all = append(all, newOptions([]*node{value}))
	}
	if listed != "" {
		var values []*node
		for _, branch := range n.get(listed).items {
			values = append(values, listedValue(branch))
		}
		all = append(all, newOptions(values))
	}
	return all
}

func newOptions(values []*node) *options {
	o := &options{other: map[string]bool{}}
	var words []string
	for _, v := range values {
		if v.kind == '"' {
			o.texts = append(o.texts, v.text)
			words = append(words, v.text)
			continue
		}
		o.other[canonical(v.append(nil))] = true
	}
	o.words = optionWords(values, words)
	if len(o.texts) > manyNames {
		o.index = make(map[string]int, len(o.texts))
		for i, t := range o.texts {
			o.index[t] = i
		}
	}
	return o
}

func optionWords(values []*node, texts []string) string {
	switch {
	case len(values) == 0:
		return "none of any value: the enum is empty"
	case len(values) == 1:
		return clip(string(values[0].append(nil)))
	case len(texts) == len(values):
		return "one of " + quoteWords(texts)
	}
	list := textNode("").clone()
	list.kind, list.items = '[', values
	text := string(list.append(nil))
	return "one of " + clip(text[1:len(text)-1])
}

func textRuleOf(n *node) *textRule {
	rule := &textRule{least: countOf(n, "minLength", 0), most: countOf(n, "maxLength", -1)}
	if expr := n.get("pattern"); expr != nil {
		rule.pattern = regexp.MustCompile(expr.text) // fitsPattern has compiled it before
	}
	if rule.least == 0 && rule.most < 0 && rule.pattern == nil {
		return nil
	}
	return rule
}

func countOf(n *node, name string, otherwise int) int {
	value := n.get(name)
	if value == nil {
		return otherwise
	}
	count, _ := parseDecimal([]byte(value.text), nil).int64()
	return int(count)
}

func (b *planner) arrayRuleOf(p *part) *arrayRule {
	n := p.node
	rule := &arrayRule{least: countOf(n, "minItems", 0), most: countOf(n, "maxItems", -1)}
	if unique := n.get("uniqueItems"); unique != nil && unique.kind == 't' {
		rule.unique = true
	}
	switch items := p.branches["items"]; {
	case len(p.elements) > 0:
		b.outside = true // items is about the rest
	case len(items) == 1:
		rule.items = b.planOf(items[0])
	}
	if rule.items == nil && rule.least == 0 && rule.most < 0 && !rule.unique {
		return nil
	}
	return rule
}
