//go:build unix

package bench

import (
	"syscall"
	"time"
)

// processorTime returns the processor time of this process and of those that it started
// and that have ended, such as solvers of integer programs; or 0 if the system does not
// tell.
func processorTime() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) != nil {
			return 0
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}
