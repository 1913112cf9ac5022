package main

import (
	"fmt"
	"os"

	"github.com/alecthomas/kong"
)

// keepInputs returns an error if the file of -o is one that another argument or flag
// of the command names: writing it would destroy what is read.
func keepInputs(command *kong.Context) error {
	var out string
	var names []string
	add := func(v *kong.Value) {
		switch x := v.Target.Interface().(type) {
		case string:
			names = append(names, x)
		case []string:
			names = append(names, x...)
		}
	}
	for _, f := range command.Selected().Flags {
		if f.Short != 'o' {
			add(f.Value)
		} else if f.Target.CanInterface() {
			out, _ = f.Target.Interface().(string)
		}
	}
	written, err := os.Stat(out)
	if err != nil || !written.Mode().IsRegular() {
		return nil
	}
	for _, p := range command.Selected().Positional {
		add(p)
	}
	for _, name := range names {
		if read, err := os.Stat(name); err == nil && os.SameFile(read, written) {
			return usageError(fmt.Sprintf("-o %s would overwrite %s, which the command reads", out, name))
		}
	}
	return nil
}
