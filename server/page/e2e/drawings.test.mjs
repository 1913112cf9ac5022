// What is drawn, without a browser, against greed itself and plain loops.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { build as bundle } from "esbuild";
import { build, demonstrate, folder, greed, root, stopAll } from "./service.mjs";

let layoutMolecule, plain, stepOf, Grid, align, constrain, layoutNetwork, records;
before(async () => {
  build();
  const outfile = join(folder, "layout.mjs");
  await bundle({
    stdin: { contents: 'export * from "./molecule"; export * from "./path"; export * from "./grid"; export * from "./scene"; export * from "./constrain"; export * from "./network"; export * from "./plain";', resolveDir: join(root, "server/page/src"), loader: "ts" },
    bundle: true, format: "esm", outfile, logLevel: "error", absWorkingDir: join(root, "server/page"),
  });
  ({ layoutMolecule, plain, stepOf, Grid, align, constrain, layoutNetwork } = await import(outfile));
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
  for (const { smiles, graph } of records.filter((_, i) => i % 3 === 0)) {
    const scene = layoutMolecule(smiles);
    assert.ok(scene, smiles);
    assert.deepEqual(scene.nodes.map((n) => n.label), graph.nodes.map((n) => n.label), smiles);
    assert.equal(bonds(scene.edges), bondsOf(graph), smiles);
  }
});

test("graphs of molecules are laid out as molecules without SMILES", () => {
  for (const { smiles, graph } of records.filter((_, i) => i % 10 === 0)) {
    const scene = layoutMolecule(undefined, graph), written = layoutMolecule(smiles, graph);
    assert.equal(bonds(scene.edges), bondsOf(graph), smiles);
    assert.deepEqual(scene.nodes.map((n) => n.label), graph.nodes.map((n) => n.label), smiles);
    assert.equal(scene.rings.length, written.rings.length, smiles);
  }
});

test("a large ring is one", () => {
  assert.deepEqual(layoutMolecule("C1CCCCCCCCCCCCC1C").rings.map((r) => r.length), [14]);
});

test("a graph that is laid out plainly has every node in a place of its own, or the query's", () => {
  for (const n of [0, 1, 40, 300, 5000]) {
    const graph = { directed: true, nodes: Array.from({ length: n }, (_, id) => ({ id, label: "x" })), edges: Array.from({ length: Math.max(0, n - 2) }, (_, i) => ({ source: i, target: (i * 7 + 1) % n, label: "" })) };
    const { nodes } = plain({ graph });
    assert.equal(new Set(nodes.map((p) => `${p.x} ${p.y}`)).size, n);
    if (n !== 40) continue;
    const on = { query: { nodes: [{ x: -5, y: -7 }] }, map: [3] };
    assert.deepEqual([plain({ graph, on }).nodes[3].x, plain({ graph, on }).nodes[3].y], [-5, -7]);
  }
});

