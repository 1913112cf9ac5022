package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// startAssistant runs a command line that answers an assistant, and connects a client to it.
func startAssistant(t *testing.T, args ...string) *mcp.ClientSession {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self, args...)
	command.Args[0] = "greed" // see TestMain
	command.Stderr = os.Stderr
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	})
	return client
}

func callTool(t *testing.T, client *mcp.ClientSession, name string, args map[string]any) string {
	t.Helper()
	r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestMCP(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "drugs.csv")
	if err := os.WriteFile(table, []byte("smiles,name\nCCO,a\nCCN,b\nOc1ccccc1,c\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	client := startAssistant(t, "mcp", "--id-column", "name", table, "same="+table, "--max-nodes", "20")
	if got := callTool(t, client, "collections", nil); !strings.Contains(got, `"name":"drugs"`) || !strings.Contains(got, `"name":"same"`) {
		t.Errorf("collections: %s", got)
	}
	if got := callTool(t, client, "contains", map[string]any{"collection": "drugs", "query": "c1ccccc1"}); !strings.Contains(got, `"id":"c"`) || !strings.Contains(got, `"status":"proven"`) {
		t.Errorf("contains: %s", got)
	}
	if got := callTool(t, client, "parse", map[string]any{"text": strings.Repeat("C", 21)}); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, "21 nodes") {
		t.Errorf("parse: %s", got)
	}
	// A call that is given up leaves the program usable.
	hard := map[string]any{"query": "CC1=C(C=CC=C1)N=NC2=C(C=CC3=C2C=CC=C3)O", "target": "CN(C)C1=CC=C(C=C1)N=NC2=CC=CC=C2Cl", "costs": "chem1", "time_limit": "30s"}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	_, _ = client.CallTool(ctx, &mcp.CallToolParams{Name: "distance", Arguments: hard}) // or it was quicker
	if got := callTool(t, client, "distance", map[string]any{"query": "CCO", "target": "CCN"}); !strings.Contains(got, `"upper":1`) {
		t.Errorf("distance: %s", got)
	}
}

func TestMCPOfTheBundledMolecules(t *testing.T) {
	got := callTool(t, startAssistant(t, "mcp"), "search", map[string]any{"query": "CC(=O)Oc1ccccc1C(=O)O", "k": 1, "explain": true})
	if !strings.Contains(got, `"id":"4000"`) || !strings.Contains(got, "substitute node 3 (O) by 3 (N)") {
		t.Errorf("search: %s", got)
	}
}
