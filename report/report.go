// Package report writes measurements for people: tables beside published figures, plots,
// drawings of graphs. A [Document] becomes one self-contained HTML page, light or dark as
// the reader's system is.
// Documents and their parts are plain data, which JSON keeps.
package report

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Document is a report.
type Document struct {
	Title    string    `json:"title"`
	Lead     string    `json:"lead"`            // a paragraph below the title
	Facts    []Fact    `json:"facts,omitempty"` // settings, seeds, machine
	Sections []Section `json:"sections"`
}

// Fact is a setting or a circumstance and its value.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Section is a part of a report with a heading of its own.
type Section struct {
	Title  string  `json:"title"`
	Text   string  `json:"text,omitempty"` // paragraphs, with empty lines between
	Blocks []Block `json:"blocks,omitempty"`
	Facts  []Fact  `json:"facts,omitempty"` // how it was measured
}

// Block is what a section shows. One field is set.
type Block struct {
	Text  string `json:"text,omitempty"`
	Table *Table `json:"table,omitempty"`
	Plot  *Plot  `json:"plot,omitempty"`
	Scene *Scene `json:"scene,omitempty"`
}

// Table is rows of cells. The first cell of a row names it.
type Table struct {
	Title   string   `json:"title"`
	Columns []string `json:"columns"`
	Rows    [][]Cell `json:"rows"`
	Note    string   `json:"note,omitempty"`
}

// Cell is a field of a table: a text, or a number, beside the published one if there is
// one.
type Cell struct {
	Text  string   `json:"text"`            // as people read it
	Value *float64 `json:"value,omitempty"` // the number, with all digits
	Paper *float64 `json:"paper,omitempty"`
	Best  bool     `json:"best,omitempty"` // among the cells that it is compared with
	Heat  int      `json:"heat,omitempty"` // its colour by [Table.Heat]; 0: none
}

// Absent stands for a number that does not exist.
const Absent = "–"

// Text returns a cell with a text.
func Text(s string) Cell { return Cell{Text: s} }

// Number returns a cell with a number of so many decimals, or [Absent] if it is NaN or
// infinite.
func Number(x float64, decimals int) Cell {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Text(Absent)
	}
	return Cell{Text: strconv.FormatFloat(x, 'f', decimals, 64), Value: &x}
}

// Short returns a cell with a number of three significant digits.
func Short(x float64) Cell {
	c := Number(x, 0)
	if c.Value != nil {
		c.Text = short(x)
	}
	return c
}

// Beside returns the cell with the published number beside it, unless that is NaN.
func (c Cell) Beside(paper float64) Cell {
	if !math.IsNaN(paper) {
		c.Paper = &paper
	}
	return c
}

// short formats a number with three significant digits, and with all before the point.
func short(x float64) string {
	size := math.Abs(x)
	switch {
	case size == 0:
		return "0"
	case size >= 1e6 || size < 1e-4:
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	decimals := max(0, 2-int(math.Floor(math.Log10(size))))
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', decimals, 64), 64)
	if err != nil {
		panic("report: " + err.Error()) // it was just formatted
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// Machine returns what a reader must know of the machine to judge times: the name of its
// processor where the system tells it, the processors that are used, the system and Go.
func Machine() []Fact {
	facts := []Fact{{"Processor", processor()}, {"Processors used", fmt.Sprint(runtime.GOMAXPROCS(0))}}
	return append(facts, Fact{"System", runtime.GOOS + "/" + runtime.GOARCH}, Fact{"Go", runtime.Version()})
}

func processor() string {
	const unknown = "unknown"
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return unknown
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), ":")
		if ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return unknown
}
