// Package corpus has the list of public files that reading is tried on, with what came of each, and
// compares what is read of DOT with what Graphviz reads. The files are not here: they belong to their
// projects.
//
//	GREED_CORPUS=DIR go test ./lab/corpus -v
//
// reads them below DIR, where file PATH of repository OWNER/NAME is DIR/OWNER+NAME/PATH. With -update
// it writes the list anew.
package corpus
