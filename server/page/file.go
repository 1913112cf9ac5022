package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// packed ends the names of files that are kept compressed.
const packed = ".gz"

// file is one of the page's files.
type file struct {
	kind   string // its media type
	etag   string // of its content
	cache  string // what browsers may do
	packed []byte // nil: it is kept as it is
	plain  []byte // nil: only packed
}

// lasting are names that have a hash of the content.
var lasting = regexp.MustCompile(`-[A-Z0-9]{8}\.(js|css)$`)

// load reads all files, by their names without packed.
func load() map[string]*file {
	files := make(map[string]*file)
	err := fs.WalkDir(dist, "dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := dist.ReadFile(name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		f := &file{etag: hex.EncodeToString(sum[:12]), cache: "no-cache", plain: content}
		name, short := strings.CutSuffix(strings.TrimPrefix(name, "dist/"), packed)
		if short {
			f.plain, f.packed = nil, content
		}
		if f.kind = mime.TypeByExtension(path.Ext(name)); f.kind == "" {
			f.kind = "application/octet-stream"
		}
		if lasting.MatchString(name) {
			f.cache = "public, max-age=31536000, immutable"
		}
		files[name] = f
		return nil
	})
	if err != nil {
		panic("page: " + err.Error()) // they are in the program
	}
	return files
}

// serve answers with the file, or that the client has it.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", f.cache)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Content-Type", f.kind)
	content, tag := f.plain, f.etag
	switch {
	case f.packed == nil:
	case takesGzip(r.Header.Get("Accept-Encoding")):
		content, tag = f.packed, tag+"-gzip"
		h.Set("Content-Encoding", "gzip")
		h.Set("Content-Length", strconv.Itoa(len(content))) // net/http leaves it out of what is encoded
	default:
		content = unpack(f.packed)
	}
	h.Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// unpack decompresses a file for a client that does not, which no browser is.
func unpack(content []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		panic("page: " + err.Error()) // the build made it
	}
	text, err := io.ReadAll(z)
	if err != nil {
		panic("page: " + err.Error())
	}
	return text
}

// takesGzip reports whether an Accept-Encoding header allows gzip.
func takesGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		coding, weight, _ := strings.Cut(part, ";")
		if name := strings.TrimSpace(coding); !strings.EqualFold(name, "gzip") && name != "*" {
			continue
		}
		q, given := strings.CutPrefix(strings.ReplaceAll(weight, " ", ""), "q=")
		value, err := strconv.ParseFloat(q, 64)
		return !given || err == nil && value > 0
	}
	return false
}
