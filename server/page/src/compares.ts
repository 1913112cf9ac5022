import type { Compared, Form, Info } from "./api";
import { byId, h } from "./dom";

// flags are what greed index build takes to read a collection otherwise.
const flags: Record<Compared, string> = { charges: "--charge", isotopes: "--isotope", hydrogens: "--hydrogens", stereochemistry: "--stereo" };

// forms says in words in which standard forms molecules may have been read.
export const forms: Record<Form, string> = {
  largest_fragment: "the largest fragment alone", neutralise: "without charges that hydrogens take up", tautomers: "tautomers as one molecule",
};

// compares shows what of molecules a collection compares. How it was read decides that, so it is
// no setting of a search; collections that were read otherwise are offered.
export function compares(info: Info, all: Info[], move: (name: string) => void): void {
  const names = Object.keys(flags) as Compared[], mine = info.compared ?? [];
  const box = byId("compares");
  box.hidden = info.space !== undefined || !info.molecules && mine.length === 0; // a space is read in one way only
  const others = all.filter((c) => c.molecules && String(c.compared ?? []) !== String(mine));
  const missing = names.filter((name) => !mine.includes(name)).map((name) => flags[name]);
  box.replaceChildren(h("legend", {}, "Besides elements, molecules are compared by"),
    ...names.map((name) => h("label", {}, h("input", { type: "checkbox", disabled: true, checked: mine.includes(name) }), ` ${name}`)),
    h("p", { className: "hint" }, ...(info.forms ? [`Molecules are read in standard forms: ${info.forms.map((form) => forms[form]).join(", ")}. `] : []),
      `${info.name} was read so; a search cannot change it.`,
      ...(others.length ? [" Ask instead in ", ...others.flatMap((c, i) => [i ? ", " : "", h("button", { type: "button", className: "link", onclick: () => move(c.name) }, c.name), ` (${c.compared?.join(", ") || "none of these"})`]), "."] : []),
      ...(missing.length ? [" To compare more, build a collection: ", ...["greed index build", ...missing].flatMap((part) => [h("code", {}, part), " "])] : [])));
}
