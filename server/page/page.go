// Package page holds the page that the service shows in a browser: its built
// files, and what they may do there.
//
// The sources are in src; npm ci && npm run build makes dist of them, which is
// committed, so that Go alone builds the program.
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
	"connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// JSME, the editor of molecules, makes its code of text, and styles elements in
// place. So it runs in a frame that may, and that can send no request but for
// files of this service.
const sketchPolicy = "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; " +
	"style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// Policy returns the content security policy of a file, by its path from the
// page's root.
func Policy(path string) string {
	if strings.TrimPrefix(path, "/") == "sketch.html" {
		return sketchPolicy
	}
	return policy
}

// Handler serves the page's files, each under its policy.
func Handler() http.Handler {
	files := load()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := files[nameOf(r.URL.Path)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", Policy(r.URL.Path))
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
