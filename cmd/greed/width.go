package main

import (
	"bytes"
	"os"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	"golang.org/x/term"
)

// widthOf returns how many columns the terminal of a file has, or 0 if the file is none.
func widthOf(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// fold breaks the lines of a text between words, so that none is longer than width where words allow it. What
// continues a line is indented by hang. Of width 0 nothing is broken.
func fold(text string, width, hang int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if width > 0 && utf8.RuneCountInString(line) > width {
			indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
			lines[i] = strings.Join(inLines(strings.Fields(line), indent, strings.Repeat(" ", hang), "", width), "\n")
		}
	}
	return strings.Join(lines, "\n")
}

// inLines sets words in lines of at most width columns. The first line begins with first, others with later; all but
// the last end in end.
func inLines(words []string, first, later, end string, width int) (lines []string) {
	line, empty := first, true
	for _, word := range words {
		if !empty && utf8.RuneCountInString(line+" "+word+end) > width {
			lines = append(lines, line+end)
			line, empty = later, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	return append(lines, line)
}

// widestHelp is the longest line of help.
const widestHelp = 100

// printHelp prints help in a terminal that is narrower than the lines which kong leaves as they are.
func printHelp(options kong.HelpOptions, command *kong.Context) error {
	width, err := strconv.Atoi(os.Getenv("COLUMNS")) // which kong obeys, too
	if err != nil {
		width = widthOf(os.Stdout)
	}
	if width <= 0 || width >= widestHelp {
		return kong.DefaultHelpPrinter(options, command)
	}
	var b bytes.Buffer
	out := command.Stdout
	command.Stdout, options.WrapUpperBound = &b, width
	err = kong.DefaultHelpPrinter(options, command)
	command.Stdout = out
	if err != nil {
		return err
	}
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = narrow(lines[i], width)
	}
	_, err = out.Write([]byte(strings.Join(lines, "\n")))
	return err
}

var (
	twoColumns = regexp.MustCompile(`^( *)(\S.*?)(  +)(\S.*)$`)
	quoted     = regexp.MustCompile(`(?:"[^"]*"|'[^']*'|[^\s"'])+`)
)

// narrow breaks a line of help: a command so that it can still be copied, and what stands in a second column below
// itself.
func narrow(line string, width int) string {
	if utf8.RuneCountInString(line) <= width {
		return line
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	deeper := indent + "    "
	below := func(first, second string) string {
		lines := inLines(strings.Fields(second), deeper, deeper, "", width)
		return narrow(first, width) + "\n" + strings.Join(lines, "\n")
	}
	columns := twoColumns.FindStringSubmatch(line)
	isCommand := strings.HasPrefix(line, indent+"greed ")
	switch {
	case columns != nil && !isCommand:
		first := columns[1] + columns[2] + columns[3]
		column := utf8.RuneCountInString(first)
		if width-column < 24 { // too few for sentences
			return below(columns[1]+columns[2], columns[4])
		}
		return strings.Join(inLines(strings.Fields(columns[4]), first, strings.Repeat(" ", column), "", width), "\n")
	case columns != nil:
		return below(columns[1]+columns[2], columns[4])
	case isCommand:
		return strings.Join(inLines(quoted.FindAllString(line, -1), indent, deeper, ` \`, width), "\n")
	}
	return strings.Join(inLines(strings.Fields(line), indent, deeper, "", width), "\n")
}
