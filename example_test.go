package greed_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
)

func ExampleBundled() {
	ctx := context.Background()
	c, err := greed.Bundled(ctx)
	if err != nil {
		log.Fatal(err)
	}
	aspirin, err := c.ParseSMILES("CC(=O)Oc1ccccc1C(=O)O")
	if err != nil {
		log.Fatal(err)
	}
	found, err := c.Search(ctx, aspirin, greed.Options{K: 2})
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range found.Answers {
		distance, exact := a.Distance()
		fmt.Println(distance, exact, a.ID, a.SMILES)
	}
	// Output:
	// 1 true 4000 CC(=O)NC1=C(C=CC=C1)C(O)=O
	// 2 true 2109 OC(=O)CC1=CC=C(C=C1)C(O)=O
}

func ExampleCollection_Search_sed() {
	ctx := context.Background()
	c, err := greed.Bundled(ctx)
	if err != nil {
		log.Fatal(err)
	}
	indole, err := c.ParseSMILES("c1ccc2[nH]ccc2c1")
	if err != nil {
		log.Fatal(err)
	}
	found, err := c.Search(ctx, indole, greed.Options{Task: greed.SED, K: 2, Explain: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range found.Answers {
		distance, _ := a.Distance()
		fmt.Println(distance, a.Edits)
	}
	// Output:
	// 0 []
	// 0 []
}

// Costs may be any function of two nodes or two edges: here atoms next to each other in
// the alphabet are nearly the same.
func ExampleDistance_matrices() {
	c, err := greed.Bundled(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	var g [2]*greed.Graph
	for i, smiles := range []string{"CCN", "CCO"} {
		if g[i], err = c.ParseSMILES(smiles); err != nil {
			log.Fatal(err)
		}
	}
	one := func(int) float64 { return 1 }
	nodes := edit.ElementCostsOf(g[0].N(), g[1].N(), func(i, j int) float64 {
		return math.Abs(float64(g[0].LabelText(i)[0])-float64(g[1].LabelText(j)[0])) / 10
	}, one, one)
	d, err := greed.Distance(context.Background(), greed.GED, g[0], g[1],
		greed.DistanceOptions{Matrices: &edit.Matrices{Nodes: nodes}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Upper, d.Exact, d.Edits)
	// Output: 0.1 true [substitute node 2 (N) by 2 (O)]
}

func ExampleOpen() {
	path := filepath.Join(os.TempDir(), "greed-example.smi")
	if err := os.WriteFile(path, []byte("CCO ethanol\nCCN ethylamine\nc1ccccc1 benzene\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	defer os.Remove(path)
	c, err := greed.Open(context.Background(), greed.Source{Path: path})
	if err != nil {
		log.Fatal(err)
	}
	// Without a model, bounds and the exact solver answer alone.
	propanol, err := c.ParseSMILES("CCCO")
	if err != nil {
		log.Fatal(err)
	}
	found, err := c.Search(context.Background(), propanol, greed.Options{Radius: new(3.0)})
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range found.Answers {
		distance, _ := a.Distance()
		fmt.Println(distance, a.ID)
	}
	// Output:
	// 2 ethanol
	// 3 ethylamine
}

func ExampleCollection_Put() {
	ctx := context.Background()
	c := greed.New()
	for _, smiles := range []string{"CCO", "CCCO"} {
		g, err := c.ParseSMILES(smiles)
		if err != nil {
			log.Fatal(err)
		}
		if _, err := c.Put(ctx, dataset.Record{ID: smiles, Graph: g}); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(c.Len(), c.Record(1).ID)
	// Output: 2 CCCO
}

func ExampleDistance() {
	c := greed.New()
	pyridine, err := c.ParseSMILES("c1ccncc1")
	if err != nil {
		log.Fatal(err)
	}
	aniline, err := c.ParseSMILES("Nc1ccccc1")
	if err != nil {
		log.Fatal(err)
	}
	for _, task := range []greed.Task{greed.GED, greed.SED} {
		r, err := greed.Distance(context.Background(), task, pyridine, aniline, greed.DistanceOptions{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(task, r.Upper, r.Exact)
	}
	// Output:
	// ged 3 true
	// sed 1 true
}

func ExampleCollection_Save() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "greed")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	c := greed.New()
	g, err := c.ParseSMILES("CCO")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := c.Put(ctx, greed.Record{ID: "ethanol", Graph: g}); err != nil {
		log.Fatal(err)
	}
	if err := c.AttachBundled(ctx); err != nil {
		log.Fatal(err)
	}
	if err := c.Save(filepath.Join(dir, "index")); err != nil {
		log.Fatal(err)
	}
	again, err := greed.Open(ctx, greed.Source{Path: filepath.Join(dir, "index")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Record(0).ID, again.Models())
	// Output: ethanol [ged sed]
}

func ExampleCollection_Join() {
	ctx := context.Background()
	c, err := greed.Open(ctx, greed.Source{Text: "CCO ethanol\nCCN ethylamine\nc1ccccc1 benzene\n"})
	if err != nil {
		log.Fatal(err)
	}
	near, err := c.Join(ctx, greed.JoinOptions{Near: greed.Near{Radius: 2}})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range near.Pairs {
		fmt.Println(p.Query, p.Target, p.Upper)
	}
	// Output: ethanol ethylamine 1
}
