// Drawings have the service's nodes in its order: SmilesDrawer's atoms against
// greed's reading of every bundled molecule.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { build as bundle } from "esbuild";
import { build, folder, greed, root } from "./service.mjs";

let layoutMolecule, writeSMILES, records;
before(async () => {
  build();
  const outfile = join(folder, "layout.mjs");
  await bundle({
    stdin: { contents: 'export * from "./molecule"; export * from "./smiles";', resolveDir: join(root, "server/page/src"), loader: "ts" },
    bundle: true, format: "esm", outfile, logLevel: "error",
  });
  ({ layoutMolecule, writeSMILES } = await import(outfile));
  const file = join(root, "bundle/nci5k.smi.gz");
  const smiles = gunzipSync(readFileSync(file)).toString().trim().split("\n").map((line) => line.split(/\s/)[0]);
  const graphs = execFileSync(greed, ["dataset", "convert", file, "--to", "ndjson"], { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  records = graphs.trim().split("\n").map((line, i) => ({ smiles: smiles[i], graph: JSON.parse(line) }));
  assert.equal(records.length, 4999);
});

const bonds = (edges, number = (v) => v) =>
  edges.map(({ a, b }) => [number(a), number(b)].sort((x, y) => x - y).join("-")).sort().join(" ");
const bondsOf = (graph) => bonds(graph.edges.map((e) => ({ a: e.source, b: e.target })));

test("atoms are in the order of the nodes, and bonds are the edges", () => {
  for (const { smiles, graph } of records) {
    const scene = layoutMolecule(smiles);
    assert.ok(scene, smiles);
    assert.deepEqual(scene.nodes.map((n) => n.label), graph.nodes.map((n) => n.label), smiles);
    assert.equal(bonds(scene.edges), bondsOf(graph), smiles);
  }
});

test("graphs of molecules are written as SMILES that read back", () => {
  for (const { smiles, graph } of records.filter((_, i) => i % 10 === 0)) {
    const { text, order } = writeSMILES(graph);
    const scene = layoutMolecule(text);
    assert.equal(bonds(scene.edges, (v) => order[v]), bondsOf(graph), `${smiles} written as ${text}`);
    assert.deepEqual(scene.nodes.map((n) => n.label), order.map((v) => graph.nodes[v].label), text);
  }
});
