import * as api from "./api";
import type { Palette } from "./colours";
import { Comparison } from "./compare";
import { h } from "./dom";
import { type Find, finds } from "./find";
import { sceneOf, sceneOn } from "./scenes";

// compare shows two graphs, and what differs: molecules side by side, others over the whole window.
export async function compare(palette: Palette, collection: string, measured: api.Measured, find: Find, pair: api.Twosome, [left, right]: [string, string]): Promise<void> {
  const { query, target, map, edits } = await api.distance(collection, measured, pair);
  const scene = (await sceneOf(pair.query.smiles, query))!; // there is a graph
  const both = { query: scene, target: await sceneOn(scene, map, pair.target.smiles, target), map, edits, beyond: finds[find].beyond };
  if (!scene.molecule) {
    const { by, differenceOf } = await import("./differ"), { view } = await import("./viewer");
    const known = await differenceOf(collection, measured, both, pair);
    return view(by(both, known), left, right, known);
  }
  const comparison = new Comparison(palette);
  const dialog: HTMLDialogElement = h("dialog", { className: "picker pairing", "aria-label": "Comparison", onclose: () => dialog.remove() }, comparison.element,
    h("div", { className: "choices" }, h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Close")));
  document.body.append(dialog);
  dialog.showModal();
  comparison.show(both, left, right);
}
