// Builds dist/, which the Go program embeds: the page's modules bundled.
import { build, transform } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");

const { metafile } = await build({
  entryPoints: { app: "src/main.ts", worker: "src/worker.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  metafile: true,
  legalComments: "none",
});

// What a file is called by its content may be kept by browsers for good. named maps
// the names in the sources to such ones.
const named = new Map();
let preloads = ""; // of what the page's module imports, which a browser finds out late
for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
  const name = { "src/main.ts": "app.js", "src/worker.ts": "worker.js" }[entryPoint];
  if (name) named.set(name, path.replace("dist/", ""));
  if (name !== "app.js") continue;
  const imported = metafile.outputs[path].imports.filter((i) => i.kind === "import-statement");
  preloads = imported.map((i) => `<link rel="modulepreload" href="${i.path.replace("dist/", "")}">\n`).join("");
}
const { code: style } = await transform(readFileSync("src/style.css", "utf8"), { loader: "css", minify: true, target: "es2022" });
const hash = createHash("sha256").update(style).digest("hex").slice(0, 8).toUpperCase();
named.set("style.css", `style-${hash}.css`);
writeFileSync(`dist/style-${hash}.css`, style);
let index = readFileSync("src/index.html", "utf8");
for (const [from, to] of named) index = index.replace(`"${from}"`, `"${to}"`);
writeFileSync("dist/index.html", index.replace('<script type="module"', `${preloads}$&`));
cpSync("src/icon.svg", "dist/icon.svg");

const licences = [
  ["cytoscape", "LICENSE"],
  ["openchemlib", "LICENSE"],
  ["@dagrejs/dagre", "LICENSE"],
  ["@dagrejs/graphlib", "LICENSE"],
  ["d3-force", "LICENSE"],
  ["d3-dispatch", "LICENSE"],
  ["d3-quadtree", "LICENSE"],
  ["d3-timer", "LICENSE"],
].map(([name, file]) => {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  const text = readFileSync(`node_modules/${name}/${file}`, "utf8").replaceAll("\r\n", "\n").trim();
  return `${name} ${version}\n\n${text}\n`;
});
writeFileSync("dist/licences.txt", licences.join(`\n${"-".repeat(72)}\n\n`));

// Files that compress are kept compressed alone: a browser takes them so.
for (const name of readdirSync("dist", { recursive: true })) {
  if (!/\.(js|css|html)$/.test(name)) continue;
  const text = readFileSync(`dist/${name}`);
  if (text.length < 1024) continue;
  writeFileSync(`dist/${name}.gz`, gzipSync(text, { level: 9 }));
  rmSync(`dist/${name}`);
}
