package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/server"
)

// serveCommand answers over HTTP.
type serveCommand struct {
	Dirs     []string `arg:"" optional:"" name:"dir" help:"${serve_dirs}"`
	Demo     bool     `help:"Serve the molecules that come with the program, under the name demo."`
	Root     string   `type:"existingdir" placeholder:"DIR" env:"GREED_ROOT" help:"${serve_root}"`
	Name     string   `placeholder:"NAME" env:"GREED_NAME" help:"Serve all the indexes as one collection of this name."`
	ReadOnly []string `placeholder:"DIR" env:"GREED_READ_ONLY" help:"${serve_read_only}"`

	Link []string `placeholder:"ADDRESS" env:"GREED_LINK" sep:"none" help:"${serve_link}"`

	Names string `type:"existingfile" placeholder:"FILE" env:"GREED_NAMES" help:"${serve_names}"`

	Listen   string   `default:"127.0.0.1:8080" env:"GREED_LISTEN" placeholder:"ADDRESS" help:"${serve_listen}"`
	Host     []string `env:"GREED_HOST" placeholder:"NAME" help:"${serve_host}"`
	CORS     []string `name:"cors" env:"GREED_CORS" placeholder:"ORIGIN" help:"${serve_cors}"`
	Insecure bool     `env:"GREED_INSECURE" help:"Let anyone who can reach the service read and write."`

	ReadToken  string `env:"GREED_READ_TOKEN" hidden:""`
	WriteToken string `env:"GREED_WRITE_TOKEN" hidden:""`

	ReadTokenFile  string `env:"GREED_READ_TOKEN_FILE" type:"existingfile" placeholder:"FILE" help:"${read_token}"`
	WriteTokenFile string `env:"GREED_WRITE_TOKEN_FILE" type:"existingfile" placeholder:"FILE" help:"${write_token}"`
	TLSCert        string `env:"GREED_TLS_CERT" type:"existingfile" placeholder:"FILE" help:"${serve_tlscert}"`
	TLSKey         string `env:"GREED_TLS_KEY" type:"existingfile" placeholder:"FILE" help:"${serve_tlskey}"`

	ShutdownDelay time.Duration `default:"0s" env:"GREED_SHUTDOWN_DELAY" placeholder:"TIME" help:"${serve_delay}"`
	DrainTime     time.Duration `default:"30s" env:"GREED_DRAIN_TIME" placeholder:"TIME" help:"${serve_drain_time}"`
	MaxTime       time.Duration `default:"30s" env:"GREED_MAX_TIME" placeholder:"TIME" help:"${mcp_max_time}"`
	MaxNodes      int           `default:"1000" env:"GREED_MAX_NODES" placeholder:"N" help:"${mcp_max_nodes}"`
	MaxMemory     int           `placeholder:"MIB" env:"GREED_MAX_MEMORY" help:"${serve_max_memory}"`
	MCP           bool          `name:"mcp" env:"GREED_MCP" help:"${serve_mcp}"`
	Pprof         string        `env:"GREED_PPROF" placeholder:"ADDRESS" help:"${serve_pprof}"`
	Ready         bool          `help:"${serve_ready}"`
	Log           string        `enum:"json,text,none" default:"text" env:"GREED_LOG" help:"${serve_log}"`
}

