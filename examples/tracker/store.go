package main

import (
	"slices"
	"sync"
)

type issue struct {
	ID    int    `json:"id" doc:"The number of the issue"`
	Title string `json:"title" doc:"What it is about"`
}

// store keeps the issues of every caller apart.
type store struct {
	mu     sync.Mutex
	last   int
	issues map[string][]issue // by caller
}

func newStore() *store { return &store{issues: map[string][]issue{}} }

func (s *store) add(caller, title string) issue {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	made := issue{s.last, title}
	s.issues[caller] = append(s.issues[caller], made)
	return made
}

func (s *store) all(caller string) []issue {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.issues[caller])
}

func (s *store) find(caller string, id int) (issue, bool) {
	all := s.all(caller)
	i := slices.IndexFunc(all, func(i issue) bool { return i.ID == id })
	if i < 0 {
		return issue{}, false
	}
	return all[i], true
}

// remove reports whether there was an issue to remove.
func (s *store) remove(caller string, id int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.issues[caller])
	s.issues[caller] = slices.DeleteFunc(s.issues[caller], func(i issue) bool { return i.ID == id })
	return len(s.issues[caller]) < before
}
