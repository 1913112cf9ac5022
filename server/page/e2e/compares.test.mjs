// What of molecules is compared: as their collection was read.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, greed, serve, visit } from "./service.mjs";
import { ask, browser, done } from "./steps.mjs";

test("charges, isotopes, hydrogens and stereochemistry are shown, drawn, and asked for elsewhere", async () => {
  const file = join(folder, "amino.smi"), [plain, all] = ["plain", "all"].map((name) => join(folder, `${name}.index`));
  writeFileSync(file, "C[C@H](N)C(=O)O L-alanine\nC[C@@H](N)C(=O)O D-alanine\nC[C@H]([NH3+])C(=O)[O-] zwitterion\n[13CH3]C(N)C(=O)O labelled\nOC(=O)/C=C/C(=O)O fumaric\nOC(=O)/C=C\\C(=O)O maleic\n");
  execFileSync(greed, ["index", "build", file, "-o", plain], { stdio: "pipe" });
  execFileSync(greed, ["index", "build", file, "-o", all, "--charge", "--isotope", "--hydrogens", "--stereo"], { stdio: "pipe" });
  const { page, faults, context } = await visit(browser, await serve([plain, all]), "#in=plain");
  const alanine = "C[C@H](N)C(=O)O";
  await ask(page, alanine);
  await done(page);
  assert.match(await page.textContent("#query-lost"), /Left out of the comparison: stereochemistry/);
  const nearest = () => page.locator(".card .distance").allTextContents();
  assert.equal((await nearest()).filter((d) => d === "0").length, 4);
  await page.click("#costs summary");
  const box = (name) => page.getByRole("checkbox", { name, exact: true });
  for (const name of ["charges", "isotopes", "hydrogens", "stereochemistry"]) assert.ok(await box(name).isDisabled() && !(await box(name).isChecked()), name);
  assert.match(await page.textContent("#compares"), /plain was read so.*build a collection: greed index build --charge --isotope --hydrogens --stereo/);
  await page.locator("#compares").getByRole("button", { name: "all" }).click();
  await page.waitForFunction(() => /charges, isotopes, hydrogens and stereochemistry are compared/.test(document.querySelector("#question").textContent));
  await done(page);
  assert.ok(await box("stereochemistry").isChecked());
  assert.equal(await page.textContent("#query-lost"), "");
  assert.equal((await nearest()).filter((d) => d === "0").length, 1);
  // Labels such as CH(S) and 13CH3 are still those of molecules, which show them.
  const written = (selector) => page.locator(selector).allTextContents();
  assert.deepEqual(await written("#query .number"), ["(S)"]);
  for (const [id, shown] of [["D-alanine", "(R)"], ["labelled", "13"]]) {
    const card = page.locator(".card").filter({ hasText: id });
    await card.locator("button.choose").click();
    await card.locator(".drawing.molecule").getByText(shown, { exact: true }).waitFor();
  }
  await ask(page, "OC(=O)/C=C/C(=O)O");
  await done(page);
  assert.deepEqual(await written("#query .edges ~ g > .number"), ["(E)"]);
  await page.locator(".card").filter({ hasText: "maleic" }).locator("button.choose").click();
  await page.getByRole("button", { name: /relabel bond .* double \(E\) → double \(Z\)/ }).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});
