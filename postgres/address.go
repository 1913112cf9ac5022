package postgres

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
)

// defaultSchema is the schema of a collection whose address names none.
const defaultSchema = "greed"

// IsAddress reports whether a name is the address of a database.
func IsAddress(name string) bool {
	return strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://")
}

// address is where a collection is: a database and a schema.
type address struct {
	config *pgx.ConnConfig
	schema string
}

// parseAddress reads a URL as PostgreSQL's own programs do, with a parameter schema
// for several collections in one database.
func parseAddress(text string) (address, error) {
	u, err := url.Parse(text)
	if err != nil || !IsAddress(text) {
		return address{}, fmt.Errorf("%s: want an address such as postgres://user@host/database?schema=greed",
			redacted(text))
	}
	query := u.Query()
	schema := query.Get("schema")
	query.Del("schema")
	u.RawQuery = query.Encode()
	config, err := pgx.ParseConfig(u.String())
	if err != nil {
		return address{}, fmt.Errorf("%s: %w", Shown(text), err)
	}
	schema = cmp.Or(schema, defaultSchema)
	config.RuntimeParams["application_name"] = "greed"
	return address{config, schema}, nil
}

// Shown returns an address without its password, and any other name as it is.
func Shown(name string) string {
	if !IsAddress(name) {
		return name
	}
	return redacted(name)
}

func redacted(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "the address"
	}
	if query := u.Query(); query.Has("password") {
		query.Set("password", "xxxxx") // as Redacted writes the other one
		u.RawQuery = query.Encode()
	}
	return u.Redacted()
}

// table returns the quoted name of a table.
func (a address) table(name string) string { return pgx.Identifier{a.schema, name}.Sanitize() }
