package pipe

import (
	"errors"
	"io/fs"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/mcs"
	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/store"
)

// concise returns a failure whose message does not repeat long texts.
func concise(f *failure) *failure {
	out := *f
	out.Message = operation.Concise(f.Message)
	return &out
}

// describe returns the kind of the error.
func describe(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	out := &failure{Code: "error", Message: err.Error()}
	var bad *dataset.BadRecord
	var field *operation.Error
	switch {
	case errors.As(err, &bad):
		out.Code, out.File, out.Line, out.Record = "record", bad.File, bad.Line, &bad.Record
	case errors.Is(err, dataset.ErrEmpty), errors.Is(err, dataset.ErrUnknownFormat):
		out.Code = "record"
	case errors.Is(err, edit.ErrCosts), errors.Is(err, search.ErrCosts):
		out.Code = "costs"
	case errors.Is(err, ged.ErrDirection), errors.Is(err, dataset.ErrMixed), errors.Is(err, mcs.ErrIncomparable):
		out.Code = "direction"
	case errors.As(err, &field):
		out.Code = "value"
		if field.Field == "costs" {
			out.Code = "costs"
		}
	case errors.Is(err, search.ErrAttribute), errors.Is(err, ged.ErrFixed), errors.Is(err, greed.ErrPairs),
		errors.Is(err, greed.ErrWays), errors.Is(err, greed.ErrConditions),
		errors.Is(err, greed.ErrRules), errors.Is(err, greed.ErrVectors),
		errors.Is(err, greed.ErrExists), errors.Is(err, greed.ErrChanged), errors.Is(err, mcs.ErrNotSimple):
		out.Code = "value"
	case errors.Is(err, store.ErrNotFound), errors.Is(err, greed.ErrRepeated):
		out.Code = "key"
	case errors.Is(err, fs.ErrNotExist):
		out.Code = "missing"
	}
	return out
}
