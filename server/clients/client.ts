// Uses the service by types that are generated from its description. Run with the
// address of a service that has a writable collection "molecules" of the graphs
// 1 (CCO) and 2 (CCN), and its token.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./build/api.js";

const [url = "", token = ""] = process.argv.slice(2);
const api = createClient<paths, "application/json" | "application/problem+json">({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });
const molecules = { path: { name: "molecules" } };

// A search.
const search = await api.POST("/v1/collections/{name}/search", {
  params: molecules,
  body: { query: { smiles: "CCO" }, k: 2, explain: true },
});
assert.ok(search.data, JSON.stringify(search.error));
assert.equal(search.data.status, "proven");
assert.deepEqual(search.data.answers.map((a) => [a.id, a.ged]), [["1", 0], ["2", 1]]);
const kinds: components["schemas"]["EditKind"][] = (search.data.answers[1]?.edits ?? []).map((e) => e.op);
assert.deepEqual(kinds, ["substitute node"]);

// A distance, of directed graphs.
const step = (label: string): components["schemas"]["Query"] => ({
  graph: { directed: true, nodes: [{ id: "a", label: "read" }, { id: "b", label }], edges: [{ source: "a", target: "b" }] },
});
const distance = await api.POST("/v1/distance", { body: { query: step("write"), target: step("close"), task: "ged" } });
assert.ok(distance.data, JSON.stringify(distance.error));
assert.equal(distance.data.exact && distance.data.upper, 1);

// Distances to many graphs, one of which there is not.
const many = await api.POST("/v1/collections/{name}/distances", { params: molecules, body: { query: { smiles: "CCO" }, ids: ["1", "none", "2"] } });
assert.deepEqual(many.data?.results.map((r) => r.distance?.upper ?? r.problem?.status), [0, 404, 1], JSON.stringify(many.error));

// All answers within a radius, part by part.
const seen: string[] = [];
for (let cursor: string | undefined; ; ) {
  const part = await api.POST("/v1/collections/{name}/search", { params: molecules, body: { query: { smiles: "CCO" }, radius: 5, limit: 1, cursor } });
  assert.equal(part.data?.total, 2, JSON.stringify(part.error));
  seen.push(...part.data.answers.map((a) => a.id));
  if (!(cursor = part.data.next)) break;
}
assert.deepEqual(seen, ["1", "2"]);

// A collection that comes and goes.
const made = await api.PUT("/v1/collections/{name}", { params: { path: { name: "made" } }, body: {} });
assert.equal(made.data?.graphs, 0, JSON.stringify(made.error));
const gone = await api.DELETE("/v1/collections/{name}", { params: { path: { name: "made" } } });
assert.ok(gone.data?.deleted, JSON.stringify(gone.error));

// A put, of an id that needs quoting.
const odd = "a/b c?d#é";
const put = await api.PUT("/v1/collections/{name}/graphs/{id}", {
  params: { path: { name: "molecules", id: odd } },
  body: { smiles: "CCS", name: "ethanethiol" },
});
assert.deepEqual({ ...put.data, state: "" }, { put: 1, replaced: 0, deleted: 0, state: "" }, JSON.stringify(put.error));
const got = await api.GET("/v1/collections/{name}/graphs/{id}", { params: { path: { name: "molecules", id: odd } } });
assert.equal(got.data?.name, "ethanethiol");

// A batch.
const batch = await api.POST("/v1/collections/{name}/graphs", {
  params: molecules,
  body: { put: [{ id: "x", smiles: "CCCl" }, { id: "y", smiles: "CCBr" }], delete: [odd] },
});
assert.ok(batch.data?.state, JSON.stringify(batch.error));
assert.deepEqual({ ...batch.data, state: "" }, { put: 2, replaced: 0, deleted: 1, state: "" });
const undo = await api.POST("/v1/collections/{name}/graphs", { params: molecules, body: { delete: ["x", "y"] } });
assert.equal(undo.data?.deleted, 2);

// A mistake comes as a problem with the request's id.
const wrong = await api.POST("/v1/collections/{name}/search", { params: molecules, body: { query: { smiles: "C1" } } });
assert.equal(wrong.error?.status, 422);
assert.equal(wrong.error?.request, wrong.response.headers.get("X-Request-Id"));
console.log("the TypeScript client works");
