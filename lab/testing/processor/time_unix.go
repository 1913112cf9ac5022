//go:build unix

// Package processor measures the processor time used, which, unlike the time of a clock, does
// not depend on what else the machine does.
package processor

import (
	"syscall"
	"time"
)

// Time returns the processor time of this process, all its threads together, or 0 if the
// system does not tell.
func Time() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