func (c *serveCommand) Run(s *session) error {
	if c.Ready {
		return c.askReady(s.ctx)
	}
	if err := c.check(); err != nil {
		return err
	}
	opt := server.Defaults()
	opt.Log, opt.Assistants, opt.Version = c.logger(), c.MCP, newVersion().Version
	opt.Root = c.Root
	opt.Limits.Time, opt.Limits.Nodes = c.MaxTime, c.MaxNodes
	var err error
	if c.MaxMemory > 0 {
		if opt.Limits, err = opt.Limits.Within(int64(c.MaxMemory) << 20); err != nil {
			return usageError("--max-memory: " + err.Error())
		}
	}
	if opt.Access, err = c.access(opt.Log); err != nil {
		return err
	}
	if opt.Names, err = c.names(); err != nil {
		return err
	}
	var unopened []error
	if opt.Hosted, unopened, err = c.hosted(s.ctx); err != nil {
		return err
	}
	for _, err := range unopened {
		opt.Log.Error("a collection is left out, because it cannot be opened", "error", err)
	}
	opt.Unopened = len(unopened)
	for _, h := range opt.Hosted {
		for _, u := range h.Collection.Unsearched() {
			opt.Log.Error("a collection lacks an index: its answers are not proven", "collection", h.Name,
				"index", u.Path, "error", u.Reason)
		}
	}
	if err := c.link(opt.Hosted); err != nil {
		return err
	}
	relaxCollection(opt.Limits.Total())
	runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), opt.Limits.Threads()))
	service, err := server.New(opt)
	if err != nil {
		return err
	}
	var names []string
	for _, sh := range opt.Hosted {
		names = append(names, sh.Name)
	}
	l := server.Listener{
		Address: c.Listen, Certificate: c.TLSCert, Key: c.TLSKey, Pprof: c.Pprof,
		Delay: c.ShutdownDelay, Drain: c.DrainTime, Log: opt.Log,
		Started: func(url string) { c.started(s, opt.Log, url, names) },
	}
	return l.Run(s.ctx, service)
}

// headroom is how much garbage may accumulate, in bytes, beside a small collection.
const headroom = 128 << 20

// relaxCollection delays the collection of garbage until there is some, but not beyond what
// requests may hold beside the collections. The heap of a small collection is so small that
// the collector would run all the time and halve the rate of requests. GOGC and GOMEMLIMIT,
// if set, are left alone.
func relaxCollection(requests int64) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(m.Sys-m.HeapReleased) + requests)
	}
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(int(max(100, min(400, headroom*100/max(1, m.HeapAlloc)))))
}

// check refuses combinations of flags that cannot be meant.
func (c *serveCommand) check() error {
	if len(c.Dirs)+len(c.ReadOnly) == 0 && !c.Demo && c.Root == "" {
		return usageError("name an index to serve, --root or --demo")
	}
	if c.Name != "" && len(c.Dirs) == 0 {
		return usageError("--name is for the indexes that are served as one collection: name them")
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return usageError("--tls-cert and --tls-key go together")
	}
	if c.MaxTime <= 0 || c.MaxNodes < 1 || c.MaxMemory < 0 {
		return usageError("--max-time, --max-nodes and --max-memory must be positive")
	}
	if c.Pprof != "" && !loopback(c.Pprof) {
		return usageError(fmt.Sprintf("--pprof %s: profiles are served on this machine only, such as on 127.0.0.1:6060",
			c.Pprof))
	}
	if _, _, err := c.listen(); err != nil {
		return err
	}
	if !loopback(c.Listen) && !c.Insecure && c.ReadToken == "" && c.ReadTokenFile == "" {
		return usageError(c.listening() + " can be reached from other machines: give a token by --read-token-file or " +
			"GREED_READ_TOKEN, or --insecure")
	}
	return nil
}

// listen returns the host and the port to listen at.
func (c *serveCommand) listen() (host, port string, err error) {
	if host, port, err = net.SplitHostPort(c.Listen); err != nil {
		err = usageError(fmt.Sprintf("%s: want HOST:PORT, such as 127.0.0.1:8080", c.listening()))
	}
	return host, port, err
}

// listening returns the address to listen at as it was given, for errors.
func (c *serveCommand) listening() string {
	if value, set := os.LookupEnv("GREED_LISTEN"); set && value == c.Listen {
		return fmt.Sprintf("GREED_LISTEN=%q", c.Listen)
	}
	return "--listen " + c.Listen
}

