import type { Recorded } from "./api";
import { h } from "./dom";
import { count } from "./text";

// pick asks which of several graphs of a text is meant: one, all that can be read, or none.
export function pick(records: Recorded[], more: boolean): Promise<Recorded[]> {
  const list = h("ul", { className: "records" });
  const find = h("input", { type: "search", placeholder: "Find by id, name or SMILES", "aria-label": "Find by id, name or SMILES" });
  const readable = records.filter((r) => r.error === undefined);
  const close = h("button", { type: "button" }, "Cancel");
  const dialog = h("dialog", { className: "picker", "aria-label": "Which graph?" },
    h("h2", {}, `Which of the ${count(records.length)}${more ? " first" : ""} graphs?`), find, list, h("div", { className: "choices" }, h("button", { type: "button", className: "primary", disabled: readable.length === 0, onclick: () => {
      chosen = readable;
      dialog.close();
    } }, `Search all ${count(readable.length)}`), close));
  let chosen: Recorded[] = [];
  const fill = () => {
    const text = find.value.trim().toLowerCase();
    const fit = records.filter((r) => !text || [r.id, r.name, r.smiles].some((s) => s?.toLowerCase().includes(text)));
    list.replaceChildren(...fit.map((r) => {
      const about = r.error ?? r.smiles ?? `${r.graph.nodes.length} nodes, ${r.graph.edges.length} edges`;
      const name = r.name && r.name !== r.id ? `${r.id} · ${r.name}` : r.id || "without an id";
      const button = h("button", { type: "button", disabled: r.error !== undefined, title: about, onclick: () => {
        chosen = [r];
        dialog.close();
      } }, h("strong", {}, name), h("span", { className: r.error ? "failed" : "" }, about));
      return h("li", {}, button);
    }), ...(fit.length ? [] : [h("li", {}, "None of them.")]));
  };
  find.addEventListener("input", fill);
  close.addEventListener("click", () => dialog.close());
  fill();
  document.body.append(dialog);
  dialog.showModal();
  find.focus();
  return new Promise((done) => dialog.addEventListener("close", () => {
    dialog.remove();
    done(chosen);
  }));
}
