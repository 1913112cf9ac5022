// Package catalogue knows the collections for research that do not come with the program:
// who owns each, under which licence, and how what the owner publishes becomes the files
// that benchmarks read. A file is only accepted if its graphs are those that were measured
// with, by SHA-256.
package catalogue

import (
	"fmt"
	"slices"
	"strings"
)

// Entry is a collection.
type Entry struct {
	Name    string
	About   string
	Owner   string // who publishes it, and where
	Licence string
	// Hand says what to download and what to do with it before [Entry.Get].
	Hand  string
	Files []File
}

// File is a file of a collection.
type File struct {
	Path   string // in the data folder, with slashes
	SHA256 string // of the text, uncompressed, in hexadecimal digits
	Graphs int
	// from are the ends of paths in the source that may hold it, the best first. A path of
	// "." is the source itself.
	from []string
	tidy tidy
}

// tidy is what is done to the graphs of a source.
type tidy struct {
	byID      bool // in the order of their ids
	isolated  bool // nodes without edges are left out
	connected bool // graphs that are not connected are left out
}

const simGNN = "https://github.com/yunshengb/SimGNN; as JSON in https://github.com/ChengzhiPiao/GEDGNN"

const jsonArchive = "Download https://github.com/ChengzhiPiao/GEDGNN as a zip (Code, Download ZIP) and give it with --from."

// Entries lists all collections.
func Entries() []Entry {
	return []Entry{
		{
			Name: "aids700nef", About: "molecules of at most 10 atoms, GED", Owner: simGNN, Licence: "none stated", Hand: jsonArchive,
			Files: benchmark("aids700nef", "AIDS", 560, 140,
				"1e2900bf8c505c84a0590684df6b3c00174d2cfd814692145a4ab5b6f3a00abb", "2fdba09f4208f36735debfd1f9212b4232eb99bc2fa64795301199841f5be79a"),
		},
		{
			Name: "linux", About: "program dependence graphs, GED", Owner: simGNN, Licence: "none stated", Hand: jsonArchive,
			Files: benchmark("linux", "Linux", 800, 200,
				"043b93208054bded6337c6c962870ef9395ca9c4f7d1b0bb66fa4a780f1b471f", "0fbe1bc51a9a381d9d77eb604d1d95eb2c762d1c0b463eb32f27ce0d108f4788"),
		},
		{
			Name: "imdb", About: "ego networks of actors, GED", Owner: simGNN, Licence: "none stated", Hand: jsonArchive,
			Files: benchmark("imdb", "IMDB", 1200, 300,
				"60fe2a61b85f0939e189834780e1aca82d5e7f422b18d1b94393343b89d234be", "e23d634fd523c723c3b203cd7c4ac87bbafb78717e2dfdf4ecb2239a4f14180f"),
		},
		{
			Name: "aids", About: "molecules of the IAM graph database, SED", Owner: "IAM (Riesen and Bunke, 2008); as GXL in https://github.com/dbblumenthal/gedlib",
			Licence: "free for research that is not commercial; publications cite Riesen and Bunke",
			Hand:    "Download the GXL files, convert them by greed dataset convert to one file aids_all2000.txt, and give that with --from.",
			Files: []File{{
				Path: "aids/aids.txt", SHA256: "de98cb0cb081e10c5384b3b3a7b159ea76d00a408128789ea35e180156afb92a", Graphs: 1811,
				from: []string{"aids/aids.txt", "aids.txt", "aids_all2000.txt", "."}, tidy: tidy{connected: true},
			}},
		},
		{
			Name: "protein", About: "proteins of TUDataset, SED", Owner: "https://chrsmrrs.github.io/datasets/ (PROTEINS; Borgwardt et al., 2005)", Licence: "none stated",
			Hand: "Download https://www.chrsmrrs.com/graphkerneldatasets/PROTEINS.zip and give it with --from.",
			Files: []File{{
				Path: "protein/protein.txt.gz", SHA256: "d7114fd756e8d235352880a5a47e9682cfae00f81d4a53708bb33e92b17c9e7d", Graphs: 1071,
				from: []string{"protein/protein.txt.gz", "protein.txt.gz", "protein.txt", "PROTEINS", "."}, tidy: tidy{isolated: true, connected: true},
			}},
		},
		single("citeseer", "citations between papers, SED", "https://github.com/abojchevski/graph2gauss (Bojchevski and Günnemann, 2018)", "MIT",
			"citeseer/citeseer.txt", "7e0167bb18898791e04132673499ad48143da7e09fe2c3426f9d313b0f18622b", arrays),
		single("cora_ml", "citations between papers, SED", "https://github.com/abojchevski/graph2gauss (Bojchevski and Günnemann, 2018)", "MIT",
			"cora_ml/cora_ml.txt", "32ccc0c953ed81f6e8898b0dd9679fd1c11993ecb2c19c444e5e28cc9a7fe88b", arrays),
		single("pubmed", "citations between papers on diabetes, SED", "https://github.com/shchur/gnn-benchmark, data/npz/pubmed.npz (Planetoid; Yang et al., 2016)", "MIT",
			"pubmed/pubmed.txt", "a36dd815d99ffd1586190c38c2fc4447ae41974db1078c9ee6bde9813f8473c9", arrays),
		single("wordnet", "synsets of WordNet 3.0, SED", "https://wordnet.princeton.edu/", "WordNet 3.0, which must go with every copy",
			"wordnet/wordnet.txt.gz", "72ad5fa7a3e157f3525d0e80d8d843bf8985cb1ffbabbfdb2ce91870a873e6e0", byHand),
		single("debian", "packages of Debian 12, SED", "https://www.debian.org/distrib/packages", "factual metadata, none stated",
			"debian/debian_bookworm.txt.gz", "f97b2c3b52adbca79e43bd553f9d23f90a6385a76bf12ef75b789e0c073afc73", byHand),
		single("aids42k", "molecules of the NCI screen, exact search", "https://dtp.cancer.gov/; labelled as in the code of Nass (Kim, 2021)", "none stated",
			"aids42k/aids42k.txt.gz", "4bae71d3bfd1e5f19e8469e7c8296255c96fe3a724f4ecd1f54a27c03b157575", byHand),
		single("pubchem", "larger molecules of PubChem, exact search", "https://github.com/JongikKim/Nass, data/CHEM.gz (Kim, 2021)", "none stated",
			"pubchem/pubchem.txt.gz", "c449a818264e61c298152538f1d4be8f51e82c58103634e503d13c46a2127598", "Download data/CHEM.gz and give it with --from."),
	}
}

