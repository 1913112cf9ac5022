//go:build !unix

// Package processor measures the processor time used.
package processor

import "time"

// Time returns 0: it is not known on this system.
func Time() time.Duration { return 0 }
