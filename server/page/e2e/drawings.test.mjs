// What is drawn, without a browser, against greed itself and plain loops.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { build as bundle } from "esbuild";
import { build, folder, greed, root, serve, stopAll } from "./service.mjs";

let layoutMolecule, writeSMILES, stepsOf, Grid, align, records;
before(async () => {
  build();
  const outfile = join(folder, "layout.mjs");
  await bundle({
    stdin: { contents: 'export * from "./molecule"; export * from "./smiles"; export * from "./path"; export * from "./grid"; export * from "./scene";', resolveDir: join(root, "server/page/src"), loader: "ts" },
    bundle: true, format: "esm", outfile, logLevel: "error",
  });
  ({ layoutMolecule, writeSMILES, stepsOf, Grid, align } = await import(outfile));
  const file = join(root, "bundle/nci5k.smi.gz");
  const smiles = gunzipSync(readFileSync(file)).toString().trim().split("\n").map((line) => line.split(/\s/)[0]);
  const graphs = execFileSync(greed, ["dataset", "convert", file, "--to", "ndjson"], { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  records = graphs.trim().split("\n").map((line, i) => ({ smiles: smiles[i], graph: JSON.parse(line) }));
  assert.equal(records.length, 4999);
});

after(stopAll);

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

test("the last step of an edit path is the target", async () => {
  const service = await serve(["--demo"]);
  const post = (path, body) =>
    fetch(service.url + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }).then((r) => r.json());
  let steps = 0;
  for (let i = 0; i < 40; i++) {
    const [q, t] = [records[i], records[(i * 37 + 11) % 200]];
    for (const task of ["ged", "sed"]) {
      const d = await post("/v1/distance", { query: { smiles: q.smiles }, target: { smiles: t.smiles }, task });
      const query = layoutMolecule(q.smiles, d.query), target = layoutMolecule(t.smiles, d.target);
      const path = stepsOf({ query, target, map: d.map, edits: d.edits, partial: task === "sed" });
      assert.equal(path.length, d.edits.length + 1);
      const { scene, names } = path.at(-1);
      const n = query.nodes.length, node = names.map((v) => (v < n ? d.map[v] : v - n));
      const about = `${task} of ${q.smiles} and ${t.smiles}`;
      assert.deepEqual(scene.nodes.map((v) => v.label), node.map((x) => target.nodes[x].label), about);
      const labelled = (edges, number) => edges.map((e) => `${[number(e.a), number(e.b)].sort((x, y) => x - y)}:${e.label}`).sort();
      const made = labelled(scene.edges, (v) => node[v]), wanted = labelled(target.edges, (v) => v);
      if (task === "ged") assert.deepEqual(made, wanted, about);
      else for (const edge of made) assert.ok(wanted.includes(edge), `${about}: ${edge}`);
      steps += path.length - 1;
    }
  }
  assert.ok(steps > 500);
});

test("a scene that is turned, mirrored and moved is laid back on itself", () => {
  for (const { smiles } of records.slice(0, 50)) {
    const scene = layoutMolecule(smiles);
    for (const flip of [1, -1]) {
      const [cos, sin] = [Math.cos(1.1), Math.sin(1.1)];
      const moved = { ...scene, nodes: scene.nodes.map((n) => ({ ...n, x: flip * (cos * n.x - sin * n.y) + 7, y: sin * n.x + cos * n.y - 3 })) };
      const back = align(scene, moved, scene.nodes.map((_, v) => v));
      back.nodes.forEach((n, v) => assert.ok(Math.hypot(n.x - scene.nodes[v].x, n.y - scene.nodes[v].y) < 1e-6, smiles));
    }
  }
});

test("the grid finds the nearest point", () => {
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (const n of [0, 1, 2, 100, 5000]) {
    const xy = Float32Array.from({ length: 2 * n }, random), grid = new Grid(xy);
    for (let i = 0; i < 200; i++) {
      const [x, y, radius] = [random(), random(), random() / 10];
      const to = (p) => (xy[2 * p] - x) ** 2 + (xy[2 * p + 1] - y) ** 2;
      let best = -1;
      for (let p = 0; p < n; p++) if (to(p) <= radius * radius && (best < 0 || to(p) < to(best))) best = p;
      const got = grid.nearest(x, y, radius);
      assert.equal(got < 0 ? -1 : to(got), best < 0 ? -1 : to(best), `${n} points, (${x}, ${y}), ${radius}`);
    }
  }
});
