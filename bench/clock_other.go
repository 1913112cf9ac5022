//go:build !unix

package bench

import "time"

// processorTime returns 0: this system is not asked.
func processorTime() time.Duration { return 0 }
