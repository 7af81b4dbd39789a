package suite_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp/bench/internal/drive"
	"github.com/bowline-go/mcp/bench/internal/process"
	"github.com/bowline-go/mcp/bench/internal/suite"
	"github.com/bowline-go/mcp/bench/internal/workload"
)

func TestTheServersOfThisRepositoryAreReadable(t *testing.T) {
	servers, err := suite.ReadServers("../../servers.json")
	if err != nil {
		t.Fatal(err)
	}
	floors := 0
	seen := map[string]bool{}
	for _, s := range servers {
		if s.Floor {
			floors++
		}
		if len(s.Command) == 0 || s.Note == "" || seen[s.Name] {
			t.Errorf("server %+v lacks something, or is there twice", s)
		}
		seen[s.Name] = true
		if strings.HasPrefix(s.Command[0], "./") {
			t.Errorf("%s: the command %s depends on the working directory", s.Name, s.Command[0])
		}
	}
	if floors != 1 || !seen["bowline"] {
		t.Errorf("%d floors, servers %v", floors, seen)
	}
}

func TestABadListOfServersIsAnError(t *testing.T) {
	for _, text := range []string{`{`, `[{"name":"a","command":["./a"],"warmup":"soon"}]`} {
		name := filepath.Join(t.TempDir(), "servers.json")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := suite.ReadServers(name); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}

// The three answers are right, wrong and none: a run must tell them apart and go on.
func TestLoadMeasuresEveryServerInEveryCell(t *testing.T) {
	right := httptest.NewServer(http.HandlerFunc(add))
	defer right.Close()
	wrong := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	}))
	defer wrong.Close()
	var records []*suite.Record
	s := &suite.Suite{
		Servers: []*suite.Server{
			suite.Running("right", right.URL+"/mcp"), suite.Running("wrong", wrong.URL+"/mcp"),
			{Name: "missing", Command: []string{filepath.Join(t.TempDir(), "no-such-program")}},
		},
		Processes:  &process.Group{},
		Transports: []string{"stdio", "http"}, Eras: []string{workload.Modern},
		Workloads: []*workload.Workload{workload.Add()}, Levels: []int{2},
		Limits: drive.Limits{Requests: 10, Time: time.Minute, Grace: time.Minute},
		Warmup: time.Millisecond, Rounds: 2,
		Emit: func(r *suite.Record) { records = append(records, r) },
	}
	s.Load()
	if len(records) != 2*4 { // a server without a command is measured over HTTP alone
		t.Errorf("%d records", len(records))
	}
	for _, r := range records {
		if good := r.Server == "right"; good != (r.Errors == 0) || good != (r.Error == "") || good && (r.Requests != 10 || r.Rate <= 0) {
			t.Errorf("%s", r)
		}
	}
}

func add(w http.ResponseWriter, req *http.Request) {
	var r struct {
		ID     json.Number
		Params struct{ Arguments struct{ A, B int64 } }
	}
	json.NewDecoder(req.Body).Decode(&r)
	json.NewEncoder(w).Encode(map[string]any{
		"jsonrpc": "2.0", "id": r.ID,
		"result": map[string]any{"content": []any{map[string]any{"type": "text", "text": strconv.FormatInt(r.Params.Arguments.A+r.Params.Arguments.B, 10)}}},
	})
}

func TestRecordsSurviveTheirFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results.jsonl")
	want := suite.Record{Test: "load", Round: 2, Server: "世界", Transport: "http", Era: workload.Modern, Workload: "add", Level: 16, Requests: 5, CPU: 1.5}
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(text, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := suite.ReadRecords(name)
	if err != nil || len(got) != 1 || *got[0] != want {
		t.Errorf("got %v, %v", got, err)
	}
}
