package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestNothingIsPassedOver: what is repeated, empty or of another case is refused by
// its name, not ignored.
func TestNothingIsPassedOver(t *testing.T) {
	s := start(t, nil)
	const search = "/v1/collections/mols/search"
	for _, c := range []struct{ query, saying string }{
		{"?smiles=CCO&k=1&k=2", `\"k\" is given 2 times`},
		{"?smiles=CCO&smiles=C", `\"smiles\" is given 2 times`},
		{"?smiles=CCO&k=", `\"k\" is empty`},
		{"?smiles=CCO&radius=", `\"radius\" is empty`},
		{"?smiles=CCO&time_limit=", `\"time_limit\" is empty`},
		{"?smiles=CCO&filter=", `\"filter\" is empty`},
		{"?smiles=CCO&explain", `\"explain\" is empty`},
		{"?smiles=CCO&K=1", `no parameter \"K\"`},
		{"?smiles=CCO&k=0", "k: 0"},
		{"?smiles=CCO&k=1;mode=predicted", "semicolon"},
	} {
		s.ask(t, "GET", search+c.query, "").want(t, 422, c.saying)
	}
	s.ask(t, "GET", search+"?smiles=CCO&k=1&filter=number%3E%3D0&filter=number%3C%3D9", "").want(t, 200)
	many := `"a0":0`
	for i := range 40 {
		many += fmt.Sprintf(`,"a%d":[{},{"x":1}]`, i+1)
	}
	for _, c := range []struct{ method, path, body, saying string }{
		{"POST", search, `{"query":{"smiles":"C"},"K":1}`, `\"K\"; it is written \"k\"`},
		{"POST", search, `{"query":{"SMILES":"C"}}`, `\"SMILES\"; it is written \"smiles\"`},
		{"POST", search, `{"query":{"smiles":"C"},"k":1,"k":2}`, `\"k\" is given twice`},
		{"POST", search, `{"query":{"smiles":"C"},"k":1 , "\u006b" : 2}`, `\"k\" is given twice`},
		{"POST", search, `{"query":{"smiles":"C","smiles":"N"}}`, `\"smiles\" is given twice`},
		{"POST", search, `{"query":{"smiles":"", "id":"m0"}}`, `\"smiles\" is empty`},
		{"POST", "/v1/parse", `{"smiles":"C","text" : ""}`, `\"text\" is empty`},
		{"PUT", "/v1/collections/own/graphs/x", `{"smiles":"C","mol":""}`, `\"mol\" is empty`},
		{"POST", "/v1/collections/own/graphs", `{"id":"x","smiles":"C","tve":""}`, `line 1: the member \"tve\" is empty`},
		{"POST", search, `{"query":{"smiles":"C"},"k":0}`, "body.k"},
		{"POST", search, `{"query":{"smiles":"C"},"time_limit":""}`, "body.time_limit"},
		{"POST", search, `{"query":{"smiles":"C"},"task":""}`, "body.task"},
		{"POST", "/v1/distance", `{"query":{"smiles":"C"},"target":{"smiles":"C"},"time_limit":""}`, "body.time_limit"},
		{"POST", "/v1/parse", `{"graph":{"nodes":[{"id":0,"label":"C","label":"N"}],"edges":[]}}`, `\"label\" is given twice`},
		{"PUT", "/v1/collections/own/graphs/x", `{"smiles":"C","Name":"x"}`, `\"Name\"; it is written \"name\"`},
		{"PUT", "/v1/collections/own/graphs/x", `{"smiles":"C","attributes":{` + many + `,"a3":1}}`, `\"a3\" is given twice`},
		{"POST", "/v1/collections/own/graphs", `{"id":"x","smiles":"C"}` + "\n" + `{"ID":"y","smiles":"C"}`, `line 2: there is no member \"ID\"`},
		{"POST", "/v1/collections/own/graphs", `{"id":"x","id":"y","smiles":"C"}`, `line 1: the member \"id\" is given twice`},
	} {
		s.ask(t, c.method, c.path, c.body).want(t, 422, c.saying)
	}
	s.ask(t, "GET", "/v1/collections/own/graphs/x", "").want(t, 404)
	// Names in attributes are the client's own.
	s.ask(t, "PUT", "/v1/collections/own/graphs/x", ` { "smiles" : "C" , "attributes" : { "k":1, "K":[ ], "\"":"\\", "n":-1.5e3 ,"b":[true, null ] , `+many+`} } `).want(t, 200)
	s.ask(t, "POST", "/v1/parse", `{"smiles":"C"`).want(t, 400)
	s.ask(t, "POST", "/v1/parse", strings.Repeat("[", 200_000)).want(t, 400)
}

// TestExpectedBodies: a client that waits to be told to send its body is refused at
// once, and the connection ends.
func TestExpectedBodies(t *testing.T) {
	s := start(t, nil)
	for _, c := range []struct {
		head   string
		status int
	}{
		{"POST /v1/parse HTTP/1.1\r\nContent-Length: 3000000\r\n", 413},
		{"POST /v1/collections/own/graphs HTTP/1.1\r\nContent-Length: 100000000\r\n", 413},
		{"POST /v1/nothing HTTP/1.1\r\nContent-Length: 100\r\n", 404},
		{"POST /v1/nothing HTTP/1.1\r\nTransfer-Encoding: chunked\r\n", 404},
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "%sHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n\r\n", c.head)
		in := bufio.NewReader(conn)
		answer, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != c.status {
			t.Errorf("%q: status %d, %s, %v", c.head, answer.StatusCode, text, err)
		}
		if _, err := in.ReadByte(); err != io.EOF {
			t.Errorf("%q: after the answer comes %v", c.head, err)
		}
	}
}
