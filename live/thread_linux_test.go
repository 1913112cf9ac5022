package live_test

import (
	"syscall"
	"time"
)

// thread returns the processor time that the calling thread has used.
func thread() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
