//go:build !race

package content_test

// raceDetector says that the test binary was built with -race.
const raceDetector = false
