import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { engine, folder, greed, serve, visit } from "./service.mjs";
import { ask, aspirin, browser, demo, distances, done, held, lines, on, saved } from "./steps.mjs";

const status = (page) => page.locator("#status").textContent();
const find = (page, name) => page.locator(`[name=find][value=${name}]`).check();

describe("what is looked for", () => {
  test("graphs that contain the query, all of them, sixty on the page at a time", on("#find=contains&smiles=Oc1ccccc1", async (page) => {
    await done(page);
    assert.match(await status(page), /^831 of 4,999 graphs contain it, proven/);
    assert.equal(await page.locator(".card").count(), 60);
    assert.ok(await page.locator("#mode").isHidden());
    await page.locator("#more-cards").click();
    assert.equal(await page.locator(".card").count(), 120);
    assert.match(await page.locator("#more-cards").textContent(), /^Show 60 more of 711$/);
    assert.equal(await page.evaluate(() => document.activeElement.closest(".card").querySelector(".rank").textContent), "61");
  }));

  test("more of them than one answer gives come when they are wanted", async () => {
    const { page, faults, context } = await visit(browser, demo);
    // As if an answer had 100 at most.
    await page.evaluate(() => {
      const real = fetch;
      window.cursors = Promise.resolve();
      window.fetch = async (to, init) => {
        if (/"cursor"/.test(init?.body)) await cursors;
        return real(to, init?.body ? { ...init, body: init.body.replace('"limit":1000', '"limit":100') } : init);
      };
    });
    await find(page, "contains");
    await ask(page, "Oc1ccccc1");
    await done(page);
    assert.match(await status(page), /^831 of 4,999 graphs contain it; the first 100 are listed/);
    const ids = () => page.locator(".card .id").allTextContents();
    assert.equal((await ids()).length, 60);
    const more = page.locator("#more-cards");
    assert.equal(await more.textContent(), "Show 60 more of 771");
    await more.click();
    await page.waitForFunction(() => document.querySelectorAll(".card").length === 120);
    assert.equal(new Set(await ids()).size, 120);
    assert.equal(await more.textContent(), "Show 60 more of 711");
    // What is saved waits for those that have not come, or is not saved.
    await page.evaluate(() => void (window.cursors = new Promise((go) => Object.assign(window, { go }))));
    await ask(page, "Oc1ccccc1C");
    await done(page);
    const file = saved(page, page.locator("#save"), "CSV");
    await page.waitForFunction(() => document.getElementById("save").textContent === "Getting all …");
    const all = Number(/^[\d,]+/.exec(await status(page))[0]);
    assert.ok(all > 200, `${all}`);
    await page.evaluate(() => go());
    assert.equal((await file).bytes.toString().trim().split("\r\n").length, all + 1);
    await page.evaluate(() => {
      window.cursors = Promise.reject(new TypeError("no network"));
      window.cursors.catch(() => {});
    });
    await ask(page, "Oc1ccccc1");
    await done(page);
    await page.locator("#save").click();
    await page.getByRole("menuitem", { name: "CSV", exact: true }).click();
    await page.waitForFunction(() => /does not answer/.test(document.getElementById("problem").textContent));
    await page.evaluate(() => void (window.cursors = Promise.resolve()));
    // An order is that of all of them.
    await page.selectOption("#sort", "-id");
    await page.waitForFunction(() => Number(document.querySelector(".card .id").textContent) > 5000);
    const csv = (await saved(page, page.locator("#save"), "CSV")).bytes.toString().trim().split("\r\n");
    assert.equal(new Set(csv.slice(1).map((line) => line.split(",")[1])).size, 831);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("graphs that are a part of the query, the largest first", on("", async (page) => {
    await find(page, "parts");
    await ask(page, "Cn1cnc2c1c(=O)n(C)c(=O)n2C");
    await done(page);
    assert.match(await status(page), /^\d+ of 4,999 graphs are a part of it, proven/);
    const sizes = (await distances(page)).map(Number);
    assert.deepEqual(sizes, [...sizes].sort((a, b) => b - a));
    await page.locator("#comparison:not([hidden])").waitFor();
    // The part is whole; of the query the rest is faint.
    const [left, right] = [page.locator("#comparison figure").first(), page.locator("#comparison figure").last()];
    await left.locator(".node").first().waitFor();
    assert.equal(await right.locator(".rest").count(), 0);
    assert.equal(await left.locator(".node:not(.rest)").count(), sizes[0]);
    assert.ok(await page.locator(".path").isHidden());
  }));

  test("graphs that share a part", on(`#find=common&smiles=${encodeURIComponent(aspirin)}`, async (page) => {
    await done(page);
    assert.match(await status(page), /^12 of 4,999 graphs, proven/);
    const far = (await distances(page)).map(Number);
    assert.deepEqual(far, [...far].sort((a, b) => a - b));
    assert.equal(far[0], 1);
    await page.waitForFunction(() => /^13 of 13 bonds in common$/.test(document.querySelector(".card .note").textContent));
    assert.equal(await page.locator("#comparison .halo").count(), 0);
  }));

  test("an older link is understood", on(`#task=sed&radius=0&smiles=Oc1ccccc1`, async (page) => {
    await done(page);
    assert.ok(await page.locator("[name=find][value=nearly]").isChecked());
    assert.match(await status(page), /^831 of/);
  }));
});

describe("time that ends", () => {
  test("keeps the answers while the search goes on", async () => {
    const { page, faults, context } = await visit(browser, demo);
    const answers = [["4000", 1, 1], ["2109", 2.006, 2.994]].map(([id, lower, upper]) => ({ id, smiles: "CC(=O)NC1=C(C=CC=C1)C(O)=O", predicted: 2, lower, upper, exact: lower === upper, similarity: 0.99975 }));
    await lines(page, [{ found: { task: "ged", status: "open", verdict: "open: stopped", answers, seconds: { embed: 0, scan: 0, check: 10 } } }]);
    await ask(page, aspirin);
    await page.locator("#more").waitFor();
    // What is rounded remains a bound.
    assert.deepEqual(await page.locator(".card .distance").allTextContents(), ["1", "2–3"]);
    await page.click("#as-table");
    assert.deepEqual(await page.locator("#table td").filter({ hasText: "≥" }).allTextContents(), ["≥ 0.99"]);
    await page.click("#as-table");
    await page.unroute("**/search");
    let open;
    const opened = new Promise((done) => (open = done));
    await page.route("**/search", async (route) => {
      await opened;
      await route.continue();
    });
    await page.click("#more");
    await page.waitForTimeout(100);
    assert.deepEqual(await page.locator(".card .id").allTextContents(), ["4000", "2109"]);
    assert.match(await status(page), /stay while the search goes on/);
    assert.ok(await page.locator("#cancel").isVisible());
    open();
    await done(page);
    assert.equal(await page.locator(".card").count(), 12);
    assert.deepEqual(faults, []);
    await context.close();
  });
});

describe("attributes", () => {
  let service;
  before(async () => {
    const file = join(folder, "attributes.csv"), index = join(folder, "attributes.greed");
    const odd = "=odd, one"; // begins like a condition, and has a comma
    const rows = Array.from({ length: 30 }, (_, i) => `m${i},${"C".repeat(i + 1)}O,${i * 1.5},${["kinase", "gpcr", `"${odd}"`][i % 3]}`);
    writeFileSync(file, `id,smiles,activity,class\n${rows.join("\n")}\n`);
    execFileSync(greed, ["index", "build", file, "-o", index], { stdio: "pipe" });
    service = await serve([index]);
  });

  test("limit a search, are on the cards and in the address, and sort", async () => {
    const { page, faults, context } = await visit(browser, service, "#k=40&smiles=CCCO");
    await done(page);
    assert.deepEqual(await page.locator(".card").first().locator("dt").allTextContents(), ["activity", "class"]);
    await page.locator("#filters summary").click();
    await page.selectOption("#filter-attribute", "activity");
    assert.equal(await page.locator("#filter-values .end").last().getAttribute("placeholder"), "43.5");
    await page.locator("#filter-values .end").first().fill("6");
    await page.click("#filter-add");
    await page.waitForFunction(() => /^26 of 26 that pass the filters/.test(document.getElementById("status").textContent));
    await page.selectOption("#filter-attribute", "class");
    assert.match(await page.locator("#filter-values").textContent(), /gpcr 10/);
    await page.locator("#filter-values input[value='=odd, one']").check();
    await page.locator("#filter-values input[value=gpcr]").check();
    await page.click("#filter-add");
    await page.waitForFunction(() => /^18 of 18 that pass/.test(document.getElementById("status").textContent));
    await page.getByRole("button", { name: /^Remove class in/ }).click();
    await page.waitForFunction(() => /^26 of 26/.test(document.getElementById("status").textContent));
    await page.locator("#filter-values input[value='=odd, one']").check();
    await page.click("#filter-add");
    await page.waitForFunction(() => /^9 of 9 that pass/.test(document.getElementById("status").textContent));
    assert.deepEqual(await page.locator("#filter-chips li").allTextContents(), ["activity>=6×", 'class in "=odd, one"×']);
    await page.selectOption("#sort", "-@activity");
    const shown = (await page.locator(".card dd:first-of-type").allTextContents()).map(Number);
    assert.deepEqual(shown, [...shown].sort((a, b) => b - a));
    const other = await context.newPage();
    await other.goto(page.url());
    await done(other);
    assert.match(await status(other), /^9 of 9 that pass/);
    await other.close();
    await page.getByRole("button", { name: 'Remove class in "=odd, one"' }).click();
    await page.waitForFunction(() => /^26 of 26/.test(document.getElementById("status").textContent));
    await page.locator("#show-attributes input[value=activity]").uncheck();
    await page.waitForFunction(() => document.querySelector(".card dt")?.textContent === "class");
    assert.deepEqual(faults, []);
    await context.close();
  });
});

describe("the way a query is given", () => {
  // late holds the list of collections back until the gate is opened, as a slow service does.
  const late = async (page) => {
    const gate = held();
    await page.route("**/v1/collections", async (route) => {
      await gate.opened;
      await route.continue();
    });
    await page.reload();
    return gate;
  };

  test("by text, before the collections are known: it is read as the collection was", on("", async (page) => {
    const gate = await late(page), asked = [];
    page.on("request", (r) => r.url().endsWith("/v1/parse") && asked.push(r.postDataJSON().collection));
    await ask(page, "CCO");
    await page.locator("#examples button").first().click();
    gate.open();
    await done(page);
    assert.equal(await page.inputValue("#text"), aspirin);
    assert.ok(asked.length > 0 && asked.every((name) => name === "demo"), asked.join());
  }));

  test("as a graph, before it is known that the collection is directed and has no molecules", async () => {
    const file = join(folder, "arrows.json"), index = join(folder, "arrows.greed");
    writeFileSync(file, JSON.stringify([{ directed: true, multigraph: false, graph: { id: "one" }, nodes: [{ id: 0, label: "f" }, { id: 1, label: "g" }], edges: [{ source: 0, target: 1, label: "call" }] }]));
    execFileSync(greed, ["index", "build", file, "-o", index], { stdio: "pipe" });
    const { page, faults, context } = await visit(browser, await serve([index]));
    const gate = await late(page);
    await page.click("#tab-draw");
    gate.open();
    await page.locator("#tab-draw").waitFor({ state: "hidden" });
    assert.ok(await page.locator("#panel-text").isVisible());
    const again = await late(page);
    await page.click("#tab-graph");
    again.open();
    await page.locator(".ground canvas").first().waitFor();
    await page.focus(".ground");
    await page.keyboard.press("n");
    await page.waitForFunction(() => document.getElementById("text").value !== "");
    assert.ok(JSON.parse(await page.inputValue("#text")).directed);
    await page.focus("#tab-text");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.id), "tab-graph");
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("by an id, before the collections are known", on("", async (page) => {
    const gate = await late(page);
    await page.click("#tab-id");
    await page.fill("#by-id", "no such id");
    await page.press("#by-id", "Enter");
    gate.open();
    await page.locator("#text-error:not(:empty)").waitFor();
    assert.match(await page.locator("#text-error").textContent(), /no graph "no such id"/);
  }));

  test("by its id", on("", async (page) => {
    await page.click("#tab-id");
    await page.fill("#by-id", "no such id");
    await page.press("#by-id", "Enter");
    await page.locator("#text-error:not(:empty)").waitFor();
    assert.match(await page.locator("#text-error").textContent(), /no graph "no such id"/);
    await page.fill("#by-id", "4000");
    await page.press("#by-id", "Enter");
    await done(page);
    assert.match(await page.locator(".card .choose").first().textContent(), /^rank 1, 4000, distance 0$/);
    // The button of the form asks for what was typed, too.
    await page.click("#tab-id");
    await page.fill("#by-id", "143");
    await page.click("#search");
    await page.locator(".card[data-id='143'] .distance").first().waitFor();
    await done(page);
    assert.match(await page.locator(".card .choose").first().textContent(), /^rank 1, 143, distance 0$/);
  }));

  test("as a MOL block whose first line is empty, pasted, dropped and as a file", on("", async (page) => {
    const block = "\n     RDKit          2D\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n"
      + ["C", "C", "O"].map((e) => `    0.0000    0.0000    0.0000 ${e}   0  0  0  0  0  0  0  0  0  0  0  0\n`).join("") + "  1  2  1  0\n  2  3  1  0\nM  END\n";
    const read = async () => {
      await done(page);
      assert.equal(await page.locator("#query-size").textContent(), "3 atoms, 2 bonds");
      assert.equal(await page.locator("#text-error").textContent(), "");
      await ask(page, "C1CC1O");
      await page.waitForFunction(() => document.getElementById("query-size").textContent === "4 atoms, 4 bonds");
      await done(page);
    };
    await page.fill("#text", block);
    await page.click("#search");
    await page.waitForFunction(() => document.getElementById("query-size").textContent.startsWith("3"));
    await read();
    await page.setInputFiles("#file", { name: "ethanol.mol", mimeType: "chemical/x-mdl-molfile", buffer: Buffer.from(block.replaceAll("\n", "\r\n")) });
    await page.waitForFunction(() => document.getElementById("query-size").textContent.startsWith("3"));
    await read();
    await page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData("text", text);
      document.getElementById("form").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, block);
    await page.waitForFunction(() => document.getElementById("query-size").textContent.startsWith("3"));
    await read();
  }));

  test("as InChI, which is refused with a way out", on("", async (page) => {
    await ask(page, "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3");
    await page.locator("#text-error:not(:empty)").waitFor();
    assert.match(await page.locator("#text-error").textContent(), /give the SMILES/);
  }));

  test("one of several in a file", on("", async (page) => {
    const text = "CCO ethanol\nC1CC broken\nc1ccccc1O phenol\n";
    await page.setInputFiles("#file", { name: "some.smi", mimeType: "text/plain", buffer: Buffer.from(text) });
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    assert.equal(await dialog.locator("li button").count(), 3);
    assert.ok(await dialog.locator("li button").nth(1).isDisabled());
    await dialog.getByRole("searchbox").fill("phen");
    await dialog.locator("li button").click();
    await done(page);
    assert.match(await page.locator("#query-size").textContent(), /^7 atoms/);
    // Who picks none is left where they were.
    await page.setInputFiles("#file", { name: "some.smi", mimeType: "text/plain", buffer: Buffer.from(text) });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  }));

  test("an answer that is dragged to the form", on(`#k=3&smiles=${encodeURIComponent(aspirin)}`, async (page) => {
    await done(page);
    const taken = (timeout) => page.waitForFunction(() => document.querySelector(".card .id")?.textContent === "2109", null, { timeout });
    if (engine === "chromium") {
      // A busy browser may miss the first moves of the mouse, and then starts no drag.
      for (let left = 3; left--;) {
        await page.locator(".card").nth(1).dragTo(page.locator("#form"));
        if (await taken(10000).then(() => true, (e) => { if (!left) throw e; })) break;
      }
    } else await page.evaluate(() => { // which its driver cannot do
      const dataTransfer = new DataTransfer(), options = { dataTransfer, bubbles: true, cancelable: true };
      document.querySelectorAll(".card")[1].dispatchEvent(new DragEvent("dragstart", options));
      for (const kind of ["dragover", "drop"]) document.getElementById("form").dispatchEvent(new DragEvent(kind, options));
    });
    await taken(60000);
  }));

  test("is told in words if it cannot be read, with the place marked", on("", async (page) => {
    for (const [text, says, at] of [["CC(=O)Oc1cQcccc1", /atom|found/i, "Q"], ["CCO)C", /no branch is open/, ")"], ["C[Xq]C", /element/i, null]]) {
      await ask(page, text);
      await page.locator("#text-error:not(:empty)").waitFor();
      const told = await page.locator("#text-error").textContent();
      assert.match(told, says);
      assert.doesNotMatch(told, /--|bytes/);
      if (at) assert.equal(await page.locator("#text-error mark").textContent(), at, told);
    }
  }));

  test("says what of a molecule is left out", on("", async (page) => {
    await ask(page, "C[C@H](N)C(=O)[O-]");
    await done(page);
    assert.equal(await page.locator("#query-lost").textContent(), "Left out of the comparison: stereochemistry and charges.");
    await ask(page, "CCO");
    await page.waitForFunction(() => document.getElementById("query-lost").textContent === "");
  }));
});

test("an attribute that is called id is filtered, and not the ids", async () => {
  const file = join(folder, "numbered.csv"), index = join(folder, "numbered.greed");
  writeFileSync(file, "smiles,code,id\nCCO,a,7\nCCN,b,8\n");
  execFileSync(greed, ["index", "build", file, "-o", index, "--id-column", "code"], { stdio: "pipe" });
  const service = await serve([index]);
  const { page, faults, context } = await visit(browser, service, "#smiles=CCCO");
  await done(page);
  await page.locator("#filters summary").click();
  await page.selectOption("#filter-attribute", "id");
  await page.locator("#filter-values input[value='8']").check();
  await page.click("#filter-add");
  await page.waitForFunction(() => /^1 of 1 that pass/.test(document.getElementById("status").textContent));
  assert.deepEqual(await page.locator("#filter-chips li").allTextContents(), ["attribute id=8×"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a link is answered in few steps once the page was there", async () => {
  const { page, faults, context } = await visit(browser, demo);
  await page.locator("#examples").waitFor();
  await page.waitForLoadState("networkidle");
  const asked = [];
  page.on("request", (r) => asked.push(new URL(r.url()).pathname));
  await page.goto("about:blank");
  await page.goto(`${demo.url}/#in=demo&smiles=${encodeURIComponent(aspirin)}`);
  await page.locator(".card").first().waitFor();
  const before = asked.slice(0, asked.findIndex((p) => p.endsWith("/search")) + 1).filter((p) => p.startsWith("/v1"));
  // The collections, the query and, where the link names the collection, the attributes
  // at once, then the search.
  assert.deepEqual(before.sort(), ["/v1/collections", "/v1/collections/demo/attributes", "/v1/collections/demo/search", "/v1/parse"]);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a collection without a model offers no modes that need one, and one without graphs says so", async () => {
  const file = join(folder, "bare.txt"), index = join(folder, "bare.greed");
  writeFileSync(file, "t # a\nv 0 x\nv 1 y\ne 0 1 z\nt # b\nv 0 x\n");
  execFileSync(greed, ["index", "build", file, "-o", index], { stdio: "pipe" });
  const service = await serve([index]);
  const { page, faults, context } = await visit(browser, service, `#mode=predicted&graph=${encodeURIComponent('{"n":["x","y"],"e":[[0,1,"z"]]}')}`);
  await done(page);
  assert.ok(await page.locator("#mode").isHidden());
  assert.match(await status(page), /proven/);
  assert.equal(await page.locator(".card").count(), 2);
  // Nor molecules, where there are none.
  assert.equal(await page.locator("#text").getAttribute("placeholder"), "Paste a graph as t/v/e, JSON, GraphML, DOT …");
  await page.goto("about:blank");
  await page.goto(service.url);
  await page.waitForFunction(() => /^\s*Paste a graph, build one, or drop a file\.\s+An exact solver/.test(document.querySelector("#welcome").textContent));
  await page.route("**/v1/collections", async (route) => {
    const [info] = await (await route.fetch()).json();
    await route.fulfill({ json: [{ ...info, graphs: 0 }] });
  });
  await page.goto("about:blank");
  await page.goto(service.url);
  await page.locator("#nothing").waitFor();
  assert.match(await page.locator("#nothing").textContent(), /^bare.greed has no graphs yet/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a search that finds nothing offers what may find some", on("#find=contains&smiles=FC(F)(F)C(Br)(Cl)I", async (page) => {
  await done(page);
  assert.match(await status(page), /^0 of 4,999 graphs contain it/);
  await page.getByRole("button", { name: "Show what nearly contains it" }).click();
  await page.locator(".card.checked").first().waitFor();
  await done(page);
  assert.equal(await page.locator(".card").count(), 12);
  assert.ok(await page.locator("#nothing").isHidden());
  assert.ok(await page.locator("[name=find][value=nearly]").isChecked());
  await page.goBack();
  await page.locator("#nothing").waitFor();
}));

test("what was asked, and labels that do not occur, are told above the answers", on("", async (page) => {
  await lines(page, [{ found: { task: "ged", status: "proven", verdict: "proven", question: { text: "the 12 nearest by GED" }, unmatched: { nodes: ["Xe", "Kr"] }, answers: [], seconds: { embed: 0, scan: 0, check: 0 } } }]);
  await ask(page, aspirin);
  await page.locator("#question:not([hidden])").waitFor();
  assert.equal(await page.locator("#question").textContent(), "Asked: the 12 nearest by GED. No graph here has Xe, Kr.");
}));
