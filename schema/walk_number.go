package schema

import (
	"reflect"
	"strconv"
)

// numeric takes a number.
func (w *walker) numeric(p *plan, b *binding, dst reflect.Value) bool {
	literal, integer, ok := w.number()
	if !ok {
		return false
	}
	if p.types != 0 && p.types&(typeNumber|typeInteger) == 0 {
		w.expected(p.String(), literal)
		return true
	}
	var n int64
	fits := false
	if integer {
		n, fits = parseInt(literal)
	}
	if !fits {
		return w.decimal(literal, p, b, dst)
	}
	if p.number != nil {
		if wrong := p.number.checkInt(n); wrong != "" {
			w.expected(numberWords(p, wrong), literal)
			return true
		}
	}
	if b != nil {
		w.setInt(n, literal, b, dst)
	}
	return true
}

// decimal takes a number that is no int64 as it is written.
func (w *walker) decimal(literal []byte, p *plan, b *binding, dst reflect.Value) bool {
	var buf [64]byte
	d := parseDecimal(literal, buf[:])
	if p.types != 0 && p.types&typeNumber == 0 && !d.integral() {
		w.expected(p.String(), literal)
		return true
	}
	if p.number != nil {
		if wrong := p.number.check(d); wrong != "" {
			w.expected(numberWords(p, wrong), literal)
			return true
		}
	}
	if b != nil {
		w.setDecimal(d, literal, b, dst)
	}
	return true
}

// numberWords words a rule: "integer ≤ 100".
func numberWords(p *plan, rule string) string {
	kind := "number"
	if p.types&typeInteger != 0 && p.types&typeNumber == 0 {
		kind = "integer"
	}
	return kind + " " + rule
}

// parseInt reads an integer literal if it fits int64.
func parseInt(literal []byte) (int64, bool) {
	digits, negative := literal, literal[0] == '-'
	if negative {
		digits = digits[1:]
	}
	if len(digits) > 18 {
		n, err := strconv.ParseInt(string(literal[:min(len(literal), 32)]), 10, 64)
		return n, err == nil && len(literal) <= 32
	}
	var n int64
	for _, c := range digits {
		n = n*10 + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}
