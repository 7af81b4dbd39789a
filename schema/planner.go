package schema

import (
	"regexp"
	"regexp/syntax"
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

func textRuleOf(n *node) *textRule {
	rule := &textRule{least: countOf(n, "minLength", 0), most: countOf(n, "maxLength", -1)}
	if expr := n.get("pattern"); expr != nil {
		rule.pattern = regexp.MustCompile(expr.text) // fitsPattern has compiled it before
		rule.longest = maxSteps / stepsOf(expr.text)
	}
	if rule.least == 0 && rule.most < 0 && rule.pattern == nil {
		return nil
	}
	return rule
}

// maxSteps bounds the cost of matching one string: its length times the size of the pattern's program. Matching takes time
// in proportion, but a large pattern against some megabytes would take a minute, and it cannot be interrupted.
const maxSteps = 128 << 20

// stepsOf is the size of a pattern's program, at least 1.
func stepsOf(pattern string) int {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 1
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 1
	}
	return max(len(program.Inst), 1)
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
