package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"
)

const (
	// MinKey is the length in bytes of the shortest key.
	MinKey = 16
	// MaxKeys is the largest number of keys in a ring: each of them may have to be tried on a foreign token.
	MaxKeys = 16
)

// Ring is a list of keys. It is safe for concurrent use, and always holds the same keys.
type Ring struct {
	keys   func() []purposeKeys // the first one seals
	now    func() time.Time
	shared bool
}

// purposeKeys holds one AEAD a purpose, all derived from one key.
type purposeKeys [purposes]cipher.AEAD

// NewRing makes a ring. The first key seals, all of them open; each has at least MinKey bytes, and they are not kept. Without
// keys the ring makes a random one when it is first used, and its tokens die with the process. now is the clock.
func NewRing(keys [][]byte, now func() time.Time) (*Ring, error) {
	if now == nil {
		return nil, errors.New("key ring: the clock is nil; pass time.Now")
	}
	if len(keys) > MaxKeys {
		return nil, fmt.Errorf("key ring: %d keys, at most %d are allowed; drop those whose tokens have expired", len(keys), MaxKeys)
	}
	if len(keys) == 0 {
		// Many a server never seals a token, and the first use of all this cryptography takes 0.1 ms of a start.
		return &Ring{keys: sync.OnceValue(randomKeys), now: now}, nil
	}
	all := make([]purposeKeys, 0, len(keys))
	for i, key := range keys {
		if len(key) < MinKey {
			return nil, fmt.Errorf("key ring: key %d has %d bytes, at least %d are needed; make one with: openssl rand -base64 32", i+1, len(key), MinKey)
		}
		derived, err := derive(key)
		if err != nil {
			return nil, fmt.Errorf("key ring: key %d: %w", i+1, err)
		}
		all = append(all, derived)
	}
	return &Ring{keys: func() []purposeKeys { return all }, now: now, shared: true}, nil
}

// randomKeys are those of one random key. Deriving from a key of that size does not fail; if it did, there would be no keys,
// and a ring without keys seals nothing and opens nothing.
func randomKeys() []purposeKeys {
	random := make([]byte, sha256.Size)
	rand.Read(random) // never fails
	derived, err := derive(random)
	if err != nil {
		return nil
	}
	return []purposeKeys{derived}
}

// Shared reports whether the keys were supplied, so that other processes can open this ring's tokens.
func (r *Ring) Shared() bool { return r.shared }

func derive(key []byte) (purposeKeys, error) {
	var derived purposeKeys
	for p := range purposes {
		secret, err := hkdf.Key(sha256.New, key, nil, "bowline sealed token 1: "+p.String(), 32)
		if err != nil {
			return derived, err
		}
		block, err := aes.NewCipher(secret)
		if err != nil {
			return derived, err
		}
		if derived[p], err = cipher.NewGCMWithRandomNonce(block); err != nil {
			return derived, err
		}
	}
	return derived, nil
}
