package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bowline-go/mcp/bench/internal/process"
	"github.com/bowline-go/mcp/bench/internal/suite"
)

func TestTheCommandLineChoosesCells(t *testing.T) {
	name := filepath.Join(t.TempDir(), "servers.json")
	if err := os.WriteFile(name, []byte(`[{"name":"a","command":["a"]},{"name":"b","command":["b"]}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := parse([]string{
		"-servers", name, "-only", "b", "-server", "c=/bin/c -x", "-url", "d=http://127.0.0.1:1/mcp",
		"-workloads", "add,list100", "-levels", "1,64", "-eras", "modern",
	})
	if err != nil {
		t.Fatal(err)
	}
	servers, err := o.comparison()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range servers {
		names = append(names, s.Name+" "+strings.Join(s.Command, " "))
	}
	if got := strings.Join(names, ","); got != "b b,c /bin/c -x,d " {
		t.Errorf("servers %s", got)
	}
	s, err := o.suite(servers, &process.Group{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Workloads) != 2 || s.Workloads[1].Name != "list100" || len(s.Levels) != 2 || s.Levels[1] != 64 ||
		strings.Join(s.Eras, ",") != "modern" || strings.Join(s.Transports, ",") != "stdio,http" {
		t.Errorf("suite %+v", s)
	}
}

func TestTheFloorOfTheCommandLineIsTheReference(t *testing.T) {
	o, err := parse([]string{"-servers", "none", "-server", "floor=/bin/f", "-server", "floor-json=/bin/f -json"})
	if err != nil {
		t.Fatal(err)
	}
	servers, err := o.comparison()
	if err != nil || len(servers) != 2 || !servers[0].Floor || servers[1].Floor {
		t.Errorf("%+v, %v", servers, err)
	}
}

func TestAWrongCommandLineIsAnError(t *testing.T) {
	for _, args := range [][]string{{"-no-such-flag"}, {"more"}, {"-servers", "none"}, {"-server", "c"}, {"-url", "d"}, {"-server", "c=c", "-levels", "0"}, {"-server", "c=c", "-levels", "x"}} {
		o, err := parse(args)
		if err == nil {
			var servers []*suite.Server
			if servers, err = o.comparison(); err == nil {
				_, err = o.suite(servers, nil, nil)
			}
		}
		if err == nil {
			t.Errorf("%v was accepted", args)
		}
	}
}

func TestTheBudgetHasDefaultsOfItsOwn(t *testing.T) {
	o, err := parse([]string{"-budget", "-time", "50ms", "-md", "世界.md"})
	if err != nil {
		t.Fatal(err)
	}
	if o.rounds != 5 || o.time != 50*time.Millisecond || o.soakRequests != 100_000 || o.out != "budget.jsonl" || o.md != "世界.md" {
		t.Errorf("%+v", o)
	}
	for _, args := range [][]string{{"-tests", "load"}, {"-workloads", "add"}, {"-levels", "1"}, {"-eras", "modern"}, {"-starts", "2"}} {
		if _, err := parse(append(args, "-budget")); err == nil || !strings.Contains(err.Error(), args[0]) {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestAStrictRunFailsForOneWrongAnswer(t *testing.T) {
	good, wrong, late := &suite.Record{Server: "good", Requests: 1}, &suite.Record{Server: "wrong", Errors: 1}, &suite.Record{Server: "late", Late: 1}
	if err := judge([]*suite.Record{good}); err != nil {
		t.Error(err)
	}
	note := &suite.Record{Test: suite.About, Note: "no measurement"}
	for _, records := range [][]*suite.Record{nil, {note}, {good, wrong}, {late}} {
		if judge(records) == nil {
			t.Errorf("%v was right", records)
		}
	}
}
