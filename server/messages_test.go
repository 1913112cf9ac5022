package server_test

import (
	"strings"
	"testing"
)

// TestMessagesAreForClients: a message speaks of the graph that was sent, not of a
// query, and of no flags.
func TestMessagesAreForClients(t *testing.T) {
	s := start(t, nil)
	for _, body := range []string{
		`{"smiles":"C(("}`,
		`{"text":"what is this\nand this"}`,
		`{"tve":"t # 0\nv 0 C\ne 0 1 1\n"}`,
		`{"tve":"t # 0\nv 0 C\nv 1 C\ne 0 1 1\ne 1 x 1\n"}`,
		`{"text":"id,name\n1,x\n2,y\n"}`,
		`{}`,
	} {
		for _, r := range []reply{
			s.ask(t, "PUT", "/v1/collections/own/graphs/x", body),
			s.ask(t, "POST", "/v1/parse", body),
		} {
			r.want(t, 422)
			if strings.Contains(r.body, "--") || strings.Contains(r.body, "the query") {
				t.Errorf("%s: %s", body, r.body)
			}
			t.Log(r.body)
		}
	}
	s.ask(t, "PUT", "/v1/collections/own/graphs/x", `{"tve":"t # 0\nv 0 C\ne 0 1 1\n"}`).want(t, 422, "line 3", "node 1")
}
