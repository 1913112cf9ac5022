package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/greedgraph/greed/operation"
	"github.com/greedgraph/greed/server"
)

// mcpCommand serves an assistant.
type mcpCommand struct {
	Collections []string `arg:"" optional:"" name:"collection" help:"${mcp_collections}"`

	MaxTime  time.Duration `default:"30s" placeholder:"TIME" help:"${mcp_max_time}"`
	MaxNodes int           `default:"1000" placeholder:"N" help:"${mcp_max_nodes}"`

	readFlags
}

// Run answers until standard input ends.
func (c *mcpCommand) Run(s *session) error {
	if c.MaxTime <= 0 || c.MaxNodes < 1 {
		return usageError("--max-time and --max-nodes must be positive")
	}
	opt := server.Defaults()
	opt.Version = newVersion().Version
	opt.Limits.Time, opt.Limits.Nodes = c.MaxTime, c.MaxNodes
	paths := c.Collections
	if len(paths) == 0 {
		paths = []string{""}
	}
	for _, arg := range paths {
		hosted, err := c.open(s, arg)
		if err != nil {
			return err
		}
		opt.Hosted = append(opt.Hosted, hosted)
	}
	service, err := server.New(opt)
	if err != nil {
		return err
	}
	go service.Refresh(s.ctx)
	return service.Assistants().Run(s.ctx, &mcp.StdioTransport{})
}

// open opens a collection as greed search does.
func (c *mcpCommand) open(s *session, arg string) (server.Hosted, error) {
	name, path, named := strings.Cut(arg, "=")
	if !named {
		path = arg
		name = strings.TrimSuffix(filepath.Base(filepath.Clean(path)), filepath.Ext(path))
	}
	search := searchCommand{Collection: path, readFlags: c.readFlags}
	collection, about, err := search.open(s, &operation.Planned{})
	if err != nil {
		return server.Hosted{}, err
	}
	if path == "" {
		name = "demo"
	}
	return server.Hosted{Name: name, About: fmt.Sprintf("%d graphs of %s", collection.Len(), filepath.Base(about)),
		Collection: collection}, nil
}
