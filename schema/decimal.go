package schema

import (
	"bytes"
	"math/bits"
)

// A decimal is an exact number: digits × 10^exp, negated if neg. digits has no leading or trailing zero and is empty for
// zero, so a number is integral exactly when exp >= 0.
type decimal struct {
	neg    bool
	digits []byte // '0' to '9'
	exp    int64
}

// maxExponent is where exponents saturate: far beyond what the digits of any message can make up for.
const maxExponent = 1 << 40

// parseDecimal reads the literal of a valid JSON number. It uses buf for the digits if they fit.
func parseDecimal(literal, buf []byte) decimal {
	d := decimal{digits: buf[:0]}
	if literal[0] == '-' {
		d.neg, literal = true, literal[1:]
	}
	mantissa := literal
	if i := bytes.IndexAny(literal, "eE"); i >= 0 {
		mantissa, d.exp = literal[:i], parseExponent(literal[i+1:])
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte{'.'})
	d.digits = append(append(d.digits, whole...), fraction...)
	d.exp -= int64(len(fraction))
	for len(d.digits) > 0 && d.digits[len(d.digits)-1] == '0' {
		d.digits = d.digits[:len(d.digits)-1]
		d.exp++
	}
	d.digits = bytes.TrimLeft(d.digits, "0")
	if len(d.digits) == 0 {
		return decimal{}
	}
	return d
}

func parseExponent(text []byte) int64 {
	negative := text[0] == '-'
	if text[0] == '-' || text[0] == '+' {
		text = text[1:]
	}
	var e int64
	for _, c := range text {
		if e = e*10 + int64(c-'0'); e > maxExponent {
			e = maxExponent
			break
		}
	}
	if negative {
		return -e
	}
	return e
}

func (d decimal) zero() bool     { return len(d.digits) == 0 }
func (d decimal) integral() bool { return d.exp >= 0 }

// compare returns -1, 0 or 1 as a is less than, equal to or greater than b.
func (d decimal) compare(b decimal) int {
	switch {
	case d.zero() && b.zero():
		return 0
	case d.zero():
		return b.sign(-1)
	case b.zero() || d.neg != b.neg:
		return d.sign(1)
	}
	return d.sign(d.compareMagnitude(b))
}

// sign returns n, negated for a negative number.
func (d decimal) sign(n int) int {
	if d.neg {
		return -n
	}
	return n
}

func (d decimal) compareMagnitude(b decimal) int {
	top, other := int64(len(d.digits))+d.exp, int64(len(b.digits))+b.exp
	switch {
	case top > other:
		return 1
	case top < other:
		return -1
	}
	return bytes.Compare(d.digits, b.digits) // equal tops: the digits compare as fractions do
}

// uint64 returns the magnitude of an integral number if it fits.
func (d decimal) uint64() (n uint64, ok bool) {
	if !d.integral() || int64(len(d.digits))+d.exp > 20 {
		return 0, false
	}
	for i := range len(d.digits) + int(d.exp) {
		digit := uint64(0)
		if i < len(d.digits) {
			digit = uint64(d.digits[i] - '0')
		}
		high, low := bits.Mul64(n, 10)
		sum, carry := bits.Add64(low, digit, 0)
		if high != 0 || carry != 0 {
			return 0, false
		}
		n = sum
	}
	return n, true
}

// int64 returns an integral number if it fits.
func (d decimal) int64() (int64, bool) {
	n, ok := d.uint64()
	switch {
	case !ok:
		return 0, false
	case d.neg:
		return -int64(n), n <= 1<<63
	}
	return int64(n), n < 1<<63
}

// A factor is a positive number that others may be multiples of: unit × 10^exp, unit < 10^18 and not divisible by 10.
type factor struct {
	unit uint64
	exp  int64
}

// maxFactorDigits keeps unit and its products with a digit inside 64 bits.
const maxFactorDigits = 18

// factorOf returns false for a number that has more significant digits than a factor.
func factorOf(d decimal) (factor, bool) {
	if d.zero() || d.neg || len(d.digits) > maxFactorDigits {
		return factor{}, false
	}
	unit, _ := decimal{digits: d.digits}.uint64()
	return factor{unit, d.exp}, true
}

// divides reports whether d is an integral multiple of f, in time linear in the digits of d.
func (f factor) divides(d decimal) bool {
	if d.zero() {
		return true
	}
	if d.exp < f.exp {
		// d.digits does not end in zero, so it is no multiple of a positive power of ten.
		return false
	}
	var rest uint64
	for _, c := range d.digits {
		rest = (mulMod(rest, 10, f.unit) + uint64(c-'0')) % f.unit
	}
	power, base := uint64(1)%f.unit, uint64(10)%f.unit
	for e := d.exp - f.exp; e > 0; e >>= 1 {
		if e&1 == 1 {
			power = mulMod(power, base, f.unit)
		}
		base = mulMod(base, base, f.unit)
	}
	return mulMod(rest, power, f.unit) == 0
}

// mulMod returns a*b mod m for a, b < m or small.
func mulMod(a, b, m uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return bits.Rem64(high, low, m)
}
