package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/greedgraph/greed/server"
)

func TestOrigins(t *testing.T) {
	const site = "https://lab.example.org"
	plain := start(t, nil)
	s := start(t, func(o *server.Options) { o.Access.Origins = []string{site, "http://localhost:3000"} })
	const path, search = "/v1/collections/own/graphs/x", "/v1/collections/mols/search?smiles=CCO"
	preflight := []string{"Origin", site, "Access-Control-Request-Method", "PUT", "Access-Control-Request-Headers", "authorization,content-type", "Sec-Fetch-Site", "cross-site"}

	r := s.whole(t, "OPTIONS", path, "", preflight...)
	if r.status != 204 || r.header.Get("Access-Control-Allow-Origin") != site || !strings.Contains(r.header.Get("Access-Control-Allow-Methods"), "PUT") ||
		!strings.Contains(r.header.Get("Access-Control-Allow-Headers"), "Authorization, Content-Encoding") || !strings.Contains(r.header.Get("Access-Control-Allow-Headers"), "Traceparent") || r.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("%d: %v", r.status, r.header)
	}
	r = s.ask(t, "GET", search, "", "Origin", site, "Sec-Fetch-Site", "cross-site").want(t, 200)
	if r.header.Get("Access-Control-Allow-Origin") != site || !strings.Contains(strings.Join(r.header.Values("Vary"), ","), "Origin") || !strings.Contains(r.header.Get("Access-Control-Expose-Headers"), "Greed-Creates, Retry-After, X-Request-Id") {
		t.Errorf("%v", r.header)
	}
	// A page can read why it is refused.
	if r := s.ask(t, "GET", "/v1/collections/none", "", "Origin", site).want(t, 404); r.header.Get("Access-Control-Allow-Origin") != site {
		t.Errorf("%v", r.header)
	}
	s.ask(t, "PUT", path, `{"smiles":"C"}`, "Origin", site).want(t, 403, "need a token")
	s.ask(t, "PUT", path, `{"smiles":"C"}`).want(t, 200) // no page

	for _, other := range []string{"https://evil.example", "https://lab.example.org.evil.example", "http://lab.example.org", "https://lab.example.org:444", "null", "https://LAB.example.org"} {
		for _, service := range []*service{s, plain} {
			r := service.ask(t, "GET", search, "", "Origin", other).want(t, 403, "other sites")
			preflight[1] = other
			p := service.whole(t, "OPTIONS", path, "", preflight...).want(t, 405)
			if r.header.Get("Access-Control-Allow-Origin")+p.header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s is let in: %v", other, r.header)
			}
		}
	}
	// The page is for nobody else, and neither is what there is not.
	for _, path := range []string{"/", "/metrics", "/livez", "/v1/none"} {
		preflight[1] = site
		if r := s.whole(t, "OPTIONS", path, "", preflight...); r.status != 405 && r.status != 404 {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	s.ask(t, "GET", search, "", "Origin", site, "Host", "evil.example").want(t, 421)
	if r := s.whole(t, "OPTIONS", path, "", append(preflight, "Host", "evil.example")...); r.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("under another name: %v", r.header)
	}
}

// TestOriginsWithTokens: a page of another site has the rights of its token.
func TestOriginsWithTokens(t *testing.T) {
	const site = "https://lab.example.org"
	s := start(t, func(o *server.Options) {
		o.Access.Origins = []string{site}
		o.Access.Read = func() []string { return []string{"r"} }
		o.Access.Write = func() []string { return []string{"w"} }
	})
	const path = "/v1/collections/own/graphs/x"
	put := func(token string) reply {
		return s.ask(t, http.MethodPut, path, `{"smiles":"C"}`, "Origin", site, "Authorization", "Bearer "+token)
	}
	put("w").want(t, 200)
	put("r").want(t, 403)
	put("x").want(t, 401)
	s.ask(t, "GET", path, "", "Origin", site).want(t, 401)
	s.ask(t, "GET", path, "", "Origin", site, "Authorization", "Bearer r").want(t, 200)
}

func TestOriginsThatCannotBe(t *testing.T) {
	for _, origin := range []string{"*", "null", "", "example.org", "https://example.org/", "https://Example.org", "ftp://example.org", "https://a@example.org", "https://*.example.org"} {
		opt := server.Defaults()
		opt.Access.Origins = []string{origin}
		if _, err := server.New(opt); err == nil {
			t.Errorf("%q is taken for an origin", origin)
		}
	}
}
