package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheExclusionsOfThisRepositoryAreReadable(t *testing.T) {
	expected, err := readExpected("expected.json")
	if err != nil {
		t.Fatal(err)
	}
	for scenario, ids := range expected {
		if len(ids) == 0 {
			t.Errorf("%s excludes nothing", scenario)
		}
		if !strings.HasPrefix(scenario, "tasks-") && !strings.HasPrefix(scenario, "sep-2640-skills-") {
			t.Errorf("%s belongs to neither of the two extensions that are not served", scenario)
		}
	}
}

func TestAnExclusionNeedsAReasonAndStandsOnce(t *testing.T) {
	for _, text := range []string{
		`[{"reason":" ","scenarios":{"a":["x"]}}]`,
		`[{"reason":"one","scenarios":{"a":["x"]}},{"reason":"two","scenarios":{"a":["x"]}}]`,
		`{`,
	} {
		name := filepath.Join(t.TempDir(), "expected.json")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := readExpected(name); err == nil {
			t.Errorf("%s was read as %v", text, got)
		}
	}
}

func TestResultsAreReadFromWhatTheSuiteWrites(t *testing.T) {
	dir := t.TempDir()
	write := func(folder, text string) {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
		if text == "" {
			return
		}
		if err := os.WriteFile(filepath.Join(dir, folder, "checks.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("server-caching-2026-11-30T14-31-03-646Z", `[
		{"id":"a","status":"SUCCESS"},{"id":"b","status":"WARNING","errorMessage":"世界"},{"id":"b","status":"SUCCESS"},
		{"id":"c","status":"SKIPPED"},{"id":"c","status":"FAILURE","errorMessage":"worse"},{"id":"d","status":"INFO"},
		{"id":"e","status":"EXPLODED"}]`)
	write("server-tools-list-2026-11-30T14-31-04-646Z", `[]`)
	write("server-with-2026-07-28-in-it-2026-11-30T14-31-05-646Z", "")
	all, err := readResults("set", dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range all {
		for _, c := range s.bad() {
			got = append(got, s.name+" "+c.ID+" "+c.Status.String()+" "+c.Error)
		}
	}
	want := []string{
		"caching b warning 世界", "caching c failed worse", "caching e failed ",
		"tools-list checks.json failed the scenario checked nothing",
		"with-2026-07-28-in-it checks.json failed the scenario broke off",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	write("odd", "")
	if _, err := readResults("set", dir); err == nil {
		t.Error("a folder of another form was passed over")
	}
}

func TestOnlyWhatIsExpectedMayFail(t *testing.T) {
	ok, warned, failed := check{ID: "a", Status: success}, check{ID: "a", Status: warning}, check{ID: "a", Status: failure}
	excluded := expectations{"s": {"a": "no reason needed here"}}
	for name, test := range map[string]struct {
		results  []scenario
		expected expectations
		right    bool
		line     string
	}{
		"all passed":                  {[]scenario{{"x", "s", []check{ok}}}, nil, true, "ok    x "},
		"a failure":                   {[]scenario{{"x", "s", []check{failed}}}, nil, false, "a failed"},
		"a warning":                   {[]scenario{{"x", "s", []check{warned}}}, nil, false, "a warning"},
		"an expected failure":         {[]scenario{{"x", "s", []check{failed, {ID: "b", Status: success}}}}, excluded, true, "1 passed, 1 as expected"},
		"an exclusion that passes":    {[]scenario{{"x", "s", []check{ok}}}, excluded, false, "a passed, although"},
		"an exclusion of no check":    {[]scenario{{"x", "s", []check{{ID: "b", Status: success}}}}, excluded, false, "no such check"},
		"an exclusion of no scenario": {[]scenario{{"x", "t", []check{ok}}}, excluded, false, "which did not run"},
		"nothing ran":                 {nil, nil, false, "total 0 scenarios"},
	} {
		var out strings.Builder
		err := judge(&out, test.results, test.expected)
		if (err == nil) != test.right || !strings.Contains(out.String(), test.line) {
			t.Errorf("%s: %v\n%s", name, err, &out)
		}
	}
}
