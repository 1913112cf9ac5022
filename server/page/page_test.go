package page

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"
)

func TestPageIsWhole(t *testing.T) {
	for name := range references(t) {
		if !Has("/" + name) {
			t.Errorf("a file refers to %s, which is not built", name)
		}
	}
	for _, name := range []string{"/", "/icon.svg", "/licences.txt"} {
		if !Has(name) {
			t.Errorf("there is no %s", name)
		}
	}
	for _, name := range []string{"/nothing.js", "/dist", "/dist/", "", "/../page.go", "//index.html", "/index.html/"} {
		if Has(name) {
			t.Errorf("there is a file at %q", name)
		}
	}
}

// references returns the files that HTML files name.
func references(t *testing.T) map[string]bool {
	t.Helper()
	found := make(map[string]bool)
	attribute := regexp.MustCompile(`(?:src|href)="([^"#]+)"`)
	for _, m := range attribute.FindAllStringSubmatch(get("/").Body.String(), -1) {
		if !strings.HasPrefix(m[1], "/") { // what the service serves itself
			found[path.Clean(m[1])] = true
		}
	}
	if len(found) < 3 {
		t.Fatalf("the pages refer to %v", found)
	}
	return found
}

// get asks the handler for a file; headers come as pairs.
func get(name string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, name, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w
}

// TestFilesAreSmallAndKept: what has its content's hash in its name is kept for
// good, all else is asked for again, and all that compresses is compressed.
func TestFilesAreSmallAndKept(t *testing.T) {
	for name := range references(t) {
		w := get("/"+name, "Accept-Encoding", "gzip, br")
		kept := strings.Contains(w.Header().Get("Cache-Control"), "immutable")
		if code := strings.HasSuffix(name, ".js") || strings.HasSuffix(name, ".css"); w.Code != http.StatusOK || kept != code {
			t.Errorf("%s: status %d, Cache-Control %q", name, w.Code, w.Header().Get("Cache-Control"))
		}
		plain := get("/"+name, "Accept-Encoding", "gzip;q=0")
		if plain.Header().Get("Content-Encoding") != "" || plain.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s without gzip: headers %v", name, plain.Header())
		}
		got := w.Body.Bytes()
		if w.Header().Get("Content-Encoding") == "gzip" {
			got = unpack(got)
		}
		if !bytes.Equal(got, plain.Body.Bytes()) || w.Header().Get("ETag") == plain.Header().Get("ETag") && len(got) >= 1024 {
			t.Errorf("%s is not the same with gzip and without", name)
		}
	}
}

// TestFirstView: what the page loads when it is opened, as it travels, takes 60 KB at most:
// nothing of the editors, nor of what lays graphs out, which a worker loads for the first.
func TestFirstView(t *testing.T) {
	imports := regexp.MustCompile(`from\s*"\./([^"]+)"|import\s*"\./([^"]+)"`)
	view := map[string]bool{"": true, "icon.svg": true}
	var follow func(name string)
	follow = func(name string) {
		if view[name] = true; path.Ext(name) != ".js" {
			return
		}
		for _, m := range imports.FindAllStringSubmatch(get("/"+name).Body.String(), -1) {
			if next := m[1] + m[2]; !view[next] {
				follow(next)
			}
		}
	}
	for name := range references(t) {
		if strings.HasPrefix(name, "app-") || strings.HasPrefix(name, "style-") {
			follow(name)
		}
	}
	bytes := 0
	for name := range view {
		if strings.HasPrefix(name, "molecule-") || strings.HasPrefix(name, "editor-") {
			t.Errorf("the first view has %s", name)
		}
		bytes += get("/"+name, "Accept-Encoding", "gzip").Body.Len()
	}
	if t.Logf("%d bytes", bytes); bytes > 64_000 {
		t.Errorf("the first view has %d bytes", bytes)
	}
}

func TestFilesThatAreThere(t *testing.T) {
	for _, name := range []string{"/", "/icon.svg"} {
		tag := get(name, "Accept-Encoding", "gzip").Header().Get("ETag")
		if tag == "" {
			t.Fatalf("%s has no ETag", name)
		}
		for header, status := range map[string]int{tag: 304, "W/" + tag: 304, `"other", ` + tag: 304, "*": 304, `"other"`: 200, "": 200} {
			w := get(name, "Accept-Encoding", "gzip", "If-None-Match", header)
			if w.Code != status || (w.Body.Len() == 0) != (status == 304) {
				t.Errorf("%s, If-None-Match %q: status %d, %d bytes", name, header, w.Code, w.Body.Len())
			}
		}
	}
	r := httptest.NewRequest(http.MethodHead, "/", nil)
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	if w.Body.Len() != 0 || w.Header().Get("Content-Length") == "" {
		t.Errorf("HEAD: %d bytes, headers %v", w.Body.Len(), w.Header())
	}
}

func TestMarkupHasNoScript(t *testing.T) {
	inline := regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>\s*[^<\s]|\son[a-z]+\s*=|\sstyle\s*=|javascript:|https?://`)
	if m := inline.Find(get("/").Body.Bytes()); m != nil {
		t.Errorf("the page has %q: the policy forbids it", m)
	}
}

func TestHandlerSendsPolicies(t *testing.T) {
	for _, name := range []string{"/", "/icon.svg"} {
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, name, nil))
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d", name, w.Code)
		}
		p := w.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(p, "default-src 'none'") || strings.Contains(p, "unsafe") {
			t.Errorf("%s has the policy %q", name, p)
		}
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/nothing.js", nil))
	if w.Code != http.StatusNotFound {
		t.Errorf("a file that is not there: status %d", w.Code)
	}
}
