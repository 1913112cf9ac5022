package server

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// mostSaved is the greatest factor by which gzip shortens a text: deflate writes 258
// bytes in two bits at best.
const mostSaved = 1032

// packing returns the encoding of a request's body: "gzip" or "".
func packing(r *http.Request) (string, error) {
	switch coding := strings.ToLower(strings.TrimSpace(strings.Join(r.Header.Values("Content-Encoding"),
		","))); coding {
	case "", "identity":
		return "", nil
	case "gzip", "x-gzip":
		return "gzip", nil
	default:
		return "", accepting("gzip", problem(http.StatusUnsupportedMediaType,
			"bodies are accepted uncompressed or with Content-Encoding: gzip"))
	}
}

// unpack decompresses a body to at most limit bytes. done releases them.
func (s *Server) unpack(r *http.Request, packed []byte, limit int64) (body []byte, done func(), err error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		body, done, err = s.gather(unpacked, 4<<10, limit, func(int) error { return nil })
	}
	var known huma.StatusError
	switch {
	case err == nil:
		r.Header.Del("Content-Encoding")
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.ContentLength = int64(len(body))
	case errors.As(err, &known):
	case errors.Is(err, errTooLong):
		err = problem(http.StatusRequestEntityTooLarge, "the request is larger than %d bytes when it is unpacked; "+
			"send it "+
			"in parts", limit)
	default:
		err = problem(http.StatusBadRequest, "the body is not valid gzip: %v", err)
	}
	return body, done, err
}

// pack compresses answers of the API for clients that accept gzip.
func pack(next http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.EnableZstd(false), gzhttp.CompressionLevel(gzip.BestSpeed))
	if err != nil {
		panic("server: " + err.Error()) // the options are the program's own
	}
	packed := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/v1/") || r.URL.Path == "/openapi.json" {
			packed.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}
