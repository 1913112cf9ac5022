//go:build unix

package server

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/certificate"
	"github.com/greedgraph/greed/certificate/verify"
	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/chemname"
	"github.com/greedgraph/greed/chem/rgroup"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/varint"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/search/cliffs"
	"github.com/greedgraph/greed/space"
	"github.com/greedgraph/greed/store"
	"github.com/greedgraph/greed/vectorindex"
)

// noCall are packages of whose errors none can come to an answer: the service does
// not call them, or only before it starts.
var noCall = []string{"eval", "mcs", "train", "truth", "sample", "internal/safetensors", "embedding", "part", "postgres", "internal/journal", "lab"}

// TestEveryError has the status of every exported error of the module: one that
// is new must be given one.
func TestEveryError(t *testing.T) {
	const fault = http.StatusInternalServerError
	table := map[string]struct {
		err    error
		status int
	}{
		"certificate.ErrFalse":      {certificate.ErrFalse, fault}, // the solver errs
		"certificate.ErrGraphs":     {certificate.ErrGraphs, 422},
		"certificate.ErrOpen":       {certificate.ErrOpen, 422},
		"certificate.ErrUnit":       {certificate.ErrUnit, 422},
		"verify.ErrRefused":         {verify.ErrRefused, fault},
		"chem.ErrNotMolecule":       {chem.ErrNotMolecule, 422},
		"chem.ErrNotWritable":       {chem.ErrNotWritable, 422},
		"chem.ErrSMARTS":            {chem.ErrSMARTS, 422},
		"chem.ErrSMARTSLimit":       {chem.ErrSMARTSLimit, 422},
		"dataset.ErrEmpty":          {dataset.ErrEmpty, 422},
		"dataset.ErrSeveral":        {dataset.ErrSeveral, 422},
		"dataset.ErrMixed":          {dataset.ErrMixed, 422},
		"dataset.ErrNoNodes":        {dataset.ErrNoNodes, 422},
		"dataset.ErrRecordTooLarge": {dataset.ErrRecordTooLarge, 422},
		"dataset.ErrUnknownFormat":  {dataset.ErrUnknownFormat, 422},
		"dataset.ErrLabelChoice":    {dataset.ErrLabelChoice, 422},
		"space.ErrDamaged":          {space.ErrDamaged, 500},
		"space.ErrFile":             {space.ErrFile, 500},
		"space.ErrVersion":          {space.ErrVersion, 500},
		"chemname.ErrUnknown":       {chemname.ErrUnknown, 422},
		"edit.ErrCosts":             {edit.ErrCosts, 422},
		"ged.ErrDirection":          {ged.ErrDirection, 422},
		"ged.ErrFixed":              {ged.ErrFixed, 422},
		"ged.ErrVocabulary":         {ged.ErrVocabulary, fault}, // a bug of the service
		"graph.ErrDuplicateEdge":    {graph.ErrDuplicateEdge, 422},
		"graph.ErrNodeRange":        {graph.ErrNodeRange, 422},
		"graph.ErrSelfLoop":         {graph.ErrSelfLoop, 422},
		"greed.ErrAttribute":        {greed.ErrAttribute, 422},
		"search.ErrAttribute":       {search.ErrAttribute, 422},
		"cliffs.ErrGiven":           {cliffs.ErrGiven, fault}, // requests give no pairs
		"greed.ErrCosts":            {greed.ErrCosts, 422},
		"greed.ErrCalibration":      {greed.ErrCalibration, 422},
		"model.ErrCalibration":      {model.ErrCalibration, 422},
		"greed.ErrEdits":            {greed.ErrEdits, 422},
		"greed.ErrNotProven":        {greed.ErrNotProven, 422},
		"greed.ErrPairs":            {greed.ErrPairs, 422},
		"greed.ErrConditions":       {greed.ErrConditions, 422},
		"rgroup.ErrTime":            {rgroup.ErrTime, fault}, // the root package counts such molecules
		"greed.ErrWays":             {greed.ErrWays, 422},
		"greed.ErrRules":            {greed.ErrRules, 422},
		"greed.ErrReadAs":           {greed.ErrReadAs, 422},
		"greed.ErrIndex":            {greed.ErrIndex, 422},
		"greed.ErrWildcard":         {greed.ErrWildcard, 422},
		"greed.ErrDirection":        {greed.ErrDirection, 422},
		"greed.ErrMixed":            {greed.ErrMixed, 422},
		"greed.ErrParts":            {greed.ErrParts, 409},
		"greed.ErrLacking":          {greed.ErrLacking, 409},
		"search.ErrLacking":         {search.ErrLacking, 409},
		"greed.ErrRepeated":         {greed.ErrRepeated, 409},
		"live.ErrRepeated":          {live.ErrRepeated, 409},
		"live.ErrSeveral":           {live.ErrSeveral, 409},
		"greed.ErrNoGraph":          {greed.ErrNoGraph, fault}, // the service reads them
		"greed.ErrNoModel":          {greed.ErrNoModel, 409},
		"greed.ErrVectors":          {greed.ErrVectors, 409},
		"varint.ErrShort":           {varint.ErrShort, fault},          // what is stored is damaged
		"vectorindex.ErrNotFinite":  {vectorindex.ErrNotFinite, fault}, // the model fails
		"vectorindex.ErrTree":       {vectorindex.ErrTree, fault},      // the index on the disk is wrong
		"model.ErrFormat":           {model.ErrFormat, fault},
		"model.ErrMismatch":         {model.ErrMismatch, 422},
		"model.ErrNotIndexable":     {model.ErrNotIndexable, 409},
		"model.ErrVersion":          {model.ErrVersion, fault},
		"search.ErrCosts":           {search.ErrCosts, 422},
		"search.ErrNoModel":         {search.ErrNoModel, 409},
		"store.ErrRewritten":        {store.ErrRewritten, fault}, // package live loads again
		"store.ErrChanged":          {store.ErrChanged, 412},
		"greed.ErrChanged":          {greed.ErrChanged, 412},
		"greed.ErrExists":           {greed.ErrExists, 409},
		"store.ErrDamaged":          {store.ErrDamaged, fault},
		"store.ErrExists":           {store.ErrExists, 409},
		"store.ErrFormat":           {store.ErrFormat, fault},
		"store.ErrKind":             {store.ErrKind, 409},
		"store.ErrLocked":           {store.ErrLocked, 503},
		"store.ErrNotFound":         {store.ErrNotFound, 404},
		"store.ErrRecord":           {store.ErrRecord, 422},
		"store.ErrVectors":          {store.ErrVectors, 409},
		"store.ErrVersion":          {store.ErrVersion, fault},
	}
	for _, name := range exportedErrors(t) {
		c, ok := table[name]
		switch {
		case !ok:
			t.Errorf("%s has no status", name)
		case statusOf(explain(fmt.Errorf("search: %w", c.err))) != c.status:
			t.Errorf("%s: status %d, want %d", name, statusOf(explain(c.err)), c.status)
		}
		delete(table, name)
	}
	for name := range table {
		t.Errorf("%s is no exported error", name)
	}
}

