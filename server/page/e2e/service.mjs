// Starts greed serve and a browser for the tests.
import { spawn, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, firefox } from "playwright-core";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");

export const folder = mkdtempSync(join(tmpdir(), "greed-e2e-"));
// What run.mjs started for all files of tests; a file that is run alone starts its own.
const shared = process.env.GREED_E2E && JSON.parse(process.env.GREED_E2E);
export const greed = shared?.greed ?? join(folder, "greed");
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const running = new Set();

export async function stopAll() {
  await Promise.all([...running].map((service) => service.stop()));
}

export function build() {
  if (shared) return;
  execFileSync("go", ["build", "-o", greed, "./cmd/greed"], { cwd: root, stdio: "inherit" });
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

// serve starts greed serve and waits until it is ready.
export async function serve(args, address) {
  address ??= `127.0.0.1:${await freePort()}`;
  const child = spawn(greed, ["serve", "--listen", address, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout.on("data", (d) => (said += d));
  child.stderr.on("data", (d) => (said += d));
  const url = `http://${address}`;
  for (let waited = 0; ; waited += 100) {
    const ready = await fetch(`${url}/readyz`).then((r) => r.ok, () => false);
    if (ready) break;
    if (child.exitCode !== null || waited > 60_000) throw new Error(`greed serve ${args.join(" ")} did not start:\n${said}`);
    await new Promise((done) => setTimeout(done, 100));
  }
  const service = {
    url,
    address,
    async stop() {
      running.delete(service);
      if (child.exitCode !== null) return;
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGKILL");
      await ended;
    },
  };
  running.add(service);
  return service;
}

// demonstrate returns a service with the demonstration.
export function demonstrate() {
  return shared ? { url: `http://${shared.demo}`, address: shared.demo } : serve(["--demo"]);
}

// The browser that the tests run in: "chromium" or "firefox".
export const engine = shared?.engine ?? process.env.ENGINE ?? "chromium";

// Firefox is Mozilla's own, driven by WebDriver BiDi. What that cannot set a
// preference does.
const engines = {
  chromium: () => chromium.launch({
    executablePath: executable.chromium(),
    // Nothing but the service is found.
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  }),
  firefox: (dark) => firefox.launch({
    channel: "moz-firefox", executablePath: executable.firefox(),
    firefoxUserPrefs: { "ui.prefersReducedMotion": 1, "ui.systemUsesDarkTheme": Number(dark), "dom.events.testing.asyncClipboard": true },
  }),
};

// Where the browsers are: as said, or on the path. Chromium's headless shell comes first: it has
// no window and no tool bar, and needs half the processor time.
export const executable = {
  chromium: () => process.env.CHROMIUM ?? onPath(["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]),
  firefox: () => process.env.FIREFOX ?? onPath(["firefox", "firefox-esr"]),
};

function onPath(names) {
  const files = names.flatMap((name) => (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)));
  return files.find((file) => existsSync(file));
}

export const launch = () => engines[engine](false);

let dark = null; // a Firefox with a dark theme

export async function closeBrowsers() {
  await (await dark)?.close();
}

// visit opens the page of a service and returns it with a list of what went
// wrong: requests to elsewhere, exceptions, and breaches of the content security
// policy.
export async function visit(browser, service, hash = "", options = {}) {
  let look = { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", ...options };
  if (engine === "firefox") {
    if (look.colorScheme === "dark") browser = await (dark ??= engines.firefox(true));
    look = { ...look, colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null };
  }
  const context = await browser.newContext(look);
  const faults = [];
  context.on("request", (request) => {
    const to = request.url();
    if (!to.startsWith(`${service.url}/`) && !to.startsWith("blob:") && !to.startsWith("data:")) faults.push(`request to ${to}`);
  });
  // A machine that has much to do may take longer than the page gives a layout.
  await context.addInitScript(() => {
    const later = setTimeout;
    window.setTimeout = (act, ms, ...rest) => later(act, ms === 4000 ? 60_000 : ms, ...rest);
  });
  const page = await context.newPage();
  page.on("pageerror", (e) => faults.push(`exception: ${e.message}`));
  page.on("console", (m) => {
    if (/Content Security Policy/.test(m.text())) faults.push(m.text());
  });
  page.on("dialog", (d) => {
    faults.push(`dialog: ${d.message()}`);
    void d.dismiss();
  });
  page.setDefaultTimeout(60_000);
  // Without an address the page begins with an example, which only its own test wants.
  await page.goto(`${service.url}/${hash === "example" ? "" : hash || "#find=similar"}`);
  return { page, faults, context };
}
