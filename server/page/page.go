// Package page holds the page that the service shows in a browser: its built files, and the
// policy that says what they may do there.
//
// The sources are in src; npm ci && npm run build builds dist from them. It is committed, so
// that Go alone builds the program.
package page

import (
	"embed"
	"io/fs"
	"net/http"
	"strings"
)

//go:embed dist
var dist embed.FS

// What the page may do: load its own files and ask its own service, with no
// script or style but from files.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler serves the page's files under its policy.
func Handler() http.Handler {
	files := load()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := files[nameOf(r.URL.Path)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		f.serve(w, r)
	})
}

// Has reports whether there is a file at a path.
func Has(path string) bool {
	name := nameOf(path)
	for _, name := range []string{name, name + packed} {
		if info, err := fs.Stat(dist, "dist/"+name); err == nil && !info.IsDir() {
			return true
		}
	}
	return false
}

// nameOf returns the name of the file at a path.
func nameOf(path string) string {
	if path == "/" {
		return "index.html"
	}
	return strings.TrimPrefix(path, "/")
}
