package seal

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
	"time"
)

var (
	// ErrInvalid is the one error for every token that this ring did not seal for this purpose and binding: malformed,
	// changed, foreign, of a dropped key.
	ErrInvalid = errors.New("the token is not valid here; start over without it")
	// ErrExpired is the error for a token that is genuine and has expired.
	ErrExpired = errors.New("the token has expired; start over without it")
)

const (
	version     = 1
	versionSize = 1
	expirySize  = 8
	boxSize     = 12 + 16 // nonce and tag, both written by the AEAD
	overhead    = versionSize + boxSize + expirySize
)

// encoding is strict: it refuses the unused bits of a last character, which would give one token several spellings.
var encoding = base64.RawURLEncoding.Strict()

// Seal makes a token for content that Open accepts for ttl, for the same purpose and bind only. bind is not in the token:
// it is whatever must be the same again when the token comes back. It returns "", which never opens, when p is unknown or
// content is longer than p.MaxContent.
func (r *Ring) Seal(p Purpose, content, bind []byte, ttl time.Duration) string {
	keys := r.keys()
	if len(keys) == 0 || p >= purposes || len(content) > p.MaxContent() {
		return ""
	}
	plainSize := expirySize + len(content)
	boxed := versionSize + boxSize + plainSize
	scratch := make([]byte, boxed, boxed+plainSize)
	plain := binary.BigEndian.AppendUint64(scratch[boxed:], uint64(r.now().Add(ttl).UnixMilli()))
	plain = append(plain, content...)
	scratch[0] = version
	keys[0][p].Seal(scratch[:versionSize], nil, plain, bind)
	return encoding.EncodeToString(scratch)
}

// tagText is how many characters of a token the last 16 bytes, its tag, take part in.
const tagText = 22

// Tag returns the end of a token that Open has accepted. It tells tokens of one ring apart, and is no
// secret: nobody can make a token from it.
func Tag(token string) string { return token[len(token)-tagText:] }

// Open returns the content of a token that Seal of a ring with the same key made for p and bind. The error is ErrExpired or
// ErrInvalid. The content is the caller's.
func (r *Ring) Open(p Purpose, token string, bind []byte) ([]byte, error) {
	if p >= purposes || len(token) > p.MaxToken() {
		return nil, ErrInvalid
	}
	// The decoder skips line ends, which would give one token several spellings.
	if strings.IndexByte(token, '\n') >= 0 || strings.IndexByte(token, '\r') >= 0 {
		return nil, ErrInvalid
	}
	size := encoding.DecodedLen(len(token))
	if size < overhead {
		return nil, ErrInvalid
	}
	scratch := make([]byte, size, 2*size)
	if _, err := encoding.Decode(scratch, []byte(token)); err != nil || scratch[0] != version {
		return nil, ErrInvalid
	}
	for _, key := range r.keys() {
		plain, err := key[p].Open(scratch[size:], nil, scratch[versionSize:], bind)
		if err != nil {
			continue
		}
		if expiry := int64(binary.BigEndian.Uint64(plain)); r.now().UnixMilli() >= expiry {
			return nil, ErrExpired
		}
		return plain[expirySize:len(plain):len(plain)], nil
	}
	return nil, ErrInvalid
}
