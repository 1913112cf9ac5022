package dataset

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/edit"
)

// Rules determine which graph is read from a text: what its labels are, and what is folded or
// left out. A collection has one value of them, and whatever is compared with its graphs must
// be read by the same rules. Settings that only concern a file (its format, its columns) or
// the reading itself (limits, bad records) are in [Options].
//
// The zero value reads what is there and chooses labels as docs/inputs.md describes;
// [Reader.Rules] returns the rules with those choices made. Rules are stored as JSON. The doc
// tags describe them, for flags and the reference of operations.
type Rules struct {
	// NodeLabel and EdgeLabel name the attribute that holds the label, in formats with
	// several; attributes separated by commas form the label together. Empty means to choose,
	// [NoLabel] to read no labels. In NodeLabel, [NodeName] stands for the name of the node.
	NodeLabel string `json:"node_label,omitempty" placeholder:"ATTR" doc:"${rules_node_label}"`
	EdgeLabel string `json:"edge_label,omitempty" placeholder:"ATTR" doc:"${rules_edge_label}"`
	// NodeChosen and EdgeChosen say that a Reader chose NodeLabel and EdgeLabel. Then a node
	// or edge without that attribute is labelled [Unlabelled]; otherwise it is an error.
	NodeChosen bool `json:"node_chosen,omitempty" kong:"-"`
	EdgeChosen bool `json:"edge_chosen,omitempty" kong:"-"`
	// Bin turns numeric attributes into labels: a value x of attribute a falls into bin
	// floor(x / Bin[a]) and is labelled by the lower end of the bin. A width of 0 keeps
	// numbers as written, for costs that compare them. Numeric attributes that are not listed
	// are rejected as labels.
	Bin map[string]float64 `json:"bin,omitempty" placeholder:"ATTR=WIDTH" doc:"${rules_bin}"`
	// NodeParts and EdgeParts list attributes that costs compare. If a graph has all of them
	// and NodeLabel or EdgeLabel does not say otherwise, they form the label together. Their
	// numbers are kept as written.
	NodeParts []string `json:"node_parts,omitempty" kong:"-"`
	EdgeParts []string `json:"edge_parts,omitempty" kong:"-"`
	// StripNames is a regular expression whose matches are removed from the labels of nodes,
	// such as versions and common prefixes. A label that becomes empty is [Unlabelled].
	// Symbols of atoms in molecules are not changed.
	StripNames string `json:"strip_names,omitempty" placeholder:"REGEX" doc:"${rules_strip_names}"`
	// Simplify folds self-loops into the label of their node and parallel edges into one
	// edge, and counts them in [Reader.Notes]. The label of a
	// node C with a self-loop labelled x becomes C@x; parallel edges labelled x and y become
	// one labelled x+y.
	Simplify bool `json:"simplify,omitempty" doc:"${rules_simplify}"`
	// Directed reads edge lists and TUDataset folders, which do not say whether their edges
	// are directed, as directed graphs.
	Directed bool `json:"directed,omitempty" doc:"Read edge lists and TUDatasets as directed"`
	// Charge adds the formal charge to the labels of atoms.
	Charge bool `json:"charge,omitempty" doc:"Compare charges: add them to the labels of atoms"`
	// Isotope, Hydrogens and Stereo add to the labels of molecules what else is compared:
	// mass numbers, numbers of hydrogens, and R, S, E and Z as far as [chem.Molecule.Stereo]
	// computes them.
	Isotope   bool `json:"isotope,omitempty" doc:"Compare isotopes: add mass numbers to the labels of atoms"`
	Hydrogens bool `json:"hydrogens,omitempty" doc:"Compare hydrogens: add their numbers to the labels of atoms"`
	Stereo    bool `json:"stereo,omitempty" doc:"${rules_stereo}"`
	// LargestFragment keeps only the fragment with the most heavy atoms of a molecule.
	LargestFragment bool `json:"largest_fragment,omitempty" doc:"Keep only the largest fragment of each molecule"`
	// Neutralise takes away the charges that hydrogens or a double bond can take up ([chem.Options.Neutralise]).
	Neutralise bool `json:"neutralise,omitempty" doc:"${rules_neutralise}"`
	// Tautomers gives tautomers of a molecule the same graph ([chem.Options.Tautomers]).
	Tautomers bool `json:"tautomers,omitempty" doc:"${rules_tautomers}"`
	// Unread says what of the graphs that were read by these rules has no labels because of
	// them. It decides nothing.
	Unread Unread `json:"unread,omitzero" kong:"-"`
}

// Unread says what of the file does not count in any comparison.
type Unread struct {
	// Nodes, or edges, have attributes of which none could become their label.
	Nodes bool `json:"nodes,omitempty"`
	Edges bool `json:"edges,omitempty"`
	// Conditions on atoms or bonds of molecules were dropped, or read as any atom and any bond
	// ([chem.Notes.Wider]): the graph stands for more than the file does.
	Conditions bool `json:"conditions,omitempty"`
	// Asks says that these are what a query asks for: lists, bonds of several orders, counts ([chem.Notes.Asks]).
	Asks bool `json:"asks,omitempty"`
	// Extensions of CXSMILES were dropped, whatever they say.
	Extensions bool `json:"extensions,omitempty"`
}

