//go:build !race

package mcphttp_test

// raceDetector says that the test binary was built with -race.
const raceDetector = false
