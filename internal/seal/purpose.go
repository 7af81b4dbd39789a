package seal

// Purpose says what a token is for. A token opens only for the purpose that it was sealed for.
type Purpose uint8

// The purposes.
const (
	Session Purpose = iota // a legacy session id
	State                  // the requestState of a call that asks
	Cursor                 // the cursor of a paged list
	purposes
)

// String returns the name of the purpose; it is part of the key derivation and must not change.
func (p Purpose) String() string {
	switch p {
	case Session:
		return "session"
	case State:
		return "state"
	case Cursor:
		return "cursor"
	default:
		return "unknown"
	}
}

// MaxToken is the length in bytes of the longest token of this purpose, 0 for an unknown one.
func (p Purpose) MaxToken() int {
	switch p {
	case Session:
		return 2 << 10
	case State:
		return encoding.EncodedLen(overhead + 16<<10) // 16 KiB of content
	case Cursor:
		return 1 << 10
	default:
		return 0
	}
}

// MaxContent is the length in bytes of the longest content that a token of this purpose holds, 0 for an unknown one.
func (p Purpose) MaxContent() int {
	return max(0, encoding.DecodedLen(p.MaxToken())-overhead)
}
