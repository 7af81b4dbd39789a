package schema

import (
	"math"
	"strconv"
)

func numberRuleOf(n *node) *numberRule {
	rule := &numberRule{low: math.MinInt64, high: math.MaxInt64}
	for _, b := range []struct {
		keyword string
		keep    int
		open    bool
		sign    string
	}{
		{"minimum", 1, false, "≥ "},
		{"exclusiveMinimum", 1, true, "> "},
		{"maximum", -1, false, "≤ "},
		{"exclusiveMaximum", -1, true, "< "},
	} {
		value := n.get(b.keyword)
		if value == nil {
			continue
		}
		limit := parseDecimal([]byte(value.text), nil)
		rule.bounds = append(rule.bounds, bound{limit, b.keep, b.open, b.sign + value.text})
		if b.keep == 1 {
			rule.low = max(rule.low, least(limit, b.open))
		} else {
			rule.high = min(rule.high, greatest(limit, b.open))
		}
	}
	if step := n.get("multipleOf"); step != nil {
		f, _ := factorOf(parseDecimal([]byte(step.text), nil)) // wrongNumber has checked it
		rule.factor, rule.stepText = &f, step.text
		rule.step, _ = decimal{digits: parseDecimal([]byte(step.text), nil).digits, exp: f.exp}.uint64()
	}
	if rule.bounds == nil && rule.factor == nil {
		return nil
	}
	for _, b := range rule.bounds {
		if b.keep == 1 && beyond(b.limit, b.open) == 1 || b.keep == -1 && beyond(b.limit, b.open) == -1 {
			rule.low, rule.high = 1, 0 // no int64 is within the bounds
		}
	}
	return rule
}

// beyond says on which side of all int64 a limit lies: every int64 is below (1) or above (-1) it, or neither (0).
func beyond(limit decimal, open bool) int {
	top, bottom := decimalOf(math.MaxInt64), decimalOf(math.MinInt64)
	if c := limit.compare(top); c > 0 || open && c == 0 {
		return 1
	}
	if c := limit.compare(bottom); c < 0 || open && c == 0 {
		return -1
	}
	return 0
}

// least returns the least int64 that a lower bound accepts, saturated.
func least(limit decimal, open bool) int64 {
	n, exact, side := floor(limit)
	switch {
	case side > 0:
		return math.MaxInt64
	case side < 0:
		return math.MinInt64
	case exact && !open || n == math.MaxInt64:
		return n
	}
	return n + 1
}

// greatest returns the greatest int64 that an upper bound accepts, saturated.
func greatest(limit decimal, open bool) int64 {
	n, exact, side := floor(limit)
	switch {
	case side > 0:
		return math.MaxInt64
	case side < 0:
		return math.MinInt64
	case exact && open && n > math.MinInt64:
		return n - 1
	}
	return n
}

// floor rounds down to an int64. side is not 0 when the number is above or below all of them.
func floor(d decimal) (n int64, exact bool, side int) {
	if d.integral() {
		if n, ok := d.int64(); ok {
			return n, true, 0
		}
		return 0, false, d.sign(1)
	}
	whole := decimal{neg: d.neg}
	if cut := int64(len(d.digits)) + d.exp; cut > 0 {
		whole.digits = d.digits[:cut]
	}
	n, ok := whole.int64()
	switch {
	case !ok:
		return 0, false, d.sign(1)
	case !d.neg:
		return n, false, 0
	case n == math.MinInt64:
		return 0, false, -1
	}
	return n - 1, false, 0
}

func decimalOf(n int64) decimal { return parseDecimal(strconv.AppendInt(nil, n, 10), nil) }

// checkInt returns what an integer violates, or nothing.
func (r *numberRule) checkInt(n int64) string {
	if r.low <= n && n <= r.high {
		if r.step == 0 {
			if r.factor == nil {
				return ""
			}
		} else if magnitude(n)%r.step == 0 {
			return ""
		}
	}
	var buf, digits [24]byte
	return r.check(parseDecimal(strconv.AppendInt(buf[:0], n, 10), digits[:]))
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// check returns what a number violates, or nothing.
func (r *numberRule) check(d decimal) string {
	for i := range r.bounds {
		if r.bounds[i].refuses(d) {
			return r.bounds[i].words
		}
	}
	if r.factor != nil && !r.factor.divides(d) {
		return "that is a multiple of " + r.stepText
	}
	return ""
}
