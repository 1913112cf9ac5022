package main

import (
	"time"

	"github.com/greedgraph/greed/lab/bench"
)

type loadCommand struct {
	URL         string        `arg:"" name:"url" help:"A running service, such as http://127.0.0.1:8080."`
	Collection  string        `default:"demo" placeholder:"NAME" help:"Collection to search (default demo)."`
	Sed         bool          `help:"Search by subgraph edit distance."`
	K           int           `short:"k" default:"10" placeholder:"N" help:"Number of answers for each search (default 10)."`
	Mode        string        `enum:"proven,checked,predicted" default:"predicted" placeholder:"MODE" help:"Mode of the searches: proven, checked or predicted (default predicted)."`
	Budget      time.Duration `default:"1s" placeholder:"TIME" help:"Time for each search in mode proven or checked (default 1s)."`
	Rate        float64       `default:"4000" placeholder:"N" help:"Requests per second (default 4000)."`
	Time        time.Duration `default:"10s" placeholder:"TIME" help:"How long to send requests (default 10s)."`
	Connections int           `default:"1024" placeholder:"N" help:"Maximum number of connections (default 1024)."`
	Token       string        `env:"GREED_READ_TOKEN" hidden:""`
}

// Help is printed below the usage of the command.
func (loadCommand) Help() string {
	return `
Sends searches to a running service at a fixed rate and prints how fast they are
answered, how many are refused, and how the memory of the service changes. A request
leaves when it is due, whether or not the service keeps up. If all connections are
waiting for answers, the request is counted as not sent. Every query is a different molecule.

    greed serve --demo --log none
    greed-lab load http://127.0.0.1:8080 --rate 4000 --time 30s
    greed-lab load http://127.0.0.1:8080 --mode proven --rate 20
`
}

// Run measures and prints the table.
func (c *loadCommand) Run(s *session) error {
	task := "ged"
	if c.Sed {
		task = "sed"
	}
	shown := bars{s: s}
	table, err := bench.Load(s.ctx, bench.LoadOptions{
		URL: c.URL, Collection: c.Collection, Task: task, K: c.K, Mode: c.Mode, Budget: c.Budget,
		Rate: c.Rate, Time: c.Time, Connections: c.Connections, Token: c.Token, Progress: shown.step,
	})
	shown.finish()
	if err != nil {
		return err
	}
	return s.printTable(table)
}
