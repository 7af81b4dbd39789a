package mcphttp_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/bowline-go/mcp"
	"github.com/bowline-go/mcp/mcphttp"
)

// failingDisk delivers more than is read ahead, and then fails.
type failingDisk struct{ left int }

func (r *failingDisk) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errors.New("the disk is gone")
	}
	n := min(len(p), r.left)
	for i := range p[:n] {
		p[i] = 'x'
	}
	r.left -= n
	return n, nil
}

func TestAReadThatFailsMidwayBreaksItsConnectionOff(t *testing.T) {
	server := mcp.NewServer("s", "1", nil)
	mcp.AddResource(server, mcp.Resource{URI: "x://big", Name: "big"},
		func(context.Context) (io.Reader, error) { return &failingDisk{200 << 10}, nil })
	handler, err := mcphttp.NewHandler(server, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer handler.Close()
	ts := httptest.NewServer(handler)
	defer ts.Close()
	body := `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x://big","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequest(http.MethodPost, ts.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "resources/read", "Mcp-Name": "x://big",
	} {
		r.Header.Set(name, value)
	}
	resp, err := testClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err == nil {
		t.Errorf("the response ended as if it were whole: %d bytes, ending in %q", len(text), text[max(0, len(text)-40):])
	}
	testClient.CloseIdleConnections()
}
