package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// A status is the suite's word for what came of a check, ordered from best to worst.
type status int

const (
	info status = iota
	success
	skipped
	warning
	failure
)

// UnmarshalText reads the suite's word. A word that is not known is as bad as a failure.
func (s *status) UnmarshalText(text []byte) error {
	known := map[string]status{"INFO": info, "SUCCESS": success, "SKIPPED": skipped, "WARNING": warning}
	var ok bool
	if *s, ok = known[string(text)]; !ok {
		*s = failure
	}
	return nil
}

func (s status) String() string {
	return [...]string{"info", "passed", "skipped", "warning", "failed"}[s]
}

// A check is one thing that a scenario has looked at.
type check struct {
	ID     string `json:"id"`
	Status status `json:"status"`
	Error  string `json:"errorMessage"`
}

// A scenario is one that has run in a set.
type scenario struct {
	set    string
	name   string
	checks []check
}

// missingChecks is the check that stands for the results of a scenario that broke off.
const missingChecks = "checks.json"

// readResults reads what the suite wrote below dir: a folder for each scenario, named after it and the time.
func readResults(set, dir string) ([]scenario, error) {
	folders, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	named := regexp.MustCompile(`^server-(.+)-\d{4}-\d\d-\d\dT[-\dZ]+$`)
	var all []scenario
	for _, folder := range folders {
		parts := named.FindStringSubmatch(folder.Name())
		if parts == nil {
			return nil, fmt.Errorf("%s: the name of the folder is in no known form", folder.Name())
		}
		checks, err := readChecks(filepath.Join(dir, folder.Name(), "checks.json"))
		if err != nil {
			return nil, err
		}
		all = append(all, scenario{set, parts[1], checks})
	}
	return all, nil
}

func readChecks(name string) ([]check, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return []check{{ID: missingChecks, Status: failure, Error: "the scenario broke off"}}, nil
	}
	if err != nil {
		return nil, err
	}
	var checks []check
	if err := json.Unmarshal(text, &checks); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(checks) == 0 {
		return []check{{ID: missingChecks, Status: failure, Error: "the scenario checked nothing"}}, nil
	}
	return checks, nil
}

// bad are the checks that did not pass, each id once with its worst status. A warning is bad: the suite gives one where the
// specification says SHOULD, and sometimes where it says MUST. A skipped check has shown nothing.
func (s *scenario) bad() []check {
	var bad []check
	place := map[string]int{}
	for _, c := range s.checks {
		if c.Status < skipped {
			continue
		}
		i, seen := place[c.ID]
		if !seen {
			place[c.ID] = len(bad)
			bad = append(bad, c)
		} else if c.Status > bad[i].Status {
			bad[i] = c
		}
	}
	return bad
}

func (s *scenario) count(want status) (n int) {
	for _, c := range s.checks {
		if c.Status == want {
			n++
		}
	}
	return n
}
