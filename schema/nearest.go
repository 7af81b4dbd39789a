package schema

import (
	"slices"
	"strings"
)

// nearest returns the known name that a mistaken one most likely means, or "".
func nearest(name string, known []string) string {
	const longest = 64
	if len(name) > 4*longest {
		return ""
	}
	typed := []rune(strings.ToLower(name))
	best, bestDistance := "", len(typed)/3+2 // one slip in three letters, at least one
	for _, k := range known {
		candidate := []rune(strings.ToLower(k))
		if len(candidate) > longest || len(typed) > longest {
			continue
		}
		if d := editDistance(typed, candidate); d < bestDistance && d < len(candidate) {
			best, bestDistance = k, d
		}
	}
	return best
}

// editDistance counts insertions, deletions, replacements and swaps of neighbours.
func editDistance(a, b []rune) int {
	var before, last, current []int
	for j := range len(b) + 1 {
		last = append(last, j)
	}
	before, current = slices.Clone(last), slices.Clone(last)
	for i := range a {
		current[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			d := min(last[j]+cost, last[j+1]+1, current[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			current[j+1] = d
		}
		before, last, current = last, current, before
	}
	return last[len(b)]
}
