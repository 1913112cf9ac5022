//go:build !unix

package postgres_test

import "time"

// processor returns 0: the system is not asked here.
func processor() time.Duration { return 0 }
