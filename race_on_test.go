//go:build race

package mcp_test

// raceDetector says that the test binary was built with -race.
const raceDetector = true
