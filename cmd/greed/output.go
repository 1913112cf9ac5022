package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/alecthomas/kong"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/journal"
	"github.com/greedgraph/greed/operation"
)

// output is standard output. It is buffered but holds nothing back for long, so that
// results can be read as they come. After an error it writes nothing more, and every
// call returns that error.
type output struct {
	mu   sync.Mutex
	w    *bufio.Writer
	quit chan struct{}
	done chan struct{}
}

// flushEvery is how long a line may wait in the buffer.
const flushEvery = 100 * time.Millisecond

func newOutput(w io.Writer) *output {
	o := &output{w: bufio.NewWriterSize(w, 64<<10), quit: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(o.done)
		ticks := time.NewTicker(flushEvery)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
				o.mu.Lock()
				_ = o.w.Flush() // the next call returns the error
				o.mu.Unlock()
			case <-o.quit:
				return
			}
		}
	}()
	return o
}

// Write implements [io.Writer].
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.w.Write(p)
}

// Close writes what is left.
func (o *output) Close() error {
	close(o.quit)
	<-o.done
	return o.w.Flush()
}

// printJSON prints v on a line of its own.
func (o *output) printJSON(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(o, "%s\n", text)
	return err
}

// answer prints what a command did: v with --json, else a line.
func (s *session) answer(v any, format string, args ...any) error {
	if s.json {
		return s.out.printJSON(v)
	}
	_, err := fmt.Fprintf(s.out, format, args...)
	return err
}

// number writes x with the fewest digits that read back the same, in the form
// that JSON has: with an exponent only below 1e-6 and from 1e21 on.
func number(x float64) string {
	form := byte('f')
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		form = 'e'
	}
	return strconv.FormatFloat(x, form, -1, 64)
}

// field writes an id as a field of a tab-separated line: tabs, line ends and
// backslashes become \t, \n, \r and \\, other control characters, which terminals
// obey, \x1b and so on.
func field(id string) string { return printable(strings.ReplaceAll(id, `\`, `\\`)) }

// printable makes control characters of a text visible and harmless. The text may come
// from anywhere.
func printable(text string) string {
	obeyed := func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
	if !strings.ContainsFunc(text, obeyed) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch short := strings.IndexRune("\t\n\r", r); {
		case short >= 0:
			b.WriteString([]string{`\t`, `\n`, `\r`}[short])
		case unicode.IsControl(r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case obeyed(r): // turns the direction of what follows
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// printableLines is [printable] for a message of several lines, of whose long words it leaves the ends.
func printableLines(text string) string {
	lines := strings.Split(operation.Concise(text), "\n")
	for i := range lines {
		lines[i] = printable(lines[i])
	}
	return strings.Join(lines, "\n")
}

// mapField writes a node map as 0:3,1:- and so on.
func mapField(m edit.NodeMap) string {
	var b strings.Builder
	for v, w := range m {
		if v > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(v))
		b.WriteByte(':')
		if w == edit.Deleted {
			b.WriteByte('-')
		} else {
			b.WriteString(strconv.Itoa(w))
		}
	}
	return b.String()
}

// count writes a number with its noun: "1 node", "2 nodes".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// keepInputs returns an error if a command would write a file that one of its other
// arguments or flags names, or that is in a folder that it reads: writing would destroy
// what is read, or what another flag has written.
func keepInputs(command *kong.Context) error {
	type named struct{ flag, path string }
	var outputs, kept []named // kept are journals
	var inputs []string
	folders := make(map[string]bool)
	for _, f := range command.Selected().Flags {
		switch path, _ := f.Target.Interface().(string); {
		case f.Short != 'o' && !f.Tag.Has("writes"):
			for _, path := range paths(f.Value) {
				inputs = append(inputs, path)
				folders[path] = f.Tag.Type == "existingdir"
			}
		case path == "-" && f.Default != "-":
			return usageError(fmt.Sprintf("%s -: this cannot go to standard output: name a file", flagName(f)))
		case path != "" && path != "-":
			outputs = append(outputs, named{flagName(f), path})
			if f.Tag.Has("journal") {
				kept = append(kept, named{"the journal of " + flagName(f), path + journal.Ending})
			}
		}
	}
	for _, p := range command.Selected().Positional {
		for _, path := range paths(p) {
			inputs = append(inputs, path)
			folders[path] = true
		}
	}
	for _, out := range outputs {
		if journal.Is(out.path) {
			return usageError(fmt.Sprintf("%s %s would overwrite the journal of a command that was stopped or is "+
				"running, "+
				"which continues from there: name another file, or remove it first", out.flag, out.path))
		}
	}
	outputs = append(outputs, kept...)
	for i, out := range outputs {
		for _, other := range outputs[:i] {
			if sameFile(out.path, other.path) {
				return usageError(fmt.Sprintf("%s and %s would both write %s", other.flag, out.flag, out.path))
			}
		}
		written, err := os.Stat(out.path)
		if err != nil || !written.Mode().IsRegular() {
			continue
		}
		whole, err := filepath.EvalSymlinks(out.path)
		if err != nil {
			return err
		}
		for _, in := range inputs {
			what := in
			if folders[in] && sameFile(filepath.Dir(whole), in) {
				what = "a file of " + in
			} else if !sameFile(out.path, in) {
				continue
			}
			return usageError(fmt.Sprintf("%s %s would overwrite %s, which the command reads", out.flag, out.path,
				what))
		}
	}
	return nil
}

// flagName returns how messages call a flag that names a file to write.
func flagName(f *kong.Flag) string {
	if f.Short != 0 {
		return "-" + string(f.Short)
	}
	return "--" + f.Name
}

// paths returns the texts of an argument or a flag, which may name files.
func paths(v *kong.Value) []string {
	switch x := v.Target.Interface().(type) {
	case string:
		return []string{x}
	case []string:
		return x
	case operation.Costs:
		return []string{x.File()}
	}
	return nil
}

// sameFile reports whether two paths name one file, which need not exist yet.
func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(x, y)
	}
	return errA != nil && errB != nil && filepath.Clean(a) == filepath.Clean(b)
}
