package catalogue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
)

// Download fetches a file over HTTP into path. What an earlier attempt left there, in
// path.part, is continued if the server can. A download over the limit is an error.
func Download(ctx context.Context, address, path string, limits Limits) error {
	if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return fmt.Errorf("catalogue: %q is no address of the web", address)
	}
	part := path + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	err = fetch(ctx, address, f, limits.Bytes)
	if err = errors.Join(err, f.Close()); err != nil {
		return err // the part stays
	}
	return os.Rename(part, path)
}

func fetch(ctx context.Context, address string, f *os.File, most int64) error {
	have, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	if have > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode == http.StatusPartialContent && have > 0:
	case answer.StatusCode == http.StatusRequestedRangeNotSatisfiable && have > 0:
		return errors.Join(f.Truncate(0), fmt.Errorf("%s: what was there is not the beginning of the file: try again", address))
	case answer.StatusCode == http.StatusOK:
		if err := f.Truncate(0); err != nil {
			return err
		}
		have = 0
	default:
		return fmt.Errorf("%s: %s", address, answer.Status)
	}
	n, err := io.Copy(f, io.LimitReader(answer.Body, most-have+1))
	if err != nil {
		return fmt.Errorf("%s: %w; the same command continues", address, err)
	}
	if have+n > most {
		return errors.Join(f.Truncate(0), fmt.Errorf("%s: more than %d bytes: %w", address, most, ErrTooLarge))
	}
	return nil
}
