package uri

import "strings"

// node is one step of a radix tree over what templates demand from the left: literal text; for a narrow variable, a jump
// to the next '/', since neither it nor the literals behind it in that segment hold one; and nothing after a wide
// variable. It only narrows the search: whoever arrives at a leaf is still matched in full.
type node struct {
	text     string  // comes next
	first    int     // lowest template at or below this node
	heads    string  // heads[i] is the first byte of children[i].text
	children []*node // by literal text
	jump     *node   // by a narrow variable
	ends     []int   // templates that end here
	opens    []int   // templates that take anything from here
}

// insert adds template i, which must be higher than all before it.
func (n *node) insert(w *path, i int) {
	n = n.descend(w.literals[0], i)
	for k, wide := range w.wide {
		if wide {
			n.opens = append(n.opens, i)
			return
		}
		if k == 0 || strings.Contains(w.literals[k], "/") {
			n = n.descendJump(i)
		}
		if slash := strings.IndexByte(w.literals[k+1], '/'); slash >= 0 {
			n = n.descend(w.literals[k+1][slash:], i)
		}
	}
	n.ends = append(n.ends, i)
}

func (n *node) descendJump(i int) *node {
	if n.jump == nil {
		n.jump = &node{first: i}
	}
	return n.jump
}

// descend returns the node behind text, splitting nodes where texts part.
func (n *node) descend(text string, i int) *node {
	for text != "" {
		at := strings.IndexByte(n.heads, text[0])
		if at < 0 {
			child := &node{text: text, first: i}
			n.heads += text[:1]
			n.children = append(n.children, child)
			return child
		}
		child := n.children[at]
		same := commonPrefix(child.text, text)
		if same < len(child.text) {
			upper := &node{text: child.text[:same], first: child.first, heads: child.text[same : same+1], children: []*node{child}}
			child.text = child.text[same:]
			n.children[at] = upper
			child = upper
		}
		n, text = child, text[same:]
	}
	return n
}

// find tries every leaf that the rest of the key can lead to and that could beat the best match so far.
func (n *node) find(s *search, at int) {
	if n.first >= s.best || !strings.HasPrefix(s.key[at:], n.text) {
		return
	}
	at += len(n.text)
	s.try(n.opens)
	if at == len(s.key) {
		s.try(n.ends)
		return
	}
	if i := strings.IndexByte(n.heads, s.key[at]); i >= 0 {
		n.children[i].find(s, at)
	}
	if n.jump != nil && s.key[at] != '/' {
		n.jump.find(s, nextSlash(s.key, at))
	}
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}
