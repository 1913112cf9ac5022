package server

import (
	"bytes"
	"context"
	"net/http"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/operation"
)

// readLines reads a batch of one JSON object a line.
func (in *batchReader) readLines(ctx context.Context, sh *hosted, body []byte) (change greed.Change, err error) {
	number := 0
	for text := range bytes.Lines(body) {
		number++
		if err := ctx.Err(); err != nil {
			return change, explain(err)
		}
		if int64(len(text)) > in.opt.Limits.Body {
			return change, problem(http.StatusBadRequest, "line %d: the line is too long", number)
		}
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		rec, deleted, err := in.readOne(ctx, sh, text)
		switch {
		case err != nil:
			return change, within(err, "line %d", number)
		case deleted:
			change.Delete = append(change.Delete, rec.ID)
		default:
			change.Put = append(change.Put, rec)
		}
		if len(change.Put)+len(change.Delete) > in.opt.Limits.Batch {
			return change, in.tooMany()
		}
	}
	return change, nil
}

// readOne reads a line.
func (in *batchReader) readOne(ctx context.Context, sh *hosted, text []byte) (rec dataset.Record, deleted bool, err error) {
	if err := plainBody(text, in.line, in.schemas); err != nil {
		return rec, false, err
	}
	var line BatchLine
	if err := decodeOne(text, &line); err != nil {
		return rec, false, problem(http.StatusUnprocessableEntity, "%v", err)
	}
	if err := explain(operation.CheckID(line.ID)); err != nil {
		return rec, false, err
	}
	if line.Delete {
		return dataset.Record{ID: line.ID}, true, nil
	}
	rec, err = in.newRecord(ctx, sh, line.ID, &line.PutGraph)
	return rec, false, err
}
