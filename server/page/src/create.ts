import * as api from "./api";
import type { Form } from "./api";
import { forms } from "./compares";
import { adopt, h } from "./dom";

adopt(`
.create form { display: grid; gap: .6rem; }
.create label { display: block; overflow-wrap: anywhere; }
.create[open] { display: block; }
.create :is(fieldset, legend) { border: 0; margin: 0; padding: 0; }
.create input:not([type="checkbox"]) { width: 100%; }
`);

const largest = 60_000_000; // bytes of a file, of which the service takes 64 MiB with its quotation marks
const others = ["charges", "isotopes", "hydrogens", "stereochemistry"] as const;

// create asks for a name and for a file of graphs, makes a collection, and opens it; or puts a file's graphs
// into one that there is.
export function create(into?: string): void {
  const name = h("input", { required: true, pattern: "[a-z0-9_\\-]{1,64}", maxLength: 64, autocomplete: "off", spellcheck: false, title: "letters a to z, digits, - and _" });
  const file = h("input", { type: "file", required: into !== undefined });
  const models = h("input", { type: "checkbox", checked: true });
  const onchange = () => { // the models have learnt none of it
    models.disabled = compared.some((c) => c.box.checked) || read.some((c) => c.form === "tautomers" && c.box.checked);
    models.checked = !models.disabled;
  };
  const compared = others.map((what) => ({ what, box: h("input", { type: "checkbox", onchange }) }));
  const read = (Object.keys(forms) as Form[]).map((form) => ({ form, box: h("input", { type: "checkbox", onchange }) }));
  const token = h("input", { type: "password", autocomplete: "off" });
  const secret = h("label", { hidden: true }, "A token that may write ", token);
  const error = h("p", { className: "error", role: "alert" });
  const button = h("button", { className: "primary" }, into === undefined ? "Create" : "Add");
  let made = into;
  const work = async () => {
    if (token.value) api.setToken(token.value);
    const [given] = file.files ?? [];
    if (given && given.size > largest) throw new Error(`${given.name} is too large for the page: greed index build makes a collection of it.`);
    if (made !== name.value && into === undefined) {
      await api.create(name.value, { models: models.checked ? "molecules" : "none", compared: compared.filter((c) => c.box.checked).map((c) => c.what), forms: read.filter((c) => c.box.checked).map((c) => c.form) });
      made = name.value;
    }
    if (given) await api.add(made!, await given.text(), given.name);
    dialog.close();
  };
  const form = h("form", { onsubmit: (e: Event) => {
    e.preventDefault();
    error.textContent = "";
    button.disabled = true;
    void work().catch((e) => {
      if (e instanceof api.Problem && (e.status === 401 || e.status === 403)) secret.hidden = false;
      error.textContent = `${made !== undefined && into === undefined ? `${made} is there, without graphs. ` : ""}${(e as Error).message}`;
    }).finally(() => (button.disabled = false));
  } },
    h("h2", {}, into === undefined ? "A new collection" : `Graphs for ${into}`),
    ...(into === undefined ? [h("label", {}, "Name ", name)] : []),
    h("label", {}, "Graphs of a file ", file),
    h("p", { className: "hint" }, `Any format that greed reads, up to 10,000 graphs.${into === undefined ? " Without a file the collection is empty." : " A graph takes the place of one with the same id."}`),
    ...(into === undefined ? [
      h("label", {}, models, " predict distances of molecules, by the models of the program"),
      h("fieldset", {}, h("legend", {}, "Of molecules it also compares, for good:"), ...compared.map(({ what, box }) => h("label", {}, box, ` ${what}`))),
      h("fieldset", {}, h("legend", {}, "It reads molecules, queries too, for good:"), ...read.map(({ form, box }) => h("label", {}, box, ` ${forms[form]}`))),
    ] : []),
    secret, error, h("div", { className: "choices" }, button, h("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
  const dialog: HTMLDialogElement = h("dialog", { className: "picker create", "aria-label": into === undefined ? "A new collection" : `Graphs for ${into}`, onclose: () => {
    dialog.remove();
    if (made === undefined || (made === into && !file.files?.length)) return;
    location.hash = `#${new URLSearchParams({ in: made })}`;
    location.reload();
  } }, form);
  document.body.append(dialog);
  dialog.showModal();
}
