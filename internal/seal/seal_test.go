package seal_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bowline-go/mcp/internal/seal"
)

var (
	epoch    = time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
	purposes = []seal.Purpose{seal.Session, seal.State, seal.Cursor}
	keyA     = []byte("0123456789abcdefA")
	keyB     = []byte("0123456789abcdefB")
)

// golden tokens were sealed with keyA for "bind" and expire an hour after epoch.
var golden = []struct {
	p       seal.Purpose
	token   string
	content string
}{
	{seal.Session, "ASLid-6LlMZbTvjzJCWfxnqyb3202vx2X7YTlYksnwh1jGK-3XwCUScoGyI", "session"},
	{seal.State, "AYphFdivVeuz1VpSCgd75NdheUBTtxxcavSJSS4S3-sfd3HSvY_z4i9_xJZbxtU", "世界😀"},
	{seal.Cursor, "AdTU1jEBScaypOogpcCnkacMrCRwwIzVvsIqFfHVxrdarS7Prw", ""},
}

func stopped() time.Time { return epoch }

func ring(t testing.TB, keys ...[]byte) *seal.Ring {
	t.Helper()
	r, err := seal.NewRing(keys, stopped)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSealedContentOpensUnchanged(t *testing.T) {
	r := ring(t, keyA)
	for _, p := range purposes {
		for _, content := range []string{"", "x", "世界😀", "\x00\xff", strings.Repeat("a", p.MaxContent())} {
			for _, bind := range []string{"", "server\x00世界"} {
				token := r.Seal(p, []byte(content), []byte(bind), time.Hour)
				if len(token) > p.MaxToken() {
					t.Errorf("%v: a token of %d bytes is longer than %d", p, len(token), p.MaxToken())
				}
				if strings.Trim(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
					t.Errorf("%v: %q is not base64url", p, token)
				}
				got, err := r.Open(p, token, []byte(bind))
				if err != nil || string(got) != content {
					t.Errorf("%v: %.20q came back as %.20q, %v", p, content, got, err)
				}
			}
		}
	}
}

func TestTokensOfEarlierReleasesOpen(t *testing.T) {
	r := ring(t, keyB, keyA)
	for _, g := range golden {
		if got, err := r.Open(g.p, g.token, []byte("bind")); err != nil || string(got) != g.content {
			t.Errorf("%v: %q, %v", g.p, got, err)
		}
	}
}

func TestContentIsTheCallers(t *testing.T) {
	r := ring(t, keyA)
	token := r.Seal(seal.State, []byte("abc"), nil, time.Hour)
	first, err := r.Open(seal.State, token, nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = append(first, 'x')
	first[0] = 'x'
	if again, err := r.Open(seal.State, token, nil); err != nil || string(again) != "abc" {
		t.Errorf("%q, %v", again, err)
	}
}

func TestForeignTokensAreRefused(t *testing.T) {
	r := ring(t, keyA)
	token := r.Seal(seal.State, []byte("secret"), []byte("bind"), time.Hour)
	for _, c := range []struct {
		rule  string
		ring  *seal.Ring
		p     seal.Purpose
		token string
		bind  string
	}{
		{"another purpose", r, seal.Session, token, "bind"},
		{"a third purpose", r, seal.Cursor, token, "bind"},
		{"an unknown purpose", r, seal.Cursor + 1, token, "bind"},
		{"the largest purpose", r, 255, token, "bind"},
		{"another binding", r, seal.State, token, "bine"},
		{"no binding", r, seal.State, token, ""},
		{"a longer binding", r, seal.State, token, "bind\x00"},
		{"another key", ring(t, keyB), seal.State, token, "bind"},
		{"a random key", ring(t), seal.State, token, "bind"},
		{"an empty token", r, seal.State, "", "bind"},
		{"a token that is not base64", r, seal.State, "世界" + token, "bind"},
		{"padding", r, seal.State, token + "=", "bind"},
		{"a line end at the end", r, seal.State, token + "\n", "bind"},
		{"line ends inside", r, seal.State, token[:4] + "\r\n" + token[4:], "bind"},
		{"trailing data", r, seal.State, token + "AAAA", "bind"},
		{"two tokens", r, seal.State, token + token, "bind"},
		{"too long a token", r, seal.State, strings.Repeat("A", 1<<20), "bind"},
		{"zeros", r, seal.State, strings.Repeat("A", 100), "bind"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			got, err := c.ring.Open(c.p, c.token, []byte(c.bind))
			if got != nil || err != seal.ErrInvalid {
				t.Errorf("%q, %v; want exactly ErrInvalid", got, err)
			}
		})
	}
	for n := range len(token) {
		if _, err := r.Open(seal.State, token[:n], []byte("bind")); err != seal.ErrInvalid {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
	}
}

func TestEveryBitFlipIsRefused(t *testing.T) {
	r := ring(t, keyA, keyB)
	for size := range 4 { // every remainder of the base64 length
		token := r.Seal(seal.Session, []byte("abcd"[:size]), nil, time.Hour)
		raw, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil {
			t.Fatal(err)
		}
		for bit := range 8 * len(raw) {
			flipped := bytes.Clone(raw)
			flipped[bit/8] ^= 1 << (bit % 8)
			if _, err := r.Open(seal.Session, base64.RawURLEncoding.EncodeToString(flipped), nil); err != seal.ErrInvalid {
				t.Fatalf("bit %d of the token: %v", bit, err)
			}
		}
		for bit := range 8 * len(token) { // the spelling, its unused last bits included
			flipped := []byte(token)
			flipped[bit/8] ^= 1 << (bit % 8)
			if _, err := r.Open(seal.Session, string(flipped), nil); err != seal.ErrInvalid {
				t.Fatalf("bit %d of the text: %v", bit, err)
			}
		}
	}
}

func TestTokensExpire(t *testing.T) {
	now := epoch
	r, err := seal.NewRing([][]byte{keyA}, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule       string
		ttl, later time.Duration
		want       error
	}{
		{"before its end a token opens", time.Second, time.Second - time.Millisecond, nil},
		{"at its end it has expired", time.Second, time.Second, seal.ErrExpired},
		{"long after its end it has expired", time.Second, 1000 * time.Hour, seal.ErrExpired},
		{"without a life it has expired at once", 0, 0, seal.ErrExpired},
		{"with a negative life it has expired at once", -time.Hour, 0, seal.ErrExpired},
		{"the longest life does not overflow", 1<<63 - 1, 1000 * time.Hour, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			now = epoch
			token := r.Seal(seal.Cursor, []byte("x"), nil, c.ttl)
			now = epoch.Add(c.later)
			if _, err := r.Open(seal.Cursor, token, nil); err != c.want {
				t.Errorf("%v, want %v", err, c.want)
			}
			if _, err := r.Open(seal.Cursor, token, []byte("other")); err != seal.ErrInvalid {
				t.Errorf("for another binding: %v; expiry must not be told to strangers", err)
			}
		})
	}
}

func TestKeysRotate(t *testing.T) {
	before, during, after := ring(t, keyA), ring(t, keyB, keyA), ring(t, keyB)
	old := before.Seal(seal.Session, []byte("old"), nil, time.Hour)
	if got, err := during.Open(seal.Session, old, nil); err != nil || string(got) != "old" {
		t.Errorf("a token of the second key: %q, %v", got, err)
	}
	fresh := during.Seal(seal.Session, []byte("new"), nil, time.Hour)
	if got, err := after.Open(seal.Session, fresh, nil); err != nil || string(got) != "new" {
		t.Errorf("the first key does not seal: %q, %v", got, err)
	}
	if _, err := after.Open(seal.Session, old, nil); err != seal.ErrInvalid {
		t.Errorf("a token of a dropped key: %v", err)
	}
}

func TestKeysMayBeOverwrittenAfterwards(t *testing.T) {
	key := bytes.Clone(keyA)
	r := ring(t, key)
	clear(key)
	token := r.Seal(seal.Session, nil, nil, time.Hour)
	if _, err := ring(t, keyA).Open(seal.Session, token, nil); err != nil {
		t.Error(err)
	}
}

func TestTwoTokensAreNeverTheSame(t *testing.T) {
	r := ring(t, keyA)
	if a, b := r.Seal(seal.State, nil, nil, time.Hour), r.Seal(seal.State, nil, nil, time.Hour); a == b {
		t.Error("the nonce is not random")
	}
}

func TestTagsTellTokensApart(t *testing.T) {
	r := ring(t, keyA)
	tags := map[string]bool{}
	for size := range 9 {
		token := r.Seal(seal.Session, make([]byte, size), nil, time.Hour)
		tag := seal.Tag(token)
		if !strings.HasSuffix(token, tag) || len(tag) != 22 || tags[tag] {
			t.Errorf("%q has the tag %q", token, tag)
		}
		tags[tag] = true
	}
}

func TestContentBeyondTheLimitIsNotSealed(t *testing.T) {
	r := ring(t, keyA)
	for _, p := range append(purposes, seal.Cursor+1) {
		if token := r.Seal(p, make([]byte, p.MaxContent()+1), nil, time.Hour); token != "" {
			t.Errorf("%v: sealed a token of %d bytes", p, len(token))
		}
	}
	if got := seal.Session.MaxToken(); got != 2048 {
		t.Errorf("session tokens have up to %d bytes", got)
	}
	if got := seal.State.MaxContent(); got != 16<<10 {
		t.Errorf("state holds up to %d bytes", got)
	}
}

func TestNewRing(t *testing.T) {
	if !ring(t, keyA).Shared() || ring(t).Shared() {
		t.Error("Shared must tell supplied keys from a random one")
	}
	for _, c := range []struct {
		rule string
		keys [][]byte
		now  func() time.Time
		want string
	}{
		{"a short key", [][]byte{keyA, []byte("short")}, stopped, "key 2 has 5 bytes, at least 16 are needed; make one with: openssl rand -base64 32"},
		{"an empty key", [][]byte{{}}, stopped, "key 1 has 0 bytes"},
		{"too many keys", repeated(keyA, seal.MaxKeys+1), stopped, "17 keys, at most 16 are allowed; drop those whose tokens have expired"},
		{"no clock", [][]byte{keyA}, nil, "the clock is nil; pass time.Now"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			r, err := seal.NewRing(c.keys, c.now)
			if r != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v; want %s", r, err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), "short") {
				t.Error("the error quotes the key")
			}
		})
	}
}

