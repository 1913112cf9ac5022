// What the tests of the page have in common: one browser, one service with the
// demonstration, and what people do there.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { build, demonstrate, launch, stopAll, visit } from "./service.mjs";

export const aspirin = "CC(=O)Oc1ccccc1C(=O)O";

export let browser, demo;
before(async () => {
  build();
  [browser, demo] = await Promise.all([launch(), demonstrate()]);
});
after(async () => {
  await browser?.close();
  await stopAll();
});

export const on = (hash, run, options) => async () => {
  const { page, faults, context } = await visit(browser, demo, hash, options);
  await run(page, context);
  assert.deepEqual(faults, []);
  await context.close();
};

// done waits for the outcome of a search.
export const done = (page) => page.waitForFunction(() => !document.body.classList.contains("busy") && document.querySelector("#actions:not([hidden])"));

// held is a gate that lets nothing through until it is opened.
export function held() {
  let open;
  const opened = new Promise((done) => (open = done));
  return { open, opened };
}

// lines answers searches that are streamed with lines, and returns what was asked.
export async function lines(page, list) {
  const asked = [];
  await page.route("**/search", (route) => {
    const request = route.request();
    if (!/ndjson/.test(request.headers().accept)) return route.continue();
    asked.push(request.postDataJSON());
    return route.fulfill({ headers: { "Content-Type": "application/x-ndjson", "X-Request-Id": "REQUEST" }, body: list.map((line) => JSON.stringify(line) + "\n").join("") });
  });
  return asked;
}

export const checked = (page) => page.locator(".card.checked").first().waitFor();
export const compared = (page) => page.locator("#comparison .edit").first().waitFor();
export const distances = (page) => page.locator(".card .distance").allTextContents();

export async function ask(page, smiles) {
  await page.fill("#text", smiles);
  await page.press("#text", "Enter");
}
