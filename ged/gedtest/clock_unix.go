//go:build unix

package gedtest

import (
	"syscall"
	"time"
)

// processor returns the processor time of this process, and whether the system tells it.
func processor() (used time.Duration, known bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
