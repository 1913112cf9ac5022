package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// hostile are texts that spreadsheets, browsers, terminals, shells or databases would obey.
var hostile = []string{
	"=1+2", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "a\nb", "<script>alert(1)</script>", "]]><x/>", "\x1b[31mred\x07", "\u009b2J",
	`a"b'c`, "a,b;c", "\u202egpj.exe", "\u2066x", "--help", "../x", "'; DROP TABLE graphs; --", "%s%n", "$(id)", "&amp;", "\\N", "é\u0301", "  blanks  ",
}

// hostileFile writes a collection whose ids, names, node names, labels and attributes are
// the texts. The labels are those of the graph shift places further on.
func hostileFile(t *testing.T, file string, texts []string, shift int) {
	t.Helper()
	var lines bytes.Buffer
	out := json.NewEncoder(&lines)
	for i, text := range texts {
		label := texts[(i+shift)%len(texts)]
		err := out.Encode(map[string]any{
			"id": text, "name": text, "attributes": map[string]any{"a": text, text: i},
			"nodes": []any{map[string]any{"id": text, "label": label}, map[string]any{"id": "2", "label": "C"}},
			"edges": []any{map[string]any{"source": text, "target": "2", "label": label}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, lines.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// obeyed returns what of a text a terminal would obey, but for ends of lines and tabs.
func obeyed(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return r
		}
		return -1
	}, text)
}

// TestHostileTexts: no output does anything with what files call things. Each is read by
// a parser of its own where there is one.
func TestHostileTexts(t *testing.T) {
	dir := t.TempDir()
	file, other := filepath.Join(dir, "hostile.ndjson"), filepath.Join(dir, "other.ndjson")
	first, second := filepath.Join(dir, "first.ndjson"), filepath.Join(dir, "second.ndjson")
	hostileFile(t, file, hostile, 0)
	hostileFile(t, other, hostile, 1)
	hostileFile(t, first, []string{"<script>alert(1)</script>"}, 0)
	hostileFile(t, second, []string{"]]><x/>"}, 0)
	red := filepath.Join(dir, "red.ndjson")
	hostileFile(t, red, []string{"\x1b[31mred\x07"}, 0)
	terminal := func(t *testing.T, text []byte) {
		if found := obeyed(string(text)); found != "" {
			t.Errorf("a terminal would obey %q", found)
		}
	}
	asJSON := func(t *testing.T, text []byte) {
		for d := json.NewDecoder(bytes.NewReader(text)); ; {
			var v any
			if err := d.Decode(&v); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				t.Fatalf("no JSON: %v", err)
			}
		}
	}
	asXML := func(t *testing.T, text []byte) {
		for d := xml.NewDecoder(bytes.NewReader(text)); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				t.Fatalf("no XML: %v", err)
			}
			if e, is := token.(xml.StartElement); is && (e.Name.Local == "script" || e.Name.Local == "x") {
				t.Errorf("has an element <%s>", e.Name.Local)
			}
		}
	}
	asCSV := func(t *testing.T, text []byte) {
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		for _, cell := range rows[1] {
			if cell != "" && strings.ContainsRune("=@\t\r", rune(cell[0])) {
				t.Errorf("a spreadsheet would run %q", cell)
			}
		}
	}
	index := filepath.Join(dir, "hostile.index")
	for _, c := range []struct {
		command string // FILE, OTHER, FIRST, SECOND, RED, INDEX and DIR stand for what they say; > what it writes
		check   func(*testing.T, []byte)
	}{
		{"index build FILE -o INDEX", terminal},
		{"index info INDEX", terminal},
		{"index check INDEX", terminal},
		{"dataset info FILE", terminal},
		{"dataset info INDEX", terminal},
		{"dataset info --json FILE", asJSON},
		{"dataset check FILE", terminal},
		{"search FILE FILE -k 3", terminal},
		{"search FILE INDEX -k 3 --explain --show a", terminal},
		{"search FILE INDEX -k 3 --explain --show a --json", asJSON},
		{"search FILE INDEX --sed --radius 1", terminal},
		{"search FILE INDEX -k 2 --filter a=zz", terminal},
		{"search FILE INDEX -k 2 --show zz", terminal},
		{"search FILE INDEX -k 3 --show a -o DIR/answers.csv > DIR/answers.csv", asCSV},
		{"search FILE INDEX -k 3 --show a -o DIR/answers.json > DIR/answers.json", asJSON},
		{"ged FILE OTHER --matrix", terminal},
		{"ged FILE OTHER --pairs --explain", terminal},
		{"ged FILE OTHER --matrix --json --explain", asJSON},
		{"sed FILE OTHER --matrix", terminal},
		{"diff FILE OTHER", terminal},
		{"diff FILE OTHER --format markdown", terminal},
		{"diff FILE OTHER --json", asJSON},
		{"diff FIRST SECOND --format svg", asXML},
		{"diff SECOND RED --format svg", asXML},
		{"join FILE --radius 3 -o DIR/join.csv > DIR/join.csv", asCSV},
		{"cliffs FILE --radius 3 --attribute a", terminal},
		{"cliffs FILE OTHER --radius 3 --json", asJSON},
		{"cliffs FILE --radius 3 -o DIR/cliffs.csv > DIR/cliffs.csv", asCSV},
		{"truth FILE OTHER -o DIR/truth.csv > DIR/truth.csv", asCSV},
		{"dataset convert FILE -o DIR/h.graphml > DIR/h.graphml", asXML},
		{"dataset convert FILE -o DIR/h.gxl", terminal},
		{"dataset convert FILE -o DIR/h.json > DIR/h.json", asJSON},
		{"dataset convert FILE -o DIR/h.smi", terminal},
		{"dataset convert FILE -o DIR/h.sdf", terminal},
		{"index delete INDEX nothing\x1b[1m", terminal},
		{"search no\x1b[1mfile INDEX", terminal},
	} {
		t.Run(strings.ReplaceAll(c.command, "/", ":"), func(t *testing.T) {
			line, written, _ := strings.Cut(c.command, " > ")
			args := strings.Fields(line)
			for i, arg := range args {
				args[i] = strings.NewReplacer("FILE", file, "FIRST", first, "SECOND", second, "RED", red, "OTHER", other, "INDEX", index, "DIR", dir).Replace(arg)
			}
			var out, notes bytes.Buffer
			run := exec.CommandContext(t.Context(), "greed", args...)
			run.Stdout, run.Stderr = &out, &notes
			err := run.Run()
			var status *exec.ExitError
			if err != nil && !errors.As(err, &status) {
				t.Fatal(err)
			}
			terminal(t, notes.Bytes())
			text := out.Bytes()
			if written != "" && err == nil {
				if text, err = os.ReadFile(strings.Replace(written, "DIR", dir, 1)); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%v: %.300s %.300s", err, text, notes.Bytes())
			c.check(t, text)
		})
	}
}
