package dataset

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format describes one format of graph collections.
type Format struct {
	// Name identifies the format in [Options.Format] and [NewWriter].
	Name string
	// Description describes it in a few words.
	Description string
	// Reads and Writes say what this package can do with it.
	Reads, Writes bool
}

// Formats lists every format, in the order in which they are tried on an
// unknown file.
func Formats() []Format {
	var list []Format
	for _, f := range formats() {
		list = append(list, Format{f.name, f.about, f.open != nil || f.openFolder != nil, f.write != nil})
	}
	return list
}

// format is how this package handles a format.
type format struct {
	name, about string
	extensions  []string
	// sniff reports, from the first bytes of a text, whether it is in the format.
	sniff func(head []byte) bool
	open  func(in *input, env *env) (decoder, error)
	// sniffFolder and openFolder do the same for collections that are folders.
	sniffFolder func(dir string, names []string) bool
	openFolder  func(dir string, names []string, env *env) (decoder, error)
	write       func(w io.Writer) encoder
	// bare says that records are written without their attributes.
	bare bool
	// named reports whether files in the format name their nodes.
	named bool
	// single says that nodes and edges have one label each and no attributes, and molecular
	// that molecules always have labels.
	single, molecular bool
	// undirected says that no graph in the format is directed.
	undirected bool
}

// decoder reads the records of one file.
type decoder interface {
	// next returns the next record, or io.EOF after the last. After a *BadRecord it can be
	// called again; after any other error it cannot.
	next() (Record, error)
	close() error
}

// encoder writes records to one file.
type encoder interface {
	encode(Record) error
	// finish writes what follows the last record.
	finish() error
}

func formats() []format {
	return []format{
		tveFormat(), ndjsonFormat(), jsonFormat(), dotFormat(), gmlFormat(),
		graphMLFormat(), gexfFormat(), gxlFormat(), cxlFormat(), bpmnFormat(), pnmlFormat(), xesFormat(),
		pajekFormat(), matrixFormat(), onnxFormat(), edgeListFormat(), rdFormat(), sdfFormat(), smilesFormat(),
		tuFormat(),
	}
}

// findFormat returns the format of a name, or of the extension of its files.
func findFormat(name string) (format, error) {
	all := formats()
	i := slices.IndexFunc(all, func(f format) bool { return f.name == name })
	if ext := strings.ToLower(strings.TrimPrefix(name, ".")); i < 0 && ext != anyText {
		i = slices.IndexFunc(all, func(f format) bool { return slices.Contains(f.extensions, ext) })
	}
	if i < 0 {
		if way := elsewhere(name); way != "" {
			return format{}, fmt.Errorf("%w %q: %s", ErrUnknownFormat, name, way)
		}
		return format{}, fmt.Errorf("%w %q: known are %s", ErrUnknownFormat, name, formatNames(all))
	}
	return all[i], nil
}

// elsewhere returns a program that converts a format that is not read to one that is, or "".
func elsewhere(name string) string {
	switch name {
	case "mol2":
		return "convert MOL2 to SDF with Open Babel: obabel a.mol2 -O a.sdf"
	case "inchi":
		return "InChI does not state bond orders: give the SMILES (in RDKit, MolToSmiles(MolFromInchi(text)))"
	case "rxn":
		return "it is a reaction, and reactions are not graphs here: give its molecules as MOL files or SMILES"
	case "ct", "ds":
		return "convert ChemDraw tables to SDF with Open Babel: obabel *.ct -O all.sdf"
	}
	return ""
}

func formatNames(list []format) string {
	var names []string
	for _, f := range list {
		names = append(names, f.name)
	}
	return strings.Join(names, ", ")
}

// anyText is the extension of text files of any kind.
const anyText = "txt"

// sniff returns the format of a text, detected from its first bytes or else from the file's
// extension.
func sniff(in *input) (format, error) {
	// What begins so would be taken for a molecule.
	if bytes.HasPrefix(in.head, []byte("$RXN")) {
		return format{}, fmt.Errorf("%s: %w: %s", in.name, ErrUnknownFormat, elsewhere("rxn"))
	}
	all := formats()
	for _, f := range all {
		if f.sniff != nil && f.sniff(in.head) {
			return f, nil
		}
	}
	if !bytes.Contains(in.head, []byte{'\n'}) && loneCR(in.head, 1) != nil {
		return format{}, fmt.Errorf("%s: %w", in.name, errLoneCR)
	}
	if ext := extension(in.name); ext != "" && ext != anyText {
		for _, f := range all {
			if f.open != nil && slices.Contains(f.extensions, ext) {
				return f, nil
			}
		}
	}
	for _, name := range []string{rootElement(in.head), extension(in.name)} {
		if way := elsewhere(name); way != "" {
			return format{}, fmt.Errorf("%s: %w: %s", in.name, ErrUnknownFormat, way)
		}
	}
	begin, _, _ := strings.Cut(strings.TrimSpace(string(in.head)), "\n")
	text, settings := hint(in.head)
	return format{}, advise(fmt.Errorf("%s: %w: it starts with %s; expected one of %s",
		in.name, ErrUnknownFormat, quoted(begin), formatNames(all)), text, settings...)
}

// wholeLines drops the last line of a head if it is incomplete.
func wholeLines(head []byte) []byte {
	if i := bytes.LastIndexByte(head, '\n'); i >= 0 && len(head) >= sniffed-len(utf8Mark) {
		return head[:i+1]
	}
	return head
}

// withoutCompression returns a file's name without the extension of its compression.
func withoutCompression(name string) string {
	for _, z := range []string{".gz", ".zst", ".zstd"} {
		if cut, ok := strings.CutSuffix(name, z); ok {
			return cut
		}
	}
	return name
}

// FileName reports whether a text looks like the name of a file or folder rather than a
// molecule: it begins like a path, or has an extension that can be read.
func FileName(text string) bool {
	if strings.ContainsAny(text, "\n()[]=#") {
		return false
	}
	for _, begin := range []string{"/", "./", "../", "~/"} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	ext := extension(text)
	return ext != "" && (ext == anyText || elsewhere(ext) != "" ||
		slices.Contains([]string{"index", "gz", "zst", "zip"}, ext) ||
		slices.ContainsFunc(formats(), func(f format) bool { return slices.Contains(f.extensions, ext) }))
}

// extension returns a file's extension without that of its compression.
func extension(name string) string {
	name = strings.ToLower(withoutCompression(name))
	i := strings.LastIndexByte(name, '.')
	if i < 0 || strings.ContainsAny(name[i:], `/\`) {
		return ""
	}
	return name[i+1:]
}