func repeated(key []byte, n int) [][]byte {
	var keys [][]byte
	for range n {
		keys = append(keys, key)
	}
	return keys
}

func TestRingsAreSafeForConcurrentUse(t *testing.T) {
	r := ring(t, keyA, keyB)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 100 {
				p, content := purposes[j%3], fmt.Sprint(i, j)
				got, err := r.Open(p, r.Seal(p, []byte(content), nil, time.Hour), nil)
				if err != nil || string(got) != content {
					t.Errorf("%q, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestARandomKeyIsMadeOnce(t *testing.T) {
	r := ring(t)
	tokens := make([]string, 8)
	var wg sync.WaitGroup
	for i := range tokens {
		wg.Go(func() { tokens[i] = r.Seal(seal.State, []byte("世界😀"), nil, time.Hour) })
	}
	wg.Wait()
	for _, token := range tokens {
		if got, err := r.Open(seal.State, token, nil); err != nil || string(got) != "世界😀" {
			t.Errorf("a token of the first use: %q, %v", got, err)
		}
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, err := range []error{seal.ErrInvalid, seal.ErrExpired} {
		if !strings.Contains(err.Error(), "start over") {
			t.Error(err)
		}
	}
	if errors.Is(seal.ErrExpired, seal.ErrInvalid) {
		t.Error("the two errors must be told apart")
	}
}

func TestOpenAllocatesOnce(t *testing.T) {
	r := ring(t, keyA)
	token, bind := r.Seal(seal.Session, make([]byte, 100), nil, time.Hour), []byte("bind")
	if n := testing.AllocsPerRun(100, func() { r.Open(seal.Session, token, nil) }); n > 1 {
		t.Errorf("Open: %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { r.Seal(seal.Session, bind, bind, time.Hour) }); n > 3 {
		t.Errorf("Seal: %v allocations", n)
	}
}

func FuzzOpen(f *testing.F) {
	r := ring(f, keyA, keyB)
	sealed := map[string]bool{}
	for _, g := range golden {
		sealed[g.token] = true
		f.Add(uint8(g.p), g.token)
	}
	f.Fuzz(func(t *testing.T, p uint8, token string) {
		if got, err := r.Open(seal.Purpose(p), token, []byte("bind")); err == nil && !sealed[token] {
			t.Errorf("%q was not sealed here, but opened to %q", token, got)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	for _, size := range []int{16, 100, 1000} {
		for _, keys := range [][][]byte{{keyA}, {keyB, keyA}} {
			token := ring(b, keyA).Seal(seal.Session, make([]byte, size), []byte("bind"), time.Hour)
			r, bind := ring(b, keys...), []byte("bind")
			b.Run(fmt.Sprintf("bytes=%d/keys=%d", size, len(keys)), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := r.Open(seal.Session, token, bind); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkSeal(b *testing.B) {
	r, content, bind := ring(b, keyA), make([]byte, 100), []byte("bind")
	b.ReportAllocs()
	for b.Loop() {
		r.Seal(seal.Session, content, bind, time.Hour)
	}
}

func BenchmarkNewRing(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := seal.NewRing(nil, stopped); err != nil {
			b.Fatal(err)
		}
	}
}
