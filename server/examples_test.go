package server_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// example runs an example client against a service.
func example(t *testing.T, program string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("there is no %s", program)
	}
	out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func TestCurlExample(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("there is no curl")
	}
	s := start(t, nil)
	out := example(t, "sh", filepath.Join("..", "examples", "curl.sh"), s.URL, "mols", "CCN")
	for _, want := range []string{"rank,id,name", "1,m1,", `"certified":true`, `"edits":[`, `"to":"O"`} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %s: %s", want, out)
		}
	}
}

func TestPythonExample(t *testing.T) {
	s := start(t, nil)
	client := filepath.Join("..", "examples", "greed_client.py")
	out := example(t, "python3", client, s.URL, "mols", "CCO")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) != 5 || strings.Join(strings.Fields(lines[0]), " ") != "0 m0 CCO" {
		t.Errorf("output %s", out)
	}
	if bad, err := exec.Command("python3", client, s.URL, "mols", "C1").CombinedOutput(); err == nil || !strings.Contains(string(bad), "422: the graph cannot be read") {
		t.Errorf("a bad query: %v, %s", err, bad)
	}
}

// TestPythonMethods calls every method of the client.
func TestPythonMethods(t *testing.T) {
	s := start(t, nil)
	out := example(t, "python3", "-c", fmt.Sprintf(`
import sys
sys.path.insert(0, "../examples")
sys.dont_write_bytecode = True
from greed_client import Client, Problem
c = Client(%q)
done = c.put("own", [{"id": "a/b", "smiles": "CCS"}, {"id": "m0", "delete": True}])
print(done["put"], done["replaced"], done["deleted"])
print(c.get("own", "a/b")["smiles"])
print(c.distance("own", {"smiles": "CCO"}, "a/b")["upper"])
print([line for line in c.stream("own", {"smiles": "CCS"}, k=1)][-1]["found"]["answers"][0]["id"])
print(c.delete("own", "a/b")["deleted"])
c.put("own", [{"id": id, "smiles": "CCS"} for id in (".", "..")])
print([(c.get("own", id)["id"], c.delete("own", id)["deleted"]) for id in (".", "..")])
try:
    c.get("own", "a/b")
except Problem as p:
    print(p.status)
`, s.URL))
	want := "1 0 1\nCCS\n1\na/b\n1\n[('.', 1), ('..', 1)]\n404\n"
	if out != want {
		t.Errorf("output %s, want %s", out, want)
	}
}
