package page

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"
)

func TestPageIsWhole(t *testing.T) {
	for name := range references(t) {
		if _, err := fs.Stat(Files(), name); err != nil {
			t.Errorf("a file refers to %s, which is not built: %v", name, err)
		}
	}
	for _, name := range []string{"app.js", "style.css", "sketch.js", "jsme/jsme.nocache.js", "licences.txt"} {
		if _, err := fs.Stat(Files(), name); err != nil {
			t.Error(err)
		}
	}
}

// references returns the files that HTML files name.
func references(t *testing.T) map[string]bool {
	t.Helper()
	found := make(map[string]bool)
	attribute := regexp.MustCompile(`(?:src|href)="([^"#]+)"`)
	pages, err := fs.Glob(Files(), "*.html")
	if err != nil || len(pages) != 2 {
		t.Fatalf("got pages %v, %v; want two", pages, err)
	}
	for _, name := range pages {
		text, err := fs.ReadFile(Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range attribute.FindAllStringSubmatch(string(text), -1) {
			if !strings.HasPrefix(m[1], "/") { // what the service serves itself
				found[path.Clean(m[1])] = true
			}
		}
	}
	return found
}

func TestMarkupHasNoScript(t *testing.T) {
	inline := regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>\s*[^<\s]|\son[a-z]+\s*=|\sstyle\s*=|javascript:|https?://`)
	for _, name := range []string{"index.html", "sketch.html"} {
		text, err := fs.ReadFile(Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		if m := inline.Find(text); m != nil {
			t.Errorf("%s has %q: the policy forbids it", name, m)
		}
	}
}

func TestHandlerSendsPolicies(t *testing.T) {
	for name, loose := range map[string]bool{"/": false, "/app.js": false, "/sketch.html": true, "/jsme/jsme.nocache.js": false} {
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, name, nil))
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d", name, w.Code)
		}
		p := w.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(p, "default-src 'none'") || strings.Contains(p, "unsafe") != loose {
			t.Errorf("%s has the policy %q", name, p)
		}
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/nothing.js", nil))
	if w.Code != http.StatusNotFound {
		t.Errorf("a file that is not there: status %d", w.Code)
	}
}