const (
	arrays = "Download the .npz, write its graph by the few lines of Python in docs/datasets.md, and give that file with --from."
	byHand = "docs/datasets.md says of what the graph is made; give a file of it with --from."
)

// benchmark is one of SimGNN's: a folder of JSON files for each part.
func benchmark(name, folder string, train, test int, trainSum, testSum string) []File {
	file := func(part, sum string, graphs int) File {
		return File{
			Path: name + "/" + part + ".txt", SHA256: sum, Graphs: graphs,
			from: []string{name + "/" + part + ".txt", "json_data/" + folder + "/" + part, folder + "/" + part}, tidy: tidy{byID: true},
		}
	}
	return []File{file("train", trainSum, train), file("test", testSum, test)}
}

// single is a collection of one file that is not made of an archive here.
func single(name, about, owner, licence, path, sum, hand string) Entry {
	base := path[strings.LastIndexByte(path, '/')+1:]
	return Entry{
		Name: name, About: about, Owner: owner, Licence: licence, Hand: hand,
		Files: []File{{Path: path, SHA256: sum, from: []string{path, base, strings.TrimSuffix(base, ".gz"), "."}}},
	}
}

// Find returns the entry of a name.
func Find(name string) (Entry, error) {
	var names []string
	for _, e := range Entries() {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	slices.Sort(names)
	return Entry{}, fmt.Errorf("catalogue: no collection %q, want one of %s", name, strings.Join(names, ", "))
}
