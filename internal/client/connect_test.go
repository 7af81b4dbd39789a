package client_test

import (
	"strings"
	"testing"

	"github.com/bowline-go/mcp/internal/client"
	"github.com/bowline-go/mcp/internal/protocol"
)

func TestHandshakeOfEachLegacyRevision(t *testing.T) {
	for _, name := range protocol.LegacyNames() {
		t.Run(name, func(t *testing.T) {
			s := &server{t: t}
			s.client = client.New(s, client.Options{
				Revision: protocol.Lookup(name), LogLevel: protocol.LevelWarning,
				Info: protocol.Implementation{Name: "世界", Title: "😀", Version: "1"},
			})
			s.answer = func(s *server, m client.Outgoing) {
				switch m.Method.ID {
				case protocol.Initialize:
					s.result(m, `{"protocolVersion":"`+name+`","capabilities":{"logging":{}},"serverInfo":{"name":"s","version":"1"},"instructions":"世界"}`)
				case protocol.LoggingSetLevel:
					s.result(m, `{}`)
				}
			}
			found, err := s.client.Connect(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if found.Revision.Name != name || found.Info.Name != "s" || found.Instructions != "世界" || string(found.Capabilities) != `{"logging":{}}` {
				t.Errorf("server %+v", found)
			}
			info := `{"name":"世界","version":"1"}`
			if protocol.Lookup(name).Titles {
				info = `{"name":"世界","title":"😀","version":"1"}`
			}
			s.expect(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+name+`","capabilities":{},"clientInfo":`+info+`}}`,
				`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
				`{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"warning"}}`)
		})
	}
}

func TestAnOlderRevisionThatTheServerOffersHolds(t *testing.T) {
	oldest := protocol.LegacyNames()[0]
	s := &server{t: t}
	s.client = client.New(s, client.Options{Revision: protocol.LatestLegacy(), LogLevel: protocol.LevelDebug})
	s.answer = func(s *server, m client.Outgoing) {
		if m.Method.ID == protocol.Initialize {
			s.result(m, `{"protocolVersion":"`+oldest+`","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`)
		}
	}
	found, err := s.client.Connect(t.Context())
	if err != nil || found.Revision.Name != oldest || s.client.Revision().Name != oldest {
		t.Errorf("server %+v, %v", found, err)
	}
	if sent := s.lines(); len(sent) != 2 { // a server without logging is not told a level
		t.Errorf("sent %q", sent)
	}
}

func TestDiscoveryFindsTheServersName(t *testing.T) {
	const rest = `"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","resultType":"complete"`
	for rule, result := range map[string]string{
		"as a member":  `{` + rest + `,"serverInfo":{"name":"世界","version":"1"}}`,
		"in its _meta": `{` + rest + `,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"世界","version":"1"}}}`,
	} {
		t.Run(rule, func(t *testing.T) {
			s := &server{t: t, answer: always(result)}
			s.client = client.New(s, client.Options{})
			found, err := s.client.Connect(t.Context())
			if err != nil || found.Info.Name != "世界" || string(found.Capabilities) != `{"tools":{}}` || !found.Revision.Modern {
				t.Errorf("server %+v, %v", found, err)
			}
		})
	}
}

func TestServersThatSpeakNoRevisionOfOursAreRefused(t *testing.T) {
	cases := []struct {
		rule, result, want string
		r                  *protocol.Revision
	}{
		{"an unknown legacy one", `{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`, `offers revision "1999-01-01"`, protocol.LatestLegacy()},
		{"a modern one by handshake", `{"protocolVersion":"2026-07-28","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`, `offers revision "2026-07-28"`, protocol.LatestLegacy()},
		{"no handshake at all", `{"protocolVersion":7}`, "the server's handshake", protocol.LatestLegacy()},
		{"another modern one", `{"supportedVersions":["2027-01-01"],"capabilities":{}}`, `speaks ["2027-01-01"] and not 2026-07-28`, protocol.Modern()},
		{"no discovery", `{"supportedVersions":"x"}`, "the server's discovery", protocol.Modern()},
	}
	for _, c := range cases {
		t.Run(c.rule, func(t *testing.T) {
			s := &server{t: t, answer: always(c.result)}
			s.client = client.New(s, client.Options{Revision: c.r})
			if _, err := s.client.Connect(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestAServerThatRefusesTheHandshakeFailsConnect(t *testing.T) {
	for _, r := range []*protocol.Revision{protocol.Modern(), protocol.LatestLegacy()} {
		s := &server{t: t, answer: func(s *server, m client.Outgoing) {
			s.say(`{"jsonrpc":"2.0","id":` + m.ID.Text() + `,"error":{"code":-32601,"message":"no"}}`)
		}}
		s.client = client.New(s, client.Options{Revision: r})
		if _, err := s.client.Connect(t.Context()); err == nil || err.Error() != "no (-32601)" {
			t.Errorf("%s: error %v", r.Name, err)
		}
	}
}
