package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// CheckMeta checks the _meta of a definition: a JSON object whose keys follow the naming
// rules and are not reserved for the protocol. Nil is no _meta. It returns every
// mistake, in the order of the keys.
//
// basic/index#meta: an optional prefix of labels, a slash, and a name.
func CheckMeta(meta []byte) error {
	if meta == nil {
		return nil
	}
	var members map[string]json.RawMessage
	if err := Decode(meta, &members); err != nil || members == nil {
		return errors.New("it is no JSON object; use one such as {\"example.com/owner\":\"me\"}")
	}
	var mistakes []error
	for _, key := range slices.Sorted(maps.Keys(members)) {
		if err := checkMetaKey(key); err != nil {
			mistakes = append(mistakes, err)
		}
	}
	return errors.Join(mistakes...)
}

func checkMetaKey(key string) error {
	prefix, name, prefixed := strings.Cut(key, "/")
	if !prefixed {
		prefix, name = "", key
	}
	if prefixed {
		labels := strings.Split(prefix, ".")
		for _, label := range labels {
			if !isMetaLabel(label) {
				return fmt.Errorf("the key %q has the label %q; labels begin with a letter and hold letters, digits and hyphens", key, label)
			}
		}
		if len(labels) > 1 && (labels[1] == "modelcontextprotocol" || labels[1] == "mcp") {
			return fmt.Errorf("the key %q is reserved for the protocol; use a prefix of your own", key)
		}
	}
	if !isMetaName(name) {
		return fmt.Errorf("the key %q has the name %q; names begin and end with a letter or a digit and hold letters, digits, '-', '_' and '.'", key, name)
	}
	return nil
}

func isMetaLabel(label string) bool {
	if label == "" || !isLetter(label[0]) || label[len(label)-1] == '-' {
		return false
	}
	for i := range len(label) {
		if c := label[i]; !isLetter(c) && !isDigit(c) && c != '-' {
			return false
		}
	}
	return true
}

func isMetaName(name string) bool {
	for i := range len(name) {
		c := name[i]
		inner := i > 0 && i < len(name)-1
		if !isLetter(c) && !isDigit(c) && !(inner && (c == '-' || c == '_' || c == '.')) {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
