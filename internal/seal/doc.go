// Package seal makes and opens sealed tokens: short texts that a client carries for the server and can neither read nor
// change. A token has a version, a purpose, an expiry and a binding, and is safe in a header, a URL and a JSON string.
//
// Layout, in base64url without padding:
//
//	version (1 byte) | nonce (12) | AES-256-GCM of expiry (8, Unix milliseconds, big endian) and content | tag (16)
//
// Each key and purpose has an AES key of its own, derived with HKDF-SHA-256, so a token of one purpose never opens as
// another. Nonces are random: a key should seal at most 2^32 tokens of one purpose before it is replaced. To replace a key,
// put the new one in front and keep the old one until its last token has expired.
//
// This package does not know what is inside a token, does not remember tokens (one that opened opens again until it
// expires), and does not hide how long the content is.
package seal