// Or returns what is unread of either.
func (u Unread) Or(o Unread) Unread {
	return Unread{u.Nodes || o.Nodes, u.Edges || o.Edges, u.Conditions || o.Conditions, u.Asks || o.Asks,
		u.Extensions || o.Extensions}
}

// With returns the rules of graphs among which are these records, too; nil of rules that are not known.
func (r *Rules) With(records []Record) *Rules {
	if r == nil {
		return nil
	}
	all := *r
	for i := range records {
		all.Unread = all.Unread.Or(records[i].Unread)
	}
	return &all
}

// NodeName as a part of [Rules.NodeLabel] is the name that the file gives to a node, in
// formats that name nodes, unless the graph has an attribute of this name.
const NodeName = "id"

// Fits reports whether graphs read by r are as want requires, as far as it requires
// something.
func (r Rules) Fits(want Rules) bool {
	return (want.NodeLabel == "" || want.NodeLabel == r.NodeLabel) &&
		(want.EdgeLabel == "" || want.EdgeLabel == r.EdgeLabel) &&
		(len(want.Bin) == 0 || maps.Equal(want.Bin, r.Bin)) &&
		(want.StripNames == "" || want.StripNames == r.StripNames) &&
		(!want.Simplify || r.Simplify) && (!want.Directed || r.Directed) &&
		(!want.Charge || r.Charge) && (!want.Isotope || r.Isotope) && (!want.Hydrogens || r.Hydrogens) &&
		(!want.Stereo || r.Stereo) && (!want.LargestFragment || r.LargestFragment) &&
		(!want.Neutralise || r.Neutralise) && (!want.Tautomers || r.Tautomers)
}

// Check returns an error for rules by which no graph can be read.
func (r Rules) Check() error {
	for _, name := range slices.Sorted(maps.Keys(r.Bin)) {
		if width := r.Bin[name]; !(width >= 0) || math.IsInf(width, 0) {
			return fmt.Errorf("bins of attribute %s have the width %v: want a width above 0, or 0 to keep numbers "+
				"as they are", shorten(name), width)
		}
	}
	if _, err := regexp.Compile(r.StripNames); err != nil {
		return fmt.Errorf("the pattern %s that strips names: %w", quoted(r.StripNames), err)
	}
	return nil
}

// CheckCosts returns an error that wraps [edit.ErrCosts] if the attributes that costs compare are not
// those of which labels are made, in the same order: their values would be taken for each other. Labels
// that the rules do not name, or that come from an attribute called label, may have any values.
func (r *Rules) CheckCosts(costs edit.Costs) error {
	if r == nil {
		return nil
	}
	for _, of := range []struct {
		kind, label string
		chosen      bool // where the graphs lack the parts
		parts, want []string
	}{
		{"nodes", r.NodeLabel, r.NodeChosen, r.NodeParts, costs.Nodes.Attributes()},
		{"edges", r.EdgeLabel, r.EdgeChosen, r.EdgeParts, costs.Edges.Attributes()},
	} {
		want := strings.Join(of.want, ",")
		if want != "" && of.label != "" && of.label != "label" && of.label != want &&
			!(of.chosen && slices.Equal(of.parts, of.want)) {
			return fmt.Errorf("%w: they compare the attributes %s of %s, whose labels are %s", edit.ErrCosts, want,
				of.kind, of.label)
		}
	}
	return nil
}

// Plain reports whether atoms and bonds of molecules have the same labels as under the zero
// value.
func (r Rules) Plain() bool {
	return !r.Charge && !r.Isotope && !r.Hydrogens && !r.Stereo && !r.Tautomers
}

// comparable lists what can be compared in molecules besides elements and bonds.
func (r *Rules) comparable() []struct {
	name string
	on   *bool
} {
	return []struct {
		name string
		on   *bool
	}{{"charges", &r.Charge}, {"isotopes", &r.Isotope}, {"hydrogens", &r.Hydrogens}, {"stereochemistry", &r.Stereo}}
}

// Compare sets the rules to compare what the names, as of [Rules.Compared], stand for, and
// nothing else that they could. It ignores unknown names.
func (r *Rules) Compare(names []string) {
	for _, part := range r.comparable() {
		*part.on = slices.Contains(names, part.name)
	}
}

// Compared lists what is compared in molecules besides elements and bonds, and what is not.
func (r Rules) Compared() (compared, not []string) {
	for _, part := range r.comparable() {
		if *part.on {
			compared = append(compared, part.name)
		} else {
			not = append(not, part.name)
		}
	}
	return compared, not
}

