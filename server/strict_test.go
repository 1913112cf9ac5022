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
		{"?smarts=C&task=ged", "task: does not apply to a SMARTS"},
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
		{"POST", search, `{"query":{"smiles":"C"},"time_limit":""}`, `\"time_limit\" is empty`},
		{"POST", search, `{"query":{"smiles":"C"},"smarts":""}`, `\"smarts\" is empty`},
		{"POST", search, `{"smarts":"C","task":"ged"}`, "task: does not apply to a SMARTS"},
		{"POST", search + "es", `{"smarts":"C","queries":[{"smiles":"C"}],"task":"ged"}`, "task: does not apply to a SMARTS"},
		{"POST", "/v1/collections/mols/join", `{"radius":0,"other":""}`, `\"other\" is empty`},
		{"POST", "/v1/distance", `{"query":{"smiles":"C"},"target":{"smiles":"C"},"collection":""}`, `\"collection\" is empty`},
		{"POST", "/v1/distance", `{"query":{"smiles":"C"},"target":{"smiles":"C"},"fix":""}`, `\"fix\" is empty`},
		{"GET", "/v1/collections?k=1", "", "there are none"},
		{"POST", search, `{"query":{"smiles":"C"},"task":""}`, "body.task"},
		{"POST", "/v1/distance", `{"query":{"smiles":"C"},"target":{"smiles":"C"},"time_limit":""}`, `\"time_limit\" is empty`},
		{"POST", "/v1/parse", `{"graph":{"nodes":[{"id":0,"label":"C","label":"N"}],"edges":[]}}`, `\"label\" is given twice`},
		{"PUT", "/v1/collections/own/graphs/x", `{"smiles":"C","Name":"x"}`, `\"Name\"; it is written \"name\"`},
		{"PUT", "/v1/collections/own/graphs/x", `{"smiles":"C","attributes":{` + many + `,"a3":1}}`, `\"a3\" is given twice`},
		{"POST", "/v1/collections/own/graphs", `{"id":"x","smiles":"C"}` + "\n" + `{"ID":"y","smiles":"C"}`, `line 2: there is no member \"ID\"`},
		{"POST", "/v1/collections/own/graphs", `{"id":"x","id":"y","smiles":"C"}`, `line 1: the member \"id\" is given twice`},
	} {
		s.ask(t, c.method, c.path, c.body).want(t, 422, c.saying)
	}
	s.ask(t, "GET", "/v1/collections/own/graphs/x", "").want(t, 404)
	s.ask(t, "POST", search, `{"smarts":"C","task":"sed","k":1}`).want(t, 200)
	// A condition that is empty is none, and the change would be made.
	const own = "/v1/collections/own/graphs"
	s.ask(t, "PUT", own+"/kept", `{"smiles":"C"}`).want(t, 200)
	for _, c := range []struct{ method, path, body, header, value, saying string }{
		{"POST", own, `{"delete":["kept"],"state":""}`, "Content-Type", "application/json", `\"state\" is empty`},
		{"POST", own, `{"text":"C kept","file":""}`, "Content-Type", "application/json", `\"file\" is empty`},
		{"DELETE", own + "/kept", "", "If-Match", "", "If-Match is empty"},
		{"DELETE", "/v1/collections/own", "", "If-Match", " ", "If-Match is empty"},
		{"PUT", own + "/kept", `{"smiles":"N"}`, "If-Match", "", "If-Match is empty"},
		{"PUT", own + "/kept", `{"smiles":"N"}`, "If-None-Match", "", "If-None-Match is empty"},
		{"POST", own, `{"id":"kept","smiles":"N"}`, "If-None-Match", "*", "If-None-Match does not apply"},
	} {
		s.ask(t, c.method, c.path, c.body, c.header, c.value).want(t, 422, c.saying)
	}
	s.ask(t, "GET", own+"/kept", "").want(t, 200, `"smiles":"C"`)
	s.ask(t, "DELETE", own+"/kept", "").want(t, 200)
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

// TestBodiesAreUnicode: encoding/json reads whatever is not Unicode as one and the same character,
// so that different ids and labels would be equal.
func TestBodiesAreUnicode(t *testing.T) {
	s := start(t, nil)
	const put = "/v1/collections/own/graphs/x"
	for _, c := range []struct{ method, path, body, saying string }{
		{"PUT", put, "{\"smiles\":\"C\",\"name\":\"M\xfcller\"}", "not UTF-8"},
		{"POST", "/v1/collections/own/graphs", "{\"put\":[{\"id\":\"\xe9\",\"smiles\":\"C\"},{\"id\":\"\xfc\",\"smiles\":\"N\"}]}", "not UTF-8"},
		{"POST", "/v1/collections/own/graphs", "{\"id\":\"x\",\"smiles\":\"C\"}\n{\"id\":\"\xe9\",\"smiles\":\"C\"}", "line 2: the body is not UTF-8"},
		{"POST", "/v1/distance", `{"query":{"tve":"t # 0\nv 0 \ud83d\n"},"target":{"smiles":"C"}}`, `\ud83d is half of a surrogate pair`},
		{"PUT", put, `{"smiles":"C","name":"\uDE00\uD83D"}`, `\uDE00 is half`},
		{"PUT", put, `{"smiles":"C","attributes":{"a\ud800":1}}`, `\ud800 is half`},
		{"PUT", put, `{"smiles":"C","attributes":{"a":["\ud83d\u0041"]}}`, `\ud83d is half`},
	} {
		s.ask(t, c.method, c.path, c.body).want(t, 422, strings.ReplaceAll(c.saying, `\`, `\\`))
	}
	s.ask(t, "GET", put, "").want(t, 404)
	s.ask(t, "PUT", put, `{"smiles":"C","name":"\ud83d\uDE00 \u00e9 \\ud800 é"}`).want(t, 200)
	s.ask(t, "GET", put, "").want(t, 200, `"name":"😀 é \\ud800 é"`)
}
