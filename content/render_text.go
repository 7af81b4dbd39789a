package content

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// PlainText renders one text block without quotes: a string as it is, then what
// an [encoding.TextMarshaler], an error or a [fmt.Stringer] says of itself, then
// numbers and booleans. Pointers stand for what they point to.
func PlainText() Renderer { return plainText{} }

type plainText struct{}

func (plainText) Render(v any) ([]Block, error) {
	text, ok, err := textOf(v)
	if err != nil {
		return nil, fmt.Errorf("content: a %T could not be written as text: %w", v, err)
	}
	if !ok {
		return nil, cannotRender("text", v, "a string, a number, a boolean, an encoding.TextMarshaler or a fmt.Stringer")
	}
	return []Block{Text{Text: text}}, nil
}

// textOf is the plain text of v; ok is false when v has none.
func textOf(v any) (text string, ok bool, err error) {
	if isNil(v) {
		return "", false, nil
	}
	switch v := v.(type) {
	case string:
		return v, true, nil
	case encoding.TextMarshaler:
		text, err := v.MarshalText()
		return string(text), true, err
	case error:
		return v.Error(), true, nil
	case fmt.Stringer:
		return v.String(), true, nil
	}
	value := reflect.ValueOf(v)
	if value.Kind() == reflect.Pointer {
		value = value.Elem() // its methods are the pointer's, too
	}
	switch value.Kind() {
	case reflect.String:
		return value.String(), true, nil
	case reflect.Bool:
		return strconv.FormatBool(value.Bool()), true, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(value.Int(), 10), true, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(value.Uint(), 10), true, nil
	case reflect.Float32:
		return formatFloat(value.Float(), 32), true, nil
	case reflect.Float64:
		return formatFloat(value.Float(), 64), true, nil
	}
	return "", false, nil
}

// formatFloat writes a number as people do, and with an exponent only where JSON does.
func formatFloat(f float64, bits int) string {
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	return strconv.FormatFloat(f, format, -1, bits)
}

// cannotRender is the error for a value that a renderer does not take.
func cannotRender(as string, v any, want string) error {
	if v == nil {
		return fmt.Errorf("content: no value (nil) cannot be rendered as %s; return %s", as, want)
	}
	return fmt.Errorf("content: a %T cannot be rendered as %s; return %s", v, as, want)
}
