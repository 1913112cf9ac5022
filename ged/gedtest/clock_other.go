//go:build !unix

package gedtest

import "time"

func processor() (used time.Duration, known bool) { return 0, false }
