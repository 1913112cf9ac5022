//go:build race

package dataset_test

// underRace is set under the race detector, which allocates by itself.
const underRace = true
