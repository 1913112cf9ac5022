package paper

// Collections of GED and of SED, in the order of the paper's tables. WordNet and Debian
// take the places of DBLP and Amazon, whose figures are not theirs.
var (
	gedExams = []string{"ged/aids700nef", "ged/linux", "ged/imdb"}
	sedExams = []string{"sed/wordnet", "sed/debian", "sed/pubmed", "sed/citeseer", "sed/cora_ml", "sed/protein", "sed/groups", "sed/aids"}
)

// titles names collections as the paper does.
var titles = map[string]string{
	"ged/aids700nef": "AIDS'", "ged/linux": "Linux", "ged/imdb": "IMDB", "sed/wordnet": "WordNet (for DBLP)", "sed/debian": "Debian (for Amazon)",
	"sed/pubmed": "PubMed", "sed/citeseer": "CiteSeer", "sed/cora_ml": "Cora_ML", "sed/protein": "Protein",
	"sed/groups": "AIDS, functional groups", "sed/aids": "AIDS, drawn queries",
	"mcs/aids700nef": "AIDS'", "mcs/linux": "Linux", "mcs/imdb": "IMDB",
}
