package protocol

import (
	"strconv"
	"strings"
)

// integerKind is what a decimal text turned out to be.
type integerKind uint8

const (
	noInteger    integerKind = iota // no JSON number, or one with a fraction
	exactInteger                    // an integer that a double holds exactly
	hugeInteger                     // an integer outside that
)

const (
	safeInteger = 1<<53 - 1
	// safeDigits is how many digits safeInteger has.
	safeDigits = 16
)

// parseInteger reads a JSON number that has an integer value: "42", "42.0" and "4.2e1" are the same.
// It works on the digits, so nothing is rounded, and in time linear in the text.
func parseInteger(text string) (value int64, kind integerKind) {
	digits, exponent, negative, ok := splitNumber(text)
	if !ok {
		return 0, noInteger
	}
	trimmed := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(trimmed)
	trimmed = strings.TrimLeft(trimmed, "0")
	switch {
	case trimmed == "":
		return 0, exactInteger
	case exponent < 0:
		return 0, noInteger
	case exponent > safeDigits || len(trimmed)+exponent > safeDigits:
		return 0, hugeInteger
	}
	value, err := strconv.ParseInt(trimmed+strings.Repeat("0", exponent), 10, 64)
	if err != nil || value > safeInteger {
		return 0, hugeInteger
	}
	if negative {
		value = -value
	}
	return value, exactInteger
}

// splitNumber cuts a JSON number into its digits without the point and the exponent that belongs to them.
func splitNumber(text string) (digits string, exponent int, negative, ok bool) {
	text, negative = strings.CutPrefix(text, "-")
	mantissa, power := text, ""
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		mantissa, power = text[:at], text[at+1:]
		if exponent, ok = parseExponent(power); !ok {
			return "", 0, false, false
		}
	}
	whole, fraction, pointed := strings.Cut(mantissa, ".")
	if !allDigits(whole) || (len(whole) > 1 && whole[0] == '0') || (pointed && !allDigits(fraction)) {
		return "", 0, false, false
	}
	return whole + fraction, exponent - len(fraction), negative, true
}

// exponentLimit bounds exponents: beyond it the size of the number is settled, as texts are shorter than that.
const exponentLimit = 1 << 30

func parseExponent(text string) (int, bool) {
	negative := strings.HasPrefix(text, "-")
	if negative || strings.HasPrefix(text, "+") {
		text = text[1:]
	}
	if !allDigits(text) {
		return 0, false
	}
	value, err := strconv.Atoi(text)
	if err != nil || value > exponentLimit {
		value = exponentLimit
	}
	if negative {
		value = -value
	}
	return value, true
}

func allDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}
