package server

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/net/netutil"
)

// Listener serves a [Server] at a network address.
type Listener struct {
	Address          string
	Certificate, Key string // PEM files; without them there is no TLS
	Pprof            string // where to serve profiles; "": nowhere
	// At the end the service reports for Delay that it is not ready. Then it gives running
	// requests Drain to finish.
	Delay, Drain time.Duration
	Log          *slog.Logger
	Started      func(url string)
}

// Limits for slow clients.
const (
	headerTime  = 5 * time.Second
	idleTime    = 2 * time.Minute
	writeTime   = 2 * time.Minute // for an answer, since it began
	farewell    = time.Second     // for the last words to requests that are ended
	headerLimit = 32 << 10
	connections = 4096 // connections at a time; others wait to be accepted
)

// Run serves until the context ends or the process gets SIGTERM or SIGHUP, and then until running
// requests have finished.
func (l *Listener) Run(ctx context.Context, s *Server) error {
	ends := []os.Signal{syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as by nohup
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(ctx, ends...)
	defer stop()
	config, err := l.tls()
	if err != nil {
		return err
	}
	socket, err := net.Listen("tcp", l.Address)
	if err != nil {
		return err
	}
	scheme := "http"
	open := netutil.LimitListener(socket, connections)
	if config != nil {
		open, scheme = tls.NewListener(open, config), "https"
	}
	if l.Pprof != "" {
		if err := l.profiles(ctx); err != nil {
			return errors.Join(err, socket.Close())
		}
	}
	// Requests must outlive ctx, which only starts the shutdown.
	requests, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	web := &http.Server{
		// The service sets deadlines for bodies and answers itself: only it knows whether it
		// is working or the client is slow.
		Handler: s, ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: headerLimit,
		BaseContext: func(net.Listener) context.Context { return requests },
		ErrorLog:    slog.NewLogLogger(l.Log.Handler(), slog.LevelDebug),
	}
	go s.Refresh(ctx)
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(open) }()
	l.Started(scheme + "://" + socket.Addr().String())
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.Drain()
	l.Log.Info("shutting down", "delay", l.Delay)
	time.Sleep(l.Delay)
	finished := func(within time.Duration) error {
		end, done := context.WithTimeout(context.Background(), within)
		defer done()
		return web.Shutdown(end)
	}
	err = finished(l.Drain)
	if err == nil {
		return nil
	}
	l.Log.Warn("requests were ended", "error", err)
	cancel(later(problem(http.StatusServiceUnavailable, "the service is ending; send the request again")))
	if finished(farewell) == nil {
		return nil
	}
	return web.Close()
}

// profiles serves net/http/pprof on an address of its own until ctx ends.
func (l *Listener) profiles(ctx context.Context) error {
	socket, err := net.Listen("tcp", l.Pprof)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	web := &http.Server{Handler: mux, ReadHeaderTimeout: headerTime}
	go web.Serve(socket) // ends when it is closed
	context.AfterFunc(ctx, func() { web.Close() })
	return nil
}
