package schema

import "slices"

// A Property describes one declared member of the root, for those who list arguments in another form.
type Property struct {
	Name        string
	Title       string
	Description string
	Type        string   // the type, if it is a single one
	Enum        []string // the texts that are accepted, if they are listed
	Required    bool
}

// Properties returns the declared members of the root in order.
func (c *Compiled) Properties() []Property {
	text := func(n *node, name string) string {
		if member := n.get(name); member != nil {
			return member.text
		}
		return ""
	}
	var all []Property
	properties := c.doc.get("properties")
	if properties == nil {
		return nil
	}
	required := c.doc.get("required")
	for i, name := range properties.names {
		n := properties.items[i]
		p := Property{Name: name, Title: text(n, "title"), Description: text(n, "description"), Type: text(n, "type")}
		p.Enum = enumTexts(n)
		p.Required = required != nil && slices.ContainsFunc(required.items, func(r *node) bool { return r.text == name })
		all = append(all, p)
	}
	return all
}

func enumTexts(n *node) []string {
	var texts []string
	if enum := n.get("enum"); enum != nil {
		for _, item := range enum.items {
			if item.kind == '"' {
				texts = append(texts, item.text)
			}
		}
		return texts
	}
	if branches := n.get("oneOf"); branches != nil {
		for _, branch := range branches.items {
			if value := branch.get("const"); value != nil && value.kind == '"' {
				texts = append(texts, value.text)
			}
		}
	}
	return texts
}
