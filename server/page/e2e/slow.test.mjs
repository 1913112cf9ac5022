// A slow network: what comes after the first visit is in the browser's cache, and few
// questions come one after another.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine, visit } from "./service.mjs";
import { aspirin, browser, demo, done } from "./steps.mjs";

// Slow 3G as WebPageTest has it: 400 kbit/s and 400 ms there and back.
const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const fast = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

test("the first answer over slow 3G after the first visit", { skip: engine !== "chromium" && "its driver cannot slow the network" }, async (t) => {
  const { page, faults, context } = await visit(browser, demo, `#in=demo&smiles=${encodeURIComponent(aspirin)}`);
  await done(page);
  const sent = await context.newCDPSession(page);
  await sent.send("Network.enable");
  const seconds = async (network, work, shown) => {
    await done(page);
    await page.evaluate(() => document.querySelectorAll(".card").forEach((card) => card.remove()));
    await sent.send("Network.emulateNetworkConditions", network);
    const begin = performance.now();
    await work();
    await page.waitForFunction(shown);
    const took = (performance.now() - begin) / 1000;
    await sent.send("Network.emulateNetworkConditions", fast);
    return took.toFixed(2);
  };
  const link = (smiles) => async () => {
    await page.goto("about:blank");
    await page.goto(`${demo.url}/#in=demo&smiles=${encodeURIComponent(smiles)}`, { waitUntil: "commit" });
  };
  const first = () => document.querySelector(".card .distance") !== null;
  const told = [];
  for (const [name, network] of [["slow 3G", slow], ["this machine alone", fast]]) {
    const opened = [];
    for (const smiles of ["CC(=O)Nc1ccc(O)cc1", "CCOc1ccccc1", "Nc1ccccc1O"]) opened.push(await seconds(network, link(smiles), first));
    const asked = await seconds(network, async () => {
      await page.fill("#text", "CCOc1ccccc1C");
      await page.press("#text", "Enter");
    }, first);
    told.push(`${name}: a link ${opened.join(", ")} s, another query ${asked} s`);
  }
  t.diagnostic(`until the first answers: ${told.join("; ")}`);
  assert.deepEqual(faults, []);
  await context.close();
});

test("little moves while a first visit loads over slow 3G", { skip: engine !== "chromium" && "its driver cannot slow the network" }, async (t) => {
  for (const width of [1280, 390]) {
    const { page, faults, context } = await visit(browser, demo, "", { viewport: { width, height: 844 } });
    const sent = await context.newCDPSession(page);
    await sent.send("Network.enable");
    await sent.send("Network.clearBrowserCache");
    await sent.send("Network.emulateNetworkConditions", slow);
    await page.addInitScript(() => {
      window.shift = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((e) => (shift += e.hadRecentInput ? 0 : e.value))).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto("about:blank");
    await page.goto(`${demo.url}/#in=demo&smiles=${encodeURIComponent(aspirin)}`);
    await done(page);
    await page.locator(".card .drawing .edge").first().waitFor();
    await page.waitForTimeout(1000);
    const shift = await page.evaluate(() => window.shift);
    t.diagnostic(`${width} pixels: ${shift.toFixed(4)}`);
    assert.ok(shift <= 0.05, `${shift}`);
    assert.deepEqual(faults, []);
    await context.close();
  }
});
