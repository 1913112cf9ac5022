package server

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// checkOrigin returns an error unless text is what browsers send as Origin.
func checkOrigin(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Contains(u.Host, "*") || u.Scheme+"://"+strings.ToLower(u.Host) != text {
		return fmt.Errorf("server: %q is not the origin of a site; write it as https://example.org or http://localhost:3000, in lower case, without a path", text)
	}
	return nil
}

// shares reports whether pages of an origin may use the API.
func (a *Access) shares(origin string) bool { return slices.Contains(a.Origins, origin) }

// What pages of other sites may send and see beyond what any page may.
const (
	sharedRequest  = "Authorization, Content-Type, If-Match, If-None-Match"
	sharedResponse = "ETag, Retry-After, " + requestIDHeader + ", " + statusHeader
	sharedFor      = "600" // seconds
)

// share sets the CORS headers for pages of the listed origins, and answers
// preflight requests.
func (s *Server) share(asks func(*http.Request) []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &s.opt.Access
		if len(a.Origins) == 0 || !strings.HasPrefix(r.URL.Path, "/v1/") && r.URL.Path != "/openapi.json" {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Add("Vary", "Origin")
		origin := r.Header.Get("Origin")
		if !a.shares(origin) || !a.known(r.Host) {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", sharedResponse)
		methods := asks(r)
		if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" || len(methods) == 0 {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Methods", strings.Join(methods, ", "))
		h.Set("Access-Control-Allow-Headers", sharedRequest)
		h.Set("Access-Control-Max-Age", sharedFor)
		w.WriteHeader(http.StatusNoContent)
	})
}
