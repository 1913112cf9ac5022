package server

import (
	"embed"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed docs
var docsFiles embed.FS

// docsPolicy lets the documentation load its own files and the description.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors 'none'"

// registerDocs serves the description of the API in OpenAPI 3.1, made from the
// types of the handlers, and a page that shows it.
func (s *Server) registerDocs(mux *http.ServeMux, api huma.API) {
	finish(api.OpenAPI().Components.Schemas) // requests are checked by these
	text := sync.OnceValue(func() []byte {   // it takes longer than all else at the start
		text, err := describe(api)
		if err != nil {
			panic("server: " + err.Error()) // it is made of the program's own types
		}
		return text
	})
	s.handle(mux, "GET /openapi.json", forAll, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/vnd.oai.openapi+json;version=3.1")
		w.Write(text())
	}))
	files := http.FileServerFS(docsFiles)
	show := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", docsPolicy)
		files.ServeHTTP(w, r)
	})
	s.handle(mux, "GET /docs/{$}", forAll, show)
	for _, name := range []string{"docs.js", "docs.css"} {
		s.handle(mux, "GET /docs/"+name, forAll, show)
	}
	s.handle(mux, "GET /docs", forAll, http.RedirectHandler("/docs/", http.StatusMovedPermanently))
}
