// What the tests of the page have in common: one browser, one service with the
// demonstration, and what people do there.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { build, closeBrowsers, demonstrate, engine, launch, stopAll, visit } from "./service.mjs";

export const aspirin = "CC(=O)Oc1ccccc1C(=O)O";

export let browser, demo;
before(async () => {
  build();
  [browser, demo] = await Promise.all([launch(), demonstrate()]);
});
after(async () => {
  await browser?.close();
  await closeBrowsers();
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

// lines answers searches that are streamed with lines, and returns what tells the
// bodies of those that were asked.
export async function lines(page, list) {
  await page.evaluate(() => {
    const real = fetch;
    window.asked = [];
    window.fetch = (to, init) => {
      if (/ndjson/.test(new Headers(init?.headers).get("accept"))) asked.push(JSON.parse(init.body));
      return real(to, init);
    };
  });
  await page.route("**/search", (route) => {
    if (!/ndjson/.test(route.request().headers().accept)) return route.continue();
    return route.fulfill({ headers: { "Content-Type": "application/x-ndjson", "X-Request-Id": "REQUEST" }, body: list.map((line) => JSON.stringify(line) + "\n").join("") });
  });
  return () => page.evaluate(() => asked);
}

// give types into a field and leaves it, as a person does: Firefox takes what a driver
// fills in for no change. The field is a locator, or what selects it.
export async function give(page, field, text) {
  const box = typeof field === "string" ? page.locator(field) : field;
  if (text.includes("\n")) {
    await box.fill(text); // typed, the end of a line would start a search
    if (engine === "firefox") await box.dispatchEvent("change");
  } else {
    await box.selectText();
    await page.keyboard.type(text);
  }
  await box.press("Tab");
}

export const checked = (page) => page.locator(".card.checked").first().waitFor();
export const compared = (page) => page.locator("#comparison .edit").first().waitFor();
export const distances = (page) => page.locator(".card .distance").allTextContents();

export async function ask(page, smiles) {
  await page.fill("#text", smiles);
  await page.press("#text", "Enter");
}

// saved clicks an item of a menu and returns the file that it makes.
export async function saved(page, button, item) {
  // Firefox's driver tells of no downloads.
  if (engine === "firefox") await page.evaluate(() => {
    const make = URL.createObjectURL;
    window.file = new Promise((done) => {
      URL.createObjectURL = (blob) => {
        URL.createObjectURL = make;
        HTMLAnchorElement.prototype.click = function () {
          delete HTMLAnchorElement.prototype.click;
          done(blob.arrayBuffer().then((bytes) => ({ name: this.download, bytes: [...new Uint8Array(bytes)] })));
        };
        return make(blob);
      };
    });
  });
  await button.click();
  const chosen = page.getByRole("menuitem", { name: item, exact: true });
  if (engine === "firefox") {
    await chosen.click();
    const { name, bytes } = await page.evaluate(() => file);
    return { name, bytes: Buffer.from(bytes) };
  }
  const [file] = await Promise.all([page.waitForEvent("download"), chosen.click()]);
  return { name: file.suggestedFilename(), bytes: await file.createReadStream().then(async (s) => Buffer.concat(await s.toArray())) };
}