// exportedErrors returns the names of all exported variables of the module that
// are called Err…, but for those of noCall.
func exportedErrors(t *testing.T) (names []string) {
	t.Helper()
	root := filepath.Join("..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			dir, _ := filepath.Rel(root, path)
			if name := d.Name(); name == "testdata" || name == "node_modules" || path != root && strings.HasPrefix(name, ".") && name != ".." || slices.Contains(noCall, filepath.ToSlash(dir)) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			vars, ok := decl.(*ast.GenDecl)
			if !ok || vars.Tok != token.VAR {
				continue
			}
			for _, spec := range vars.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if strings.HasPrefix(name.Name, "Err") {
						names = append(names, file.Name.Name+"."+name.Name)
					}
				}
			}
		}
		return nil
	})
	if err != nil || len(names) < 10 {
		t.Fatalf("exported errors %v, %v", names, err)
	}
	return names
}

func TestProblems(t *testing.T) {
	secret := errors.New("open /home/someone/secret: no such file")
	for _, c := range []struct {
		err    error
		status int
	}{
		{fmt.Errorf("put: %w", syscall.ENOSPC), http.StatusInsufficientStorage},
		{fmt.Errorf("put: %w", store.ErrLocked), http.StatusServiceUnavailable},
		{fmt.Errorf("search: %w", greed.ErrCosts), http.StatusUnprocessableEntity},
		{fmt.Errorf("put: %w", syscall.EFBIG), http.StatusInsufficientStorage},
		{fmt.Errorf("put: %w", syscall.EROFS), http.StatusInsufficientStorage},
		{fmt.Errorf("put: %w", syscall.EACCES), http.StatusInsufficientStorage},
		{&dataset.BadRecord{File: "f", Err: dataset.ErrNoNodes}, http.StatusUnprocessableEntity},
		{context.DeadlineExceeded, http.StatusServiceUnavailable},
		{context.Canceled, statusClientGone},
		{secret, http.StatusInternalServerError},
		{problem(http.StatusTeapot, "short and stout"), http.StatusTeapot},
	} {
		w := httptest.NewRecorder()
		writeProblem(w, c.err)
		if w.Code != c.status || w.Header().Get("Content-Type") != problemType {
			t.Errorf("%v: status %d as %q, want %d", c.err, w.Code, w.Header().Get("Content-Type"), c.status)
		}
		if strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%v: the client is told %s", c.err, w.Body)
		}
		if later := w.Header().Get("Retry-After"); (later != "") != (c.status == 503 || c.status == 507) {
			t.Errorf("%v: Retry-After %q", c.err, later)
		}
	}
}

// TestFoldersAreNotShown: an error of a collection is told without the folder of it.
func TestFoldersAreNotShown(t *testing.T) {
	w := httptest.NewRecorder()
	writeProblem(w, fmt.Errorf("%s: %w: it was compacted", filepath.Join(t.TempDir(), "mols.index"), store.ErrVectors))
	if text := w.Body.String(); w.Code != http.StatusConflict || strings.Contains(text, filepath.Dir(t.TempDir())) || !strings.Contains(text, `"mols.index: `) {
		t.Errorf("status %d: %s", w.Code, text)
	}
	_, err := os.Open(filepath.Join(t.TempDir(), "mols.index", "collection.db"))
	if text := withoutFolder(err.Error()); text != "open collection.db: no such file or directory" {
		t.Errorf("%q", text)
	}
}
