package schema

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
	text := string(listNode(values...).append(nil))
	return "one of " + clip(text[1:len(text)-1])
}
