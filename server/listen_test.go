package server_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/greedgraph/greed/server"
)

// certify writes a certificate with a serial number, for this machine.
func certify(t *testing.T, dir string, serial int64) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: signed}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

func TestCertificatesAreReadAgain(t *testing.T) {
	dir := t.TempDir()
	cert, key := certify(t, dir, 1)
	address, stop := listen(t, func(_ *server.Options, l *server.Listener) { l.Certificate, l.Key = cert, key })
	defer stop()
	serial := func() int64 {
		c, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return c.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	if got := serial(); got != 1 {
		t.Fatalf("certificate %d", got)
	}
	certify(t, dir, 2)
	for serial() != 2 {
		time.Sleep(50 * time.Millisecond)
	}
}

// TestShutdownEndsStreams: what takes longer than the service gives it is told so.
func TestShutdownEndsStreams(t *testing.T) {
	address, stop := listen(t, func(o *server.Options, l *server.Listener) {
		o.Hosted, o.Limits.Time, l.Drain = []server.Hosted{{Name: "hard", Collection: hardCollection(t)}}, time.Hour, time.Millisecond
	})
	// The first query is answered before the service ends, the second would take an hour.
	body := fmt.Sprintf(`{"queries":[{"smiles":"C"},{"smiles":%q}],"k":2,"time_limit":"1h"}`, hard[0])
	r, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+address+"/v1/collections/hard/searches", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/x-ndjson"}}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	stop()
	all, err := io.ReadAll(answer.Body)
	if last := `{"error":"the service is ending; send the request again","request":`; err != nil || !strings.Contains(string(all), "}\n"+last) {
		t.Errorf("the stream ended with %v: %s", err, all)
	}
}

// TestEndedRequests: requests without the solver are told why they were ended, too, all at once.
func TestEndedRequests(t *testing.T) {
	s := start(t, nil)
	why := huma.Error503ServiceUnavailable(strings.Repeat("the service is ending ", 40))
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "GET", "http://localhost/v1/collections/own/graphs", nil))
			if w.Code != 503 || !strings.Contains(w.Body.String(), "is ending") {
				t.Errorf("status %d: %s", w.Code, w.Body)
			}
		})
	}
	all.Wait()
	if text := why.Error(); len(text) != 40*22 {
		t.Errorf("the reason of all became %q", text)
	}
}

// TestIgnoredHangup: nohup says that a service outlives its terminal.
func TestIgnoredHangup(t *testing.T) {
	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	_, stop := listen(t, nil)
	defer stop()
	if !signal.Ignored(syscall.SIGHUP) {
		t.Error("SIGHUP ends it")
	}
}

// TestShutdownFinishesWhatIsAnswered stops a service during a search. A busy machine may not
// begin the search within the delay, so then the delay is made longer.
func TestShutdownFinishesWhatIsAnswered(t *testing.T) {
	for delay := 2 * time.Second; !finishesWithin(t, delay); delay *= 4 {
		t.Logf("the search did not come within %v", delay)
	}
}

// finishesWithin is false if the search came too late for the delay.
func finishesWithin(t *testing.T, delay time.Duration) bool {
	begin := time.Now()
	address, stop := listen(t, func(_ *server.Options, l *server.Listener) { l.Delay = delay })
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	status := make(chan int, 1)
	get := func(path string) int {
		answer, err := client.Get("http://" + address + path)
		if err != nil {
			return 0
		}
		answer.Body.Close()
		return answer.StatusCode
	}
	stopped := make(chan struct{})
	go func() { stop(); close(stopped) }()
	for get("/readyz") == 200 {
		time.Sleep(5 * time.Millisecond)
	}
	go func() { status <- get("/v1/collections/mols/search?smiles=CC(=O)Oc1ccccc1C(=O)O&mode=proven") }()
	got := <-status
	within := time.Since(begin) < delay
	if got != 200 && within {
		t.Errorf("a search during the delay got status %d", got)
	}
	<-stopped
	if still := get("/livez"); still != 0 {
		t.Errorf("the service still answers: %d", still)
	}
	return within || got == 200
}
