package postgres

import (
	"fmt"
	"strings"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/norm"
)

// version is that of the tables written.
const version = 1

// never is the generation of removal of rows that are there.
const never = "9223372036854775807"

// Embedding describes the vectors that one model, or another program, gave to the graphs.
type Embedding struct {
	Name  string    `json:"name"`
	Task  edit.Task `json:"task"`
	Model string    `json:"model,omitempty"` // fingerprint; "" for foreign vectors
	Norm  norm.Norm `json:"norm"`
	// Serves reports that searches for the task use it.
	Serves bool `json:"serves"`
}

// state is the one row of the table state. A change writes its rows first, under the next
// generation, and the generation last: readers take the rows of the generation that they
// find, so that all of a change is there at once, on every server.
type state struct {
	Version    int
	Generation int64
	Graphs     int64
	Slots      int64 // next number of a row
	Shards     int   // 0: the graphs are on this server
	Directed   *bool // nil: there are no graphs
	Embeddings []Embedding
	Rules      *dataset.Rules // by which the graphs were read; nil: not known
	labelled   bool           // the table of labels is there
}

// tables returns the names of the tables that hold the graphs.
func (a address) tables(shards int) []string {
	if shards == 0 {
		return []string{a.table("graphs")}
	}
	var names []string
	for i := range shards {
		names = append(names, a.table(shardTable(i)))
	}
	return names
}

func shardTable(i int) string  { return fmt.Sprintf("graphs_%d", i+1) }
func shardServer(i int) string { return fmt.Sprintf("shard_%d", i+1) }

// columnList are the columns of a table of graphs, with their types.
func columnList(embeddings []Embedding) []string {
	list := []string{
		"slot bigint not null", "id text not null", "name text not null", "smiles text not null",
		"attributes jsonb", "nodes integer", "edges integer", "counts cube", "graph bytea",
		"since bigint not null", "until bigint not null", "gone timestamptz",
	}
	for _, e := range embeddings {
		c := columnsOf(e.Name, e.Norm)
		for i := range c.widths {
			list = append(list, c.column(i)+" cube not null")
		}
	}
	return list
}

// columnNames returns the names of the columns as they are, without quotes.
func columnNames(embeddings []Embedding) []string {
	var names []string
	for _, c := range columnList(embeddings) {
		if !strings.HasPrefix(c, `"`) {
			name, _, _ := strings.Cut(c, " ")
			names = append(names, name)
			continue
		}
		end := strings.LastIndex(c, `"`)
		names = append(names, strings.ReplaceAll(c[1:end], `""`, `"`))
	}
	return names
}

// createGraphs returns the statements that make a table of graphs.
func (a address) createGraphs(embeddings []Embedding) []string {
	return []string{
		"create extension if not exists cube",
		"create schema " + a.quotedSchema(),
		fmt.Sprintf("create table %s (%s)", a.table("graphs"), strings.Join(columnList(embeddings), ", ")),
	}
}

// quotedSchema returns the quoted name of the schema.
func (a address) quotedSchema() string { return `"` + strings.ReplaceAll(a.schema, `"`, `""`) + `"` }

// treeWidth is the greatest number of coordinates with a tree. cube chooses subtrees and
// divides pages by volumes, so that the boxes of more coordinates overlap: a search then
// reads most pages of the tree, and a scan is faster.
const treeWidth = 8

// indexGraphs returns the statements that index a table of graphs. Without trees, vectors
// are scanned.
func (a address) indexGraphs(embeddings []Embedding, trees bool) []string {
	graphs := a.table("graphs")
	list := []string{
		fmt.Sprintf("create unique index on %s (md5(id)) where until = %s", graphs, never),
		fmt.Sprintf("create index on %s (since)", graphs),
		fmt.Sprintf("create index on %s (until) where until < %s", graphs, never),
		fmt.Sprintf("create index on %s using gist (counts)", graphs),
	}
	for _, e := range embeddings {
		c := columnsOf(e.Name, e.Norm)
		if !trees {
			break
		}
		for i, width := range c.widths {
			if width <= treeWidth {
				list = append(list, fmt.Sprintf("create index on %s using gist (%s)", graphs, c.column(i)))
			}
		}
	}
	return append(list, "analyze "+graphs)
}

// createState returns the statements that make the tables of a collection beside its
// graphs.
func (a address) createState() []string {
	return []string{
		fmt.Sprintf(`create table %s (version integer not null, generation bigint not null, graphs bigint not null,
			slots bigint not null, shards integer not null, directed boolean, embeddings jsonb not null, rules jsonb)`, a.table("state")),
		fmt.Sprintf(`create table %s (edge boolean, hash text, primary key (edge, hash))`, a.table("labels")),
		fmt.Sprintf(`create table %s (fingerprint text primary key, file bytea not null)`, a.table("models")),
	}
}

// createShard returns the statements that make the graphs of another server a table here.
func (a address) createShard(i int, of address, embeddings []Embedding) []string {
	server := shardServer(i)
	if a.schema != defaultSchema {
		server = a.schema + "_" + server
	}
	server = `"` + strings.ReplaceAll(server, `"`, `""`) + `"`
	user := []string{"user " + quoted(of.config.User)}
	if of.config.Password != "" {
		user = append(user, "password "+quoted(of.config.Password))
	}
	return []string{
		"create extension if not exists postgres_fdw",
		fmt.Sprintf("create server if not exists %s foreign data wrapper postgres_fdw options (host %s, port '%d', dbname %s, extensions 'cube', fetch_size '1000', batch_size '100', async_capable 'true')",
			server, quoted(of.config.Host), of.config.Port, quoted(of.config.Database)),
		fmt.Sprintf("create user mapping if not exists for current_user server %s options (%s)", server, strings.Join(user, ", ")),
		fmt.Sprintf("create foreign table %s (%s) server %s options (schema_name %s, table_name 'graphs')",
			a.table(shardTable(i)), strings.Join(columnList(embeddings), ", "), server, quoted(of.schema)),
	}
}
