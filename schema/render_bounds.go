package schema

// bounds are pairs of keywords that leave nothing to accept when the first is above the second.
var bounds = [...]struct {
	low, high string
	open      bool // a bound itself is not accepted
}{
	{"minimum", "maximum", false},
	{"minimum", "exclusiveMaximum", true},
	{"exclusiveMinimum", "maximum", true},
	{"exclusiveMinimum", "exclusiveMaximum", true},
	{"minLength", "maxLength", false},
	{"minItems", "maxItems", false},
}

// checkBounds tells of bounds that no value is between, in what the builder or a Go type gives. JSON text is left alone: it
// may come from elsewhere, and it is a valid schema all the same.
func (r *renderer) checkBounds(n *node, at string) {
	for _, b := range bounds {
		low, high := n.get(b.low), n.get(b.high)
		if low == nil || high == nil {
			continue
		}
		order := parseDecimal([]byte(low.text), nil).compare(parseDecimal([]byte(high.text), nil))
		if order > 0 || order == 0 && b.open {
			r.fail(at, "no value is between %s %s and %s %s; correct one of the two", b.low, low.text, b.high, high.text)
		}
	}
}