test("the last step of an edit path is the target", async () => {
  const service = await demonstrate();
  const post = (path, body) =>
    fetch(service.url + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }).then((r) => r.json());
  let steps = 0;
  for (let i = 0; i < 40; i++) {
    const [q, t] = [records[i], records[(i * 37 + 11) % 200]];
    for (const task of ["ged", "sed"]) {
      const d = await post("/v1/distance", { query: { smiles: q.smiles }, target: { smiles: t.smiles }, task, explain: true });
      const query = layoutMolecule(q.smiles, d.query_graph), target = layoutMolecule(t.smiles, d.target_graph);
      const { scene, names } = stepOf({ query, target, map: d.map, edits: d.edits }, d.edits.length);
      const n = query.nodes.length, node = names.map((v) => (v < n ? d.map[v] : v - n));
      const about = `${task} of ${q.smiles} and ${t.smiles}`;
      assert.deepEqual(scene.nodes.map((v) => v.label), node.map((x) => target.nodes[x].label), about);
      const labelled = (edges, number) => edges.map((e) => `${[number(e.a), number(e.b)].sort((x, y) => x - y)}:${e.label}`).sort();
      const made = labelled(scene.edges, (v) => node[v]), wanted = labelled(target.edges, (v) => v);
      if (task === "ged") assert.deepEqual(made, wanted, about);
      else for (const edge of made) assert.ok(wanted.includes(edge), `${about}: ${edge}`);
      steps += d.edits.length;
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

const apart = (p, q) => Math.hypot(p.x - q.x, p.y - q.y);

// faults counts bonds of a wrong length and atoms that lie on each other.
function faults(scene) {
  const joined = new Set(scene.edges.flatMap((e) => [`${e.a}-${e.b}`, `${e.b}-${e.a}`]));
  let n = scene.edges.filter((e) => Math.abs(apart(scene.nodes[e.a], scene.nodes[e.b]) - 1) > 0.5).length;
  scene.nodes.forEach((p, v) => scene.nodes.slice(0, v).forEach((q, w) => (n += apart(p, q) < 0.4 && !joined.has(`${v}-${w}`) ? 1 : 0)));
  return n;
}

test("an answer lies on the query where they are alike, and is as well drawn as by itself", async () => {
  const service = await demonstrate();
  let alone = 0, laid = 0, mapped = 0, stays = 0, relabelled = 0;
  for (let i = 0; i < 30; i++) {
    const { smiles, graph } = records[i * 83];
    const body = { query: { smiles }, k: 12, mode: "checked", time_limit: "30s", explain: true };
    const found = await fetch(`${service.url}/v1/collections/demo/search`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }).then((r) => r.json());
    const query = layoutMolecule(smiles, graph);
    for (const { position, map, edits } of found.answers) {
      const record = records[position], own = layoutMolecule(record.smiles, record.graph);
      const target = constrain(query, own, map);
      assert.deepEqual(target.nodes.map((n) => n.label), own.nodes.map((n) => n.label));
      assert.deepEqual(target.edges, own.edges);
      alone += faults(own);
      laid += faults(target);
      const still = map.filter((x, v) => x >= 0 && apart(query.nodes[v], target.nodes[x]) < 1e-9).length;
      mapped += map.filter((x) => x >= 0).length;
      stays += still;
      if (edits.every((op) => op.op.startsWith("substitute"))) {
        relabelled++;
        assert.equal(still, map.length, `${smiles} and ${record.smiles}`);
      }
    }
  }
  assert.ok(relabelled > 30, `${relabelled}`);
  assert.ok(stays > 0.75 * mapped, `${stays} of ${mapped} atoms stay`);
  assert.ok(laid <= alone, `${laid} faults, ${alone} alone`);
});

// A directed graph without cycles, of n nodes.
const calls = (n) => ({
  directed: true,
  nodes: Array.from({ length: n }, (_, id) => ({ id, label: `function_${id}` })),
  edges: Array.from({ length: n - 1 }, (_, i) => ({ source: Math.floor(i / 2), target: i + 1, label: "" })),
});

test("a directed graph leads downwards, and one that grew lies on the one before", async () => {
  for (const n of [1, 2, 30, 149, 1000]) {
    const graph = calls(n), scene = await layoutNetwork(graph);
    assert.ok(scene.nodes.every((p) => Number.isFinite(p.x + p.y)));
    if (n < 150) for (const e of scene.edges) assert.ok(scene.nodes[e.b].y > scene.nodes[e.a].y);
    if (n > 150) continue;
    const kept = new Map(scene.nodes.map((p, v) => [v, p])), grown = calls(n + 3);
    const more = await layoutNetwork(grown, kept);
    scene.nodes.forEach((p, v) => assert.ok(apart(p, more.nodes[v]) < 1e-9));
    for (let v = n; v < n + 3; v++) for (let w = 0; w < v; w++) assert.ok(apart(more.nodes[v], more.nodes[w]) > 0.3, `${v} on ${w} of ${n}`);
  }
});

test("names that would be small below the nodes of a tall graph stand beside them, and are larger", async () => {
  for (const [n, beside] of [[2, false], [12, true]]) {
    const graph = { ...calls(n), edges: Array.from({ length: n - 1 }, (_, i) => ({ source: i, target: i + 1, label: "" })) };
    const scene = await layoutNetwork(graph);
    assert.equal((scene.names?.size ?? 0) > 1, beside);
    const pitch = Math.min(...scene.edges.map((e) => scene.nodes[e.b].y - scene.nodes[e.a].y));
    if (beside) assert.ok(pitch >= 0.3 * scene.names.size, `${pitch} units for names of ${scene.names.size} times their size`);
  }
});

test("a graph of 5,000 nodes, and one in pieces, has a place for every node", async () => {
  for (const [n, joined] of [[5000, true], [600, false], [0, false]]) {
    const edges = joined ? Array.from({ length: n }, (_, i) => ({ source: i, target: (i * 7 + 1) % n, label: "" })) : [];
    const graph = { directed: false, nodes: Array.from({ length: n }, (_, id) => ({ id, label: "x" })), edges };
    const { nodes } = await layoutNetwork(graph);
    assert.ok(nodes.length === n && nodes.every((p) => Number.isFinite(p.x + p.y)));
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
