package certificate

import (
	"context"
	"io"

	"github.com/greedgraph/greed/certificate/verify"
)

// stopped is what work that is to end panics with.
type stopped struct{}

// until returns what ends work on problems with a context.
func until(ctx context.Context) func() {
	return func() {
		if ctx.Err() != nil {
			panic(stopped{})
		}
	}
}

// guard calls work, and returns the context's error if that ended it.
func guard(ctx context.Context, work func() error) (err error) {
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case stopped:
			err = context.Cause(ctx)
		default:
			panic(r)
		}
	}()
	return work()
}

// Read is [verify.Read] that ends with a context, whose error it returns then.
func Read(ctx context.Context, r io.Reader) (h *verify.Header, pairs []verify.Pair, err error) {
	err = guard(ctx, func() error {
		h, pairs, err = verify.Read(r, until(ctx))
		return err
	})
	return h, pairs, err
}
