package postgres

import (
	"fmt"
	"strings"

	"github.com/greedgraph/greed/search"
)

// plain is the form of numbers that SQL compares as [search.Filter] does. Others, such as
// hexadecimal ones, are left to the filter itself.
const plain = `^\s*[+-]?([0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})([eE][+-]?[0-9]{1,2})?\s*$`

// filtered returns a condition that holds for all rows that pass the filters, and its
// arguments, numbered from first on. It may hold for others: the filters themselves
// decide.
func filtered(filters []search.Filter, first int) (condition string, args []any) {
	var all []string
	arg := func(x any) string {
		args = append(args, x)
		return fmt.Sprintf("$%d", first+len(args)-1)
	}
	for _, f := range filters {
		value, odd := "", "false"
		switch f.Attribute {
		case "id":
			value = "id"
		case "name":
			value = "name"
		default:
			key := arg(f.Attribute)
			value = fmt.Sprintf("(attributes ->> %s::text)", key)
			odd = fmt.Sprintf("coalesce(jsonb_typeof(attributes -> %s::text) in ('array', 'object'), false)", key)
		}
		operator, operands := f.Operands()
		if operator == "exists" {
			all = append(all, value+" is not null")
			continue
		}
		numeric := fmt.Sprintf("(%s ~ %s)", value, quoted(plain))
		number := fmt.Sprintf("(case when %s then %s::numeric::float8 end)", numeric, value)
		// What begins like a number and is not plain may be one.
		odd += fmt.Sprintf(` or not %s and %s ~ '^\s*[+-]?([0-9.]|[iI][nN][fF])'`, numeric, value)
		conditions := []string{odd}
		for _, o := range operands {
			if x, ok := search.Numeric(o); ok {
				conditions = append(conditions, fmt.Sprintf("%s %s %s::float8", number, operator, arg(x)))
			}
			if operator == "=" {
				conditions = append(conditions, fmt.Sprintf("%s = %s::text", value, arg(o)))
			}
		}
		all = append(all, "("+strings.Join(conditions, " or ")+")")
	}
	if len(all) == 0 {
		return "true", nil
	}
	return strings.Join(all, " and "), args
}