// loopback reports whether an address can be reached only from this machine.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// started says where the service is: in the log, where all lines of it are JSON.
func (c *serveCommand) started(s *session, log *slog.Logger, url string, names []string) {
	if c.Log == "json" {
		log.Info("serving", "url", url, "collections", names)
		return
	}
	s.note("serving on %s: %s", url, strings.Join(names, ", "))
}

func (c *serveCommand) logger() *slog.Logger {
	switch c.Log {
	case "json":
		return slog.New(slog.NewJSONHandler(os.Stderr, nil))
	case "text":
		return slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	return slog.New(slog.DiscardHandler)
}

func (c *serveCommand) access(log *slog.Logger) (server.Access, error) {
	a := server.Access{Hosts: c.Host, Origins: c.CORS, Open: c.Insecure}
	var err error
	if a.Read, err = server.Tokens(c.ReadTokenFile, c.ReadToken, log); err != nil {
		return a, err
	}
	a.Write, err = server.Tokens(c.WriteTokenFile, c.WriteToken, log)
	return a, err
}

// link gives the collections their links: those named for them, or the one for all.
func (c *serveCommand) link(list []server.Hosted) error {
	for _, text := range c.Link {
		name, address, named := strings.Cut(text, "=")
		if named = named && !strings.Contains(name, "://"); !named {
			address = text
		}
		found := false
		for i := range list {
			if !named && list[i].Link == "" || named && list[i].Name == name {
				list[i].Link, found = address, true
			}
		}
		if named && !found {
			return usageError(fmt.Sprintf("--link %s: there is no collection %s", text, name))
		}
	}
	return nil
}

// stem returns the name of a file without its folder and its endings.
func stem(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return name
}

// names reads the table of names, if there is one.
func (c *serveCommand) names() (*server.Names, error) {
	if c.Names == "" {
		return nil, nil
	}
	f, err := os.Open(c.Names)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return server.ReadNames(f, c.Names)
}

// hosted opens the collections. Those that are named must open; unopened says which of the root
// do not.
func (c *serveCommand) hosted(ctx context.Context) (list []server.Hosted, unopened []error, err error) {
	add := func(arg string, writable bool) error {
		name, dir, named := strings.Cut(arg, "=")
		if !named {
			dir = arg
			name = strings.TrimSuffix(strings.TrimSuffix(filepath.Base(filepath.Clean(dir)), ".index"),
				greed.ListEnding)
		}
		collection, err := greed.Open(ctx, greed.Source{Path: dir, Options: dataset.Options{Format: greed.FormatIndex}})
		if file, no := os.Stat(dir); err != nil && no == nil && !file.IsDir() && !greed.IsIndex(dir) {
			index := stem(dir) + ".index"
			return fmt.Errorf("%s is a file: build an index from it (greed index build %s -o %s), and serve that",
				dir, dir, index)
		}
		if err != nil {
			return notIndex(dir, err)
		}
		list = append(list, server.Hosted{Name: name, About: filepath.Base(dir), Collection: collection,
			Writable: writable && collection.Space() == nil})
		return nil
	}
	var errs []error
	if c.Name != "" {
		errs = append(errs, add(c.Name+"="+strings.Join(c.Dirs, ","), true))
		c.Dirs = nil
	}
	for _, arg := range c.Dirs {
		errs = append(errs, add(arg, true))
	}
	if c.Root != "" {
		var created []server.Hosted
		created, unopened, err = server.OpenRoot(ctx, c.Root)
		errs = append(errs, err)
		list = append(list, created...)
	}
	for _, arg := range c.ReadOnly {
		errs = append(errs, add(arg, false))
	}
	if c.Demo {
		collection, err := greed.Bundled(ctx)
		errs = append(errs, err)
		list = append(list, server.Hosted{Name: "demo", About: "4,999 molecules of the NCI Open Database",
			Collection: collection})
	}
	return list, unopened, errors.Join(errs...)
}
