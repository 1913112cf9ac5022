package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
)

// Access says who may read and who may change collections.
type Access struct {
	// Read and Write return the tokens that give these rights; a token for writing also
	// reads. They are called for every request, so that tokens can change. While a
	// function returns none, nobody has the right. If Read is nil, reading needs no token.
	// If both are nil, writing needs none either, but is allowed only from this machine,
	// or with Open.
	Read, Write func() []string
	// Open allows changes without a token to anyone who can reach the service.
	Open bool
	// Hosts are the names, without ports, by which the service may be called,
	// besides localhost and addresses of this machine's loopback. With "*" it
	// answers to any name.
	Hosts []string
	// Origins are other sites, such as https://example.org, whose pages may use the API.
	// They may change collections only with a token, or with Open.
	Origins []string
}

// guard checks tokens, and headers against requests forged by a web page.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.allow(r, traceOf(r.Context()).route.right); err != nil {
			if statusOf(err) == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", `Bearer realm="greed"`)
			}
			s.refuse(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// allow returns why a request is not admitted to what needs a right.
func (s *Server) allow(r *http.Request, needs right) error {
	a := &s.opt.Access
	switch {
	case needs == forProbes, a.known(r.Host):
	case needs == toScrape && isOwn(r):
	default:
		return problem(http.StatusMisdirectedRequest, "this service does not answer to the name in the Host header; "+
			"its "+
			"operator can add the name")
	}
	origin := r.Header.Get("Origin")
	foreign := origin != "" && !sameOrigin(origin, r)
	if !foreign {
		foreign = r.Header.Get("Sec-Fetch-Site") == "cross-site" && !isNavigation(r)
	}
	if foreign && !a.shares(origin) {
		return problem(http.StatusForbidden, "requests from pages of other sites are not answered")
	}
	switch needs {
	case forProbes:
		return nil
	case toScrape:
		needs = toRead
	}
	if r.URL.Query().Has("token") || r.URL.Query().Has("access_token") {
		return problem(http.StatusBadRequest, "do not put tokens in addresses, which are logged; send "+
			"Authorization: Bearer")
	}
	token, given := bearer(r)
	writes := needs != toRead && needs != forAll
	switch {
	case given && a.Write != nil && isOne(token, a.Write()):
		return nil
	case given && (a.Read == nil || !isOne(token, a.Read())):
		return problem(http.StatusUnauthorized, "the token is not one of this service's")
	case writes && given:
		return problem(http.StatusForbidden, "the token gives the right to read, not to write")
	case writes && (a.Write != nil || a.Read != nil):
		return problem(http.StatusUnauthorized, "changes need a token; send Authorization: Bearer")
	case needs == toRead && !given && a.Read != nil:
		return problem(http.StatusUnauthorized, "the service needs a token; send Authorization: Bearer")
	case writes && !a.Open && foreign:
		return problem(http.StatusForbidden, "pages of other sites need a token for changes")
	case writes && !a.Open && !fromHere(r):
		return problem(http.StatusForbidden, "without a token, changes are accepted from this machine only, and not "+
			"through "+
			"a proxy")
	case writes && !unforgeable(r):
		return problem(http.StatusUnsupportedMediaType, "send changes with Content-Type: %s or %s, which HTML forms "+
			"cannot "+
			"send", typeJSON, typeNDJSON)
	}
	return nil
}

// fromHere reports whether a request comes from this machine, and not from elsewhere by a proxy
// on it.
func fromHere(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback() && !slices.ContainsFunc(ofProxies,
		func(name string) bool { return r.Header.Get(name) != "" })
}

// ofProxies are the headers by which a proxy says for whom it asks.
var ofProxies = []string{"Forwarded", "Via", "X-Forwarded-For", "X-Real-Ip"}

// known reports whether a Host header names this service. A page of another site can
// point its own name at this machine, but cannot change the header.
func (a *Access) known(host string) bool {
	name := hostName(host)
	if strings.EqualFold(name, "localhost") || slices.Contains(a.Hosts, "*") {
		return true
	}
	if ip, err := netip.ParseAddr(name); err == nil && ip.IsLoopback() {
		return true
	}
	return slices.ContainsFunc(a.Hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

// hostName returns the name or the address in a Host header.
func hostName(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.TrimSuffix(strings.Trim(host, "[]"), ".")
}

// isOwn reports whether a request calls this machine by the machine's own name, or by
// the address at which it arrived. A Host header of another site has neither.
func isOwn(r *http.Request) bool {
	name := hostName(r.Host)
	if ip, err := netip.ParseAddr(name); err == nil {
		local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		if !ok {
			return false
		}
		at, err := netip.ParseAddrPort(local.String())
		return err == nil && at.Addr().Unmap().WithZone("") == ip.Unmap().WithZone("")
	}
	machine, err := os.Hostname()
	return err == nil && strings.EqualFold(strings.TrimSuffix(machine, "."), name)
}

// sameOrigin reports whether a request comes from a page of this service.
func sameOrigin(origin string, r *http.Request) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

// isNavigation reports whether the request is a browser following a link. The page with
// the link cannot see the answer.
func isNavigation(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate"
}

// unforgeable reports whether a form of another site cannot make a browser send the
// request: forms have neither its method nor its content type.
func unforgeable(r *http.Request) bool {
	if r.Method != http.MethodPost {
		return true
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && (kind == typeJSON || kind == typeNDJSON)
}

func bearer(r *http.Request) (token string, given bool) {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), ok && strings.EqualFold(scheme, "Bearer")
}

// isOne compares a token with all tokens of a list. The time that it takes reveals
// nothing about them.
func isOne(token string, tokens []string) bool {
	sum := sha256.Sum256([]byte(token))
	found := 0
	for _, t := range tokens {
		own := sha256.Sum256([]byte(t))
		found |= subtle.ConstantTimeCompare(sum[:], own[:])
	}
	return found == 1
}

// protect sets headers that restrict what browsers do with answers. The page sets a
// policy of its own.
func (s *Server) protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if strings.HasPrefix(r.URL.Path, "/v1/") {
			h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
			h.Set("Cache-Control", "no-store")
		}
		next.ServeHTTP(w, r)
	})
}

// checkOrigin returns an error unless text is what browsers send as Origin.
func checkOrigin(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Contains(u.Host, "*") ||
		u.Scheme+"://"+strings.ToLower(u.Host) != text {
		return fmt.Errorf("server: %q is not the origin of a site; write it as https://example.org or "+
			"http://localhost:3000, in lower case, without a path", text)
	}
	return nil
}

// shares reports whether pages of an origin may use the API.
func (a *Access) shares(origin string) bool { return slices.Contains(a.Origins, origin) }

// What pages of other sites may send and see beyond what any page may.
const (
	sharedRequest  = "Authorization, Content-Encoding, Content-Type, If-Match, If-None-Match, Traceparent, Tracestate"
	sharedResponse = "ETag, Greed-Creates, Retry-After, " + requestIDHeader + ", " + statusHeader
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
