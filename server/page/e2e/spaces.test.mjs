// A synthon space as a collection: its products are found, with the synthons to order.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { test } from "node:test";
import { ask, browser, done, saved } from "./steps.mjs";
import { folder, greed, root, serve, visit } from "./service.mjs";

const index = (text, name) => {
  const path = join(folder, name);
  execFileSync(greed, ["index", "build", join(root, "examples", text), "-o", path], { stdio: "pipe" });
  return path;
};

test("products of a space are found with their synthons, and what a space cannot do is not offered", async () => {
  const service = await serve([index("spaces/space.txt", "space.index"), index("molecules/benzoic.csv", "benzoic.index")]);
  const { page, faults, context } = await visit(browser, service, "#in=benzoic&find=common");
  const refused = [];
  page.on("response", (r) => r.status() >= 400 && refused.push(`${r.status()} ${r.url()}`));
  await page.evaluate(() => { // Firefox does not tell what requests hold
    const send = window.fetch;
    window.asked = [];
    window.fetch = (url, init) => {
      if (String(url).endsWith("/search")) window.asked.push(JSON.parse(init.body));
      return send(url, init);
    };
  });
  const offered = () => page.locator("[name=find]").evaluateAll((all) => all.filter((e) => !e.parentElement.hidden).map((e) => e.value));
  const status = (begin) => page.waitForFunction((b) => document.getElementById("status").textContent.startsWith(b), begin);
  await page.waitForFunction(() => document.getElementById("collection").value === "benzoic" && !document.getElementById("compares").hidden);
  assert.equal((await offered()).length, 5);
  // What the other collection was asked for, the space does not have.
  await page.selectOption("#collection", "space");
  await page.waitForFunction(() => document.getElementById("size").textContent === "50 products");
  assert.deepEqual(await offered(), ["similar", "contains", "nearly"]);
  assert.equal(await page.locator("[name=find]:checked").inputValue(), "similar");
  for (const id of ["costs", "compares", "open-cliffs", "map-section"]) assert.ok(await page.locator(`#${id}`).isHidden(), id);

  await ask(page, "O=C(NCC1CC1)c1ccccc1");
  await done(page);
  await status("12 of 50 graphs, proven");
  const first = page.locator(".card").first();
  assert.equal(await first.locator(".distance").textContent(), "0");
  assert.deepEqual(await first.locator(".reaction, .synthon").allTextContents(), [
    "amide", "benzoyl O=C([1*])c1ccccc1", "cyclopropylmethylamine [1*]NCC1CC1",
    "acylation", "benzoylchloride O=C(c1ccccc1)[1*]", "aminomethylcyclopropane [1*]NCC1CC1",
  ]);
  await first.locator(".drawing.molecule .node").first().waitFor({ state: "attached" });
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.map((v) => `${v.id} ${v.nodes[0].html}`), []);
  const csv = String((await saved(page, page.locator("#save"), "CSV")).bytes).split("\r\n");
  assert.match(csv[0], /,status,origins,reaction_id$/);
  assert.match(csv[1], /,amide:benzoyl\+cyclopropylmethylamine; acylation:benzoylchloride\+aminomethylcyclopropane,amide$/);
  const sdf = String((await saved(page, page.locator("#save"), "SDF, as drawn")).bytes);
  assert.equal(sdf.split("$$$$\n").length, 13);
  assert.match(sdf, /^amide:benzoyl\+cyclopropylmethylamine\n {2}greed {13}2D\n/);

  // A fragment whose ring only the product closes, and a pattern.
  await page.check("[name=find][value=contains]", { force: true });
  await ask(page, "OCc1cn(C)nn1");
  await status("2 of 50 graphs contain it, proven");
  // Millions may: the service is not to make more than are shown.
  const asked = await page.evaluate(() => window.asked.at(-1));
  assert.deepEqual([asked.radius, asked.k, asked.limit], [0, 1000, undefined]);
  await page.click("#tab-smarts");
  await ask(page, "[NX3;H1]C(=O)[NX3;H0]");
  await status("3 of 50 graphs contain it, proven");
  assert.match(await first.locator(".reaction").textContent(), /^urea$/);
  // Elsewhere all is offered again.
  await page.selectOption("#collection", "benzoic");
  await page.waitForFunction(() => !document.getElementById("compares").hidden);
  assert.equal((await offered()).length, 5);
  assert.deepEqual([faults, refused], [[], []]);
  await context.close();
});
