package schema

import (
	"regexp"
	"slices"
	"strconv"
)

// fits checks that the value of a keyword has its shape, and reports what is wrong with it.
func (v *survey) fits(s shape, n *node, at string) bool {
	wrong := ""
	switch s {
	case shapeSchemas:
		if n.kind != '[' || len(n.items) == 0 {
			wrong = "a non-empty array of schemas"
		}
	case shapeNamed, shapeDependency:
		if n.kind != '{' {
			wrong = "an object of schemas"
		}
	case shapePatterns:
		return v.fitsPatterns(n, at)
	case shapeType:
		wrong = wrongType(n)
	case shapeList:
		if n.kind != '[' {
			wrong = "an array of values"
		}
	case shapeNumber, shapeFactor, shapeCount:
		wrong = wrongNumber(s, n)
	case shapeText:
		if n.kind != '"' {
			wrong = "a string"
		}
	case shapePattern:
		return v.fitsPattern(n, at)
	case shapeFlag:
		if n.kind != 't' && n.kind != 'f' {
			wrong = "true or false"
		}
	case shapeNames:
		wrong = wrongNames(n)
	case shapeNamesByName:
		wrong = "an object of arrays of different strings"
		if n.kind == '{' && !slices.ContainsFunc(n.items, func(list *node) bool { return wrongNames(list) != "" }) {
			wrong = ""
		}
	}
	if wrong != "" {
		v.fail(at, "expected %s, got %s; correct the keyword or remove it", wrong, clip(string(n.append(nil))))
		return false
	}
	return true
}

func wrongType(n *node) string {
	const wanted = "one of the types null, boolean, object, array, string, number, integer, or an array of different ones"
	if n.kind == '"' {
		if typeNamed(n.text) == 0 {
			return wanted
		}
		return ""
	}
	if n.kind != '[' || len(n.items) == 0 {
		return wanted
	}
	var seen types
	for _, item := range n.items {
		t := typeNamed(item.text)
		if item.kind != '"' || t == 0 || seen&t != 0 {
			return wanted
		}
		seen |= t
	}
	return ""
}

func wrongNumber(s shape, n *node) string {
	if n.kind != '0' {
		return map[shape]string{shapeNumber: "a number", shapeFactor: "a number above 0", shapeCount: "an integer of 0 or more"}[s]
	}
	d := parseDecimal([]byte(n.text), nil)
	switch s {
	case shapeFactor:
		if d.zero() || d.neg {
			return "a number above 0"
		}
		if _, ok := factorOf(d); !ok {
			return "a number of at most " + strconv.Itoa(maxFactorDigits) + " significant digits"
		}
	case shapeCount:
		if count, ok := d.int64(); !ok || count < 0 || count > maxCount {
			return "an integer from 0 to " + strconv.Itoa(maxCount)
		}
	}
	return ""
}

// maxCount is the greatest length that a keyword may name.
const maxCount = 1<<31 - 1

func wrongNames(n *node) string {
	const wanted = "an array of different strings"
	if n.kind != '[' {
		return wanted
	}
	seen := make(map[string]bool, len(n.items))
	for _, item := range n.items {
		if item.kind != '"' || seen[item.text] {
			return wanted
		}
		seen[item.text] = true
	}
	return ""
}

func (v *survey) fitsPattern(n *node, at string) bool {
	if n.kind != '"' {
		v.fail(at, "expected a regular expression, got %s; write a string", clip(string(n.append(nil))))
		return false
	}
	if _, err := regexp.Compile(n.text); err != nil {
		v.fail(at, "%v; use the syntax of Go's regexp, which has no look-around and no back-references", err)
		return false
	}
	return true
}

func (v *survey) fitsPatterns(n *node, at string) bool {
	if n.kind != '{' {
		v.fail(at, "expected an object of schemas, got %s; correct the keyword or remove it", clip(string(n.append(nil))))
		return false
	}
	ok := true
	for _, expr := range n.names {
		ok = v.fitsPattern(textNode(expr), pointerTo(at, expr)) && ok
	}
	return ok
}