// forms lists the standard forms in which molecules can be read.
func (r *Rules) forms() []struct {
	name, text string
	on         *bool
} {
	return []struct {
		name, text string
		on         *bool
	}{{"largest_fragment", "largest fragments only", &r.LargestFragment},
		{"neutralise", "charges taken up by hydrogens", &r.Neutralise},
		{"tautomers", "tautomers as one molecule", &r.Tautomers}}
}

// Form sets the rules to read molecules in the standard forms that are named as options are, and in no other. It
// ignores unknown names.
func (r *Rules) Form(names []string) {
	for _, form := range r.forms() {
		*form.on = slices.Contains(names, form.name)
	}
}

// Forms returns the standard forms in which molecules are read, by the names of the options, and in words.
func (r Rules) Forms() (names, texts []string) {
	for _, form := range r.forms() {
		if *form.on {
			names, texts = append(names, form.name), append(texts, form.text)
		}
	}
	return names, texts
}

// OfMolecules returns the rules that concern molecules, without those for other graphs.
func (r Rules) OfMolecules() Rules {
	return Rules{Charge: r.Charge, Isotope: r.Isotope, Hydrogens: r.Hydrogens, Stereo: r.Stereo,
		LargestFragment: r.LargestFragment, Neutralise: r.Neutralise, Tautomers: r.Tautomers}
}

// Molecular returns the form in which molecules become graphs.
func (r Rules) Molecular() chem.Options {
	return chem.Options{Charge: r.Charge, Isotope: r.Isotope, Hydrogens: r.Hydrogens, Stereo: r.Stereo,
		LargestFragment: r.LargestFragment, Neutralise: r.Neutralise, Tautomers: r.Tautomers}
}

// Equal reports whether both rules read the same graph from every text.
func (r Rules) Equal(o Rules) bool {
	same := maps.Equal(r.Bin, o.Bin) && slices.Equal(r.NodeParts, o.NodeParts) && slices.Equal(r.EdgeParts, o.EdgeParts)
	r.Bin, r.NodeParts, r.EdgeParts, r.Unread = o.Bin, o.NodeParts, o.EdgeParts, o.Unread
	return same && reflect.DeepEqual(r, o)
}

// String describes the rules that differ from the zero value, in plain words; for the zero
// value it is empty.
func (r Rules) String() string {
	var list []string
	label := func(kind, name string, parts []string) {
		switch {
		case name == NoLabel:
			list = append(list, kind+"s without labels")
		case name != "":
			list = append(list, kind+" label "+name)
		case len(parts) > 0:
			list = append(list, kind+" label "+strings.Join(parts, ",")+" where present")
		}
	}
	label("node", r.NodeLabel, r.NodeParts)
	label("edge", r.EdgeLabel, r.EdgeParts)
	for _, name := range slices.Sorted(maps.Keys(r.Bin)) {
		if width := r.Bin[name]; width > 0 {
			list = append(list, fmt.Sprintf("%s in bins of %v", name, width))
		} else {
			list = append(list, name+" as numbers")
		}
	}
	say := func(ok bool, text string) {
		if ok {
			list = append(list, text)
		}
	}
	say(r.StripNames != "", "names without /"+r.StripNames+"/")
	say(r.Simplify, "self-loops and parallel edges folded")
	say(r.Directed, "edge lists directed")
	say(r.Charge, "atoms with charges")
	say(r.Isotope, "atoms with isotopes")
	say(r.Hydrogens, "atoms with numbers of hydrogens")
	say(r.Stereo, "atoms and double bonds with stereochemistry")
	_, forms := r.Forms()
	list = append(list, forms...)
	return strings.Join(list, "; ")
}

// Unlabelled reports whether the labels of nodes, and of edges, are left out because
// [NoLabel] asks for it.
func (r Rules) Unlabelled() (nodes, edges bool) {
	return r.NodeLabel == NoLabel, r.EdgeLabel == NoLabel
}

// Rules returns the rules by which the records so far were read: those of the options, with
// the choices of labels that were made. By them, each record alone gives the same graph
// again, unless no label was found: then the rules leave the choice open, because the labels of
// another graph, such as a query, count.
func (r *Reader) Rules() Rules {
	rules := r.env.opt.Rules
	rules.NodeLabel, rules.NodeChosen = r.env.nodeChoice.resolved(rules.NodeLabel, rules.NodeChosen)
	rules.EdgeLabel, rules.EdgeChosen = r.env.edgeChoice.resolved(rules.EdgeLabel, rules.EdgeChosen)
	rules.Unread = rules.Unread.Or(r.env.unread)
	return rules
}

// resolved returns the option that reproduces the choice, and whether the attribute may be
// missing.
func (c *choice) resolved(option string, chosen bool) (string, bool) {
	switch {
	case option != "" || !c.seen:
		return option, chosen
	case len(c.names) == 0:
		return "", false
	}
	return strings.Join(c.names, ","), !c.compared
}
