package main

import (
	"fmt"
	"strings"
)

// rows lists the names of rows below the usage of a command, of a group only how many there
// are: all of them would fill pages. Names of a group begin alike, up to a slash.
func rows(names []string) string {
	var groups []string
	count := make(map[string]int)
	for _, name := range names {
		group, _, _ := strings.Cut(name, "/")
		if count[group]++; count[group] == 1 {
			groups = append(groups, group)
		}
	}
	for i, group := range groups {
		if n := count[group]; n > 1 {
			groups[i] = fmt.Sprintf("%s/… (%d)", group, n)
		}
	}
	return fmt.Sprintf("Rows, with the number of rows in each group: %s.\n--only takes rows or groups; an unknown "+
		"name lists them all.\n", strings.Join(groups, ", "))
}
