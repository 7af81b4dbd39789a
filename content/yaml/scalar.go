package yaml

import (
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"
)

const stringTag = "!!str"

// stringNode is a string in the style that reads best among those that keep it a string.
func stringNode(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: stringTag, Value: s}
	switch {
	case !printable(s):
		n.Style = yaml.DoubleQuotedStyle
	case strings.Contains(s, "\n"):
		n.Style = yaml.DoubleQuotedStyle
		if fitsBlock(s) {
			n.Style = yaml.LiteralStyle
		}
	case ambiguous(s):
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// printable reports whether s can stand unescaped: no control characters but the newline, and none of the breaks and
// marks that parsers disagree about.
func printable(s string) bool {
	for _, r := range s {
		switch {
		case r == '\n':
		case unicode.IsControl(r), r == '\u2028', r == '\u2029', r == '\uFEFF', r == '\uFFFE', r == '\uFFFF':
			return false
		}
	}
	return true
}

// fitsBlock reports whether a string of several lines can stand as a block: parsers agree on how it begins and ends.
func fitsBlock(s string) bool {
	return !strings.ContainsAny(s[:1], " \n#") && s[len(s)-1] != '\n' && s[len(s)-1] != ' '
}

// ambiguous reports whether a parser of either YAML version could take plain s for something else than a string. More is
// quoted than must be: what begins like a number may be a date, a time, or a number in some base.
func ambiguous(s string) bool {
	if s == "" || strings.IndexByte("0123456789+-.=<", s[0]) >= 0 {
		return true
	}
	switch strings.ToLower(s) {
	case "y", "yes", "on", "true", "n", "no", "off", "false", "null", "~":
		return true
	}
	return false
}

// number writes a JSON number so that both YAML versions read it as one: YAML 1.1 wants a point in front of an exponent
// and a sign in it.
func number(literal string) string {
	mantissa, exponent, found := strings.Cut(strings.ToLower(literal), "e")
	if !found {
		return literal
	}
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	if exponent[0] != '+' && exponent[0] != '-' {
		exponent = "+" + exponent
	}
	return mantissa + "e" + exponent
}
