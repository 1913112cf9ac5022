import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { folder, greed, serve, visit } from "./service.mjs";
import { aspirin, on, done, lines, checked, compared, ask, give, browser, demo } from "./steps.mjs";

describe("trouble", () => {
  test("a stopped service is told, and the page goes on when it is back", async () => {
    const service = await serve(["--demo"]);
    const { page, faults, context } = await visit(browser, service);
    await ask(page, aspirin);
    await checked(page);
    await service.stop();
    await ask(page, "CCO");
    await page.locator("#text-error:not(:empty), #problem:not([hidden])").first().waitFor();
    assert.match((await page.locator("#text-error").textContent()) + (await page.locator("#problem").textContent()), /does not answer/);
    const again = await serve(["--demo"], service.address);
    await page.click("#search");
    await page.waitForFunction(() => document.getElementById("query-size").textContent.startsWith("3 atoms"));
    await checked(page);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("an answer that breaks off is told, with the id of the request", async () => {
    for (const [list, says] of [
      [[{ candidates: 9, verified: 1 }], "The answer broke off before its end. (request REQUEST)"],
      [[{ error: "the time for the request was up", request: "ANOTHER" }], "the time for the request was up (request ANOTHER)"],
    ]) {
      const { page, faults, context } = await visit(browser, demo);
      await lines(page, list);
      await ask(page, aspirin);
      await page.locator("#problem:not([hidden])").waitFor();
      assert.equal(await page.locator("#problem").textContent(), says);
      assert.match(await page.locator("#status").textContent(), /nothing of it is proven/);
      assert.equal(await page.locator(".card.checked").count(), 0);
      assert.ok(await page.locator("#progress").isHidden());
      assert.deepEqual(faults, []);
      await context.close();
    }
  });

  test("a link to a collection that there is not says so", on(`#in=nowhere&smiles=CCO`, async (page) => {
    await page.locator("#problem:not([hidden])").waitFor();
    assert.match(await page.locator("#problem").textContent(), /no collection nowhere/);
    await page.waitForTimeout(1000);
    assert.equal(await page.locator(".card").count(), 0);
    await page.selectOption("#collection", "demo");
    await checked(page);
  }));

  test("a link with numbers that cannot be says what is used", on(`#k=999999&smiles=CCO`, async (page) => {
    await page.locator("#problem:not([hidden])").waitFor();
    assert.match(await page.locator("#problem").textContent(), /k=999999.*12 is used/);
    assert.equal(await page.locator(".card").count(), 12);
  }));

  test("a link with what there is not says what is used", on("#find=constructor&mode=sure&smiles=CCO", async (page) => {
    await page.locator("#problem:not([hidden])").waitFor();
    assert.match(await page.locator("#problem").textContent(), /find=constructor.* similar is used.*mode=sure.* proven is used/);
    assert.equal(await page.locator(".card").count(), 12);
  }));

  test("so does one with a pattern", on("#mode=sure&smarts=CCO", async (page) => {
    await page.locator("#problem:not([hidden])").waitFor();
    assert.match(await page.locator("#problem").textContent(), /^The link has mode=sure.* proven is used/);
  }));

  test("ticked rows are those of one collection", async () => {
    const service = await serve(["--demo", "--root", mkdtempSync(join(folder, "two-"))]);
    const json = { "Content-Type": "application/json" };
    await fetch(`${service.url}/v1/collections/other`, { method: "PUT", headers: json, body: "{}" });
    await fetch(`${service.url}/v1/collections/other/graphs`, { method: "POST", headers: json, body: JSON.stringify({ text: "CCCO 4117\nCC 2\n" }) });
    const { page, faults, context } = await visit(browser, service, "#in=demo&smiles=CCO&pick=4117"); // ethylamine
    const told = (text) => page.waitForFunction((text) => document.querySelector("#table .tools span").textContent === text, text);
    await told("12 of 12 rows, 1 selected");
    await page.evaluate(() => { location.hash = "#smiles=c1ccccc1&pick=4117&k=11"; }); // in the same collection
    await told("11 of 11 rows, 1 selected");
    await page.goBack();
    await told("12 of 12 rows, 1 selected");
    // Nothing of the collection before stays while the other is opened.
    const gone = page.evaluate(() => new Promise((done) => {
      document.getElementById("collection").addEventListener("change", () => setTimeout(() => done(["query", "map-section", "question"].map((id) => document.getElementById(id).hidden))), { once: true });
    }));
    await page.selectOption("#collection", "other");
    assert.deepEqual(await gone, [true, true, true]);
    await told("2 of 2 rows");
    assert.doesNotMatch(page.url(), /pick/);
    await page.goBack();
    await told("12 of 12 rows, 1 selected");
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("a number that cannot be asked for is replaced where it stands", on("#smiles=CCO", async (page) => {
    await checked(page);
    for (const [given, used] of [["99999", "1000"], ["-4", "1"], ["2.6", "3"]]) {
      await give(page, "#amount", given);
      await page.waitForFunction((k) => new URLSearchParams(location.hash.slice(1)).get("k") === k, used);
      assert.equal(await page.inputValue("#amount"), used);
    }
  }));

  test("a collection that others change, delete and make anew is told as it is", async () => {
    const service = await serve(["--root", mkdtempSync(join(folder, "changing-"))]);
    const change = async (method, path, body) => {
      const answer = await fetch(`${service.url}/v1/collections/${path}`, { method, headers: { "Content-Type": "application/json" }, body: body && JSON.stringify(body) });
      assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    };
    await change("PUT", "c", { models: "molecules" });
    await change("POST", "c/graphs", { text: "CCO a\nCCN b\nCCCl d\n" });
    const { page, faults, context } = await visit(browser, service, "#in=c&smiles=CCO");
    const says = (text) => page.waitForFunction((text) => document.getElementById("status").textContent.startsWith(text), text);
    await says("3 of 3 graphs, proven");
    await change("DELETE", "c/graphs/a");
    await page.click("#search");
    await says("2 of 2 graphs, proven");
    await page.waitForFunction(() => document.getElementById("size").textContent === "2 graphs");
    await change("POST", "c/graphs", { delete: ["b", "d"] });
    await page.click("#search");
    await says("0 of 0 graphs");
    assert.match(await page.locator("#nothing").textContent(), /^c has no graphs yet/);
    await change("DELETE", "c");
    await change("PUT", "c", {}); // without models
    await change("POST", "c/graphs", { text: "CCN b\n" });
    await page.click("#search");
    await page.locator("#problem:not([hidden])").waitFor();
    await page.click("#search");
    await says("1 of 1 graphs, proven");
    await change("DELETE", "c");
    await page.click("#search");
    await page.waitForFunction(() => /no collection "c"/.test(document.getElementById("problem").textContent));
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("long ids and names stay in their cards", async () => {
    const id = (i) => `lib${i}/a_rather_long_path/that_goes_on_and_on/module_${i}_with_a_long_name.c`;
    const file = join(folder, "long.json"), index = join(folder, "long.greed");
    const graph = (i) => ({
      directed: true, multigraph: false, graph: { id: id(i), name: `NameWithoutAnyBreak${"x".repeat(80)}` },
      nodes: [0, 1, 2].map((n) => ({ id: n, label: `function_with_a_long_name_${n % i}` })), edges: [{ source: 0, target: 1, label: "call" }, { source: 1, target: 2, label: "call" }],
    });
    writeFileSync(file, JSON.stringify([1, 2, 3].map(graph)));
    execFileSync(greed, ["index", "build", file, "-o", index], { stdio: "pipe" });
    const service = await serve([index]);
    for (const width of [390, 1280]) {
      const { page, faults, context } = await visit(browser, service, "", { viewport: { width, height: 844 } });
      await page.fill("#text", JSON.stringify(graph(2)));
      await page.click("#search");
      await done(page);
      await page.locator(".card .choose").first().click(); // the comparison covers the rest on a phone
      await page.locator("#comparison:not([hidden])").waitFor();
      const wide = await page.evaluate(() => [document.documentElement, ...document.querySelectorAll(".card, .card header, .card footer, #comparison, .path, .edits, .edits li, .edit")]
        .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => `${e.tagName}.${e.className} ${e.scrollWidth} > ${e.clientWidth}`));
      assert.deepEqual(wide, []);
      assert.equal(await page.locator(".card .choose").first().getAttribute("title"), `${id(2)} · ${graph(2).graph.name}`);
      assert.deepEqual(faults, []);
      await context.close();
    }
  });

  test("a service that asks for a token gets one", async () => {
    const file = join(folder, "readers");
    writeFileSync(file, "a-token-of-the-test-of-32-letters\n");
    const service = await serve(["--demo", "--read-token-file", file]);
    const { page, faults, context } = await visit(browser, service);
    await page.locator("#token").fill("wrong");
    await page.locator("#token").press("Enter");
    await page.locator("#token").waitFor();
    await page.locator("#token").fill("a-token-of-the-test-of-32-letters");
    await page.locator("#token").press("Enter");
    await page.locator("#token").waitFor({ state: "hidden" });
    await ask(page, aspirin);
    await checked(page);
    assert.ok(!page.url().includes("a-token"));
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("labels and ids that are scripts are text", async () => {
    const script = "<img/src=x/onerror=alert(1)>";
    const graph = (id, labels) => ({
      directed: false, multigraph: false, graph: { id },
      nodes: labels.map((label, i) => ({ id: i, label })),
      edges: labels.slice(1).map((_, i) => ({ source: i, target: i + 1, label: script })),
    });
    const file = join(folder, "scripts.json"), index = join(folder, "scripts.greed");
    writeFileSync(file, JSON.stringify([graph(`${script}1`, [script, "B", "A"]), graph("<script>alert(2)</script>", ["A", script])]));
    execFileSync(greed, ["index", "build", file, "-o", index], { stdio: "pipe" });
    const service = await serve([index]);
    const { page, faults, context } = await visit(browser, service);
    await page.fill("#text", JSON.stringify(graph("q", [script, "A"])));
    await page.click("#search");
    await checked(page);
    assert.deepEqual((await page.locator(".card .id").allTextContents()).sort(), [`${script}1`, "<script>alert(2)</script>"].sort());
    assert.ok((await page.locator("#labels").textContent()).includes(script));
    assert.equal(await page.locator("main img, main script").count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });
});

for (const width of [390, 1280]) {
  test(`nothing is wider than ${width} pixels`, on(`#smiles=${encodeURIComponent(aspirin)}&answer=4145`, async (page) => {
    await compared(page);
    const { scroll, client } = await page.evaluate(() => ({ scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth }));
    assert.ok(scroll <= client, `${scroll} > ${client}`);
  }, { viewport: { width, height: 844 } }));
}
