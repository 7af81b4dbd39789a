package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// An exclusion is why some checks cannot pass, and which.
type exclusion struct {
	Reason    string              `json:"reason"`
	Scenarios map[string][]string `json:"scenarios"` // ids of checks by scenario
}

// expectations are the checks that are not to pass: the reason by scenario and id.
type expectations map[string]map[string]string

// readExpected reads the exclusions. Each has a reason, and no check is there twice.
func readExpected(name string) (expectations, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var exclusions []exclusion
	if err := json.Unmarshal(text, &exclusions); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	expected := expectations{}
	for _, e := range exclusions {
		if strings.TrimSpace(e.Reason) == "" {
			return nil, fmt.Errorf("%s: an exclusion has no reason", name)
		}
		for scenario, ids := range e.Scenarios {
			if expected[scenario] == nil {
				expected[scenario] = map[string]string{}
			}
			for _, id := range ids {
				if _, twice := expected[scenario][id]; twice {
					return nil, fmt.Errorf("%s: %s %s is there twice", name, scenario, id)
				}
				expected[scenario][id] = e.Reason
			}
		}
	}
	return expected, nil
}

// judge writes a line for each scenario and a total. The error counts what is not as expected: a check that should have
// passed, one that should not have, and an exclusion whose scenario did not run.
func judge(w io.Writer, all []scenario, expected expectations) error {
	var passed, excluded, wrong int
	ran := map[string]bool{}
	for _, s := range all {
		ran[s.name] = true
		known, mistakes := compare(&s, expected[s.name])
		passed += s.count(success)
		excluded += known
		wrong += len(mistakes)
		word := "ok"
		switch {
		case len(mistakes) > 0:
			word = "FAIL"
		case known > 0:
			word = "known"
		}
		fmt.Fprintf(w, "%-5s %-10s %-44s %3d passed", word, s.set, s.name, s.count(success))
		if known > 0 {
			fmt.Fprintf(w, ", %d as expected", known)
		}
		fmt.Fprintln(w)
		for _, m := range mistakes {
			fmt.Fprintln(w, "      "+m)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(expected)) {
		if !ran[name] {
			wrong++
			fmt.Fprintf(w, "FAIL  expected.json names the scenario %s, which did not run\n", name)
		}
	}
	fmt.Fprintf(w, "total %d scenarios: %d checks passed, %d did not as expected, %d wrong\n", len(all), passed, excluded, wrong)
	switch {
	case len(all) == 0:
		return errors.New("no scenario ran")
	case wrong > 0:
		return fmt.Errorf("%d results are not as expected", wrong)
	}
	return nil
}

// compare holds what did not pass in a scenario against what is expected of it.
func compare(s *scenario, expected map[string]string) (known int, mistakes []string) {
	seen := map[string]bool{}
	for _, c := range s.bad() {
		seen[c.ID] = true
		if _, ok := expected[c.ID]; ok {
			known++
			continue
		}
		mistakes = append(mistakes, fmt.Sprintf("%s %s: %s", c.ID, c.Status, c.Error))
	}
	for _, c := range s.checks {
		if _, ok := expected[c.ID]; ok && !seen[c.ID] {
			seen[c.ID] = true
			mistakes = append(mistakes, c.ID+" passed, although expected.json says that it cannot; remove it there")
		}
	}
	for _, id := range slices.Sorted(maps.Keys(expected)) {
		if !seen[id] {
			mistakes = append(mistakes, id+" is in expected.json, but the scenario has no such check; remove it there")
		}
	}
	return known, mistakes
}
