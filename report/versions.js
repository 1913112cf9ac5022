"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const get = (id) => document.getElementById(id);
  const svg = get("drawing"), told = get("told"), position = get("position"), fold = get("fold");
  const height = 22;
  let places = new Map(), boxes = new Map(), view = { x: 0, y: 0, w: 1, h: 1 }, step = -1, marked = [], printed = null;

  const element = (name, attributes, ...children) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
    e.append(...children);
    return e;
  };

  // A view is what of the drawing the window shows. The window keeps its proportions, so some more is seen.
  const look = (v) => {
    view = v;
    svg.setAttribute("viewBox", `${v.x} ${v.y} ${v.w} ${v.h}`);
  };
  const around = (nodes, least) => {
    let [x, y, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const v of nodes) {
      const at = places.get(v);
      if (!at) continue;
      x = Math.min(x, at[0]);
      y = Math.min(y, at[1] - height / 2);
      right = Math.max(right, at[0] + data.widths[v] + 30);
      bottom = Math.max(bottom, at[1] + height / 2);
    }
    if (x > right) return { x: 0, y: 0, w: 100, h: 100 };
    const w = Math.max(right - x + 40, least), h = Math.max(bottom - y + 40, least / 2);
    return { x: (x + right - w) / 2, y: (y + bottom - h) / 2, w, h };
  };
  const zoom = (by, px = 0.5, py = 0.5) =>
    look({ x: view.x + view.w * px * (1 - by), y: view.y + view.h * py * (1 - by), w: view.w * by, h: view.h * by });

  const curve = (from, to) => {
    const a = places.get(from), b = places.get(to);
    if (from === to) {
      const x = a[0] + data.widths[from] / 2;
      return `M${x - 8} ${a[1] - height / 2}c-8 -18 24 -18 16 0`;
    }
    if (b[0] > a[0] + data.widths[from]) { // to the right
      const x = a[0] + data.widths[from], bend = Math.max(20, (b[0] - x) / 2);
      return `M${x} ${a[1]}C${x + bend} ${a[1]} ${b[0] - bend} ${b[1]} ${b[0]} ${b[1]}`;
    }
    if (b[0] + data.widths[to] < a[0]) { // back
      const x = b[0] + data.widths[to], bend = Math.max(20, (a[0] - x) / 2);
      return `M${a[0]} ${a[1]}C${a[0] - bend} ${a[1]} ${x + bend} ${b[1]} ${x} ${b[1]}`;
    }
    const x = a[0], bend = 26 + Math.abs(a[1] - b[1]) / 8; // in a column
    return `M${x} ${a[1]}C${x - bend} ${a[1]} ${b[0] - bend} ${b[1]} ${b[0]} ${b[1]}`;
  };

  const draw = () => {
    places = new Map(fold.checked || !data.whole ? Object.entries(data.near).map(([v, at]) => [+v, at]) : data.whole.map((at, v) => [v, at]));
    boxes = new Map();
    const head = element("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto" },
      element("path", { d: "M0 1L8 4L0 7z" }));
    const lines = element("g", {}), nodes = element("g", {});
    for (const [from, to, state] of [...data.edges].sort((a, b) => a[2] - b[2])) {
      if (!places.has(from) || !places.has(to)) continue;
      const line = element("path", { d: curve(from, to), class: `s${state}` });
      if (data.arrows) line.setAttribute("marker-end", "url(#head)");
      lines.append(line);
    }
    for (const [v, at] of places) {
      const box = element("g", { class: `s${data.states[v]}`, transform: `translate(${at[0]} ${at[1]})` },
        element("rect", { y: -height / 2, width: data.widths[v], height, rx: 5 }),
        element("text", { x: 9 }, data.short[v]), element("title", {}, data.names[v]));
      const hidden = data.hidden[v];
      if (hidden && fold.checked) box.append(element("text", { x: data.widths[v] + 3, class: "more" }, `+${hidden}`));
      boxes.set(v, box);
      nodes.append(box);
    }
    svg.replaceChildren(element("defs", {}, head), lines, nodes);
    const left = data.names.length - places.size;
    told.textContent = left ? `${left} of ${data.names.length} nodes are unchanged and hidden` : `${data.names.length} nodes`;
    look(around(places.keys(), 300));
    mark(marked);
  };
  // At first all is seen if it can be read, else the first change.
  const open = () => {
    draw();
    const letters = 12 * Math.min(svg.clientWidth / view.w, svg.clientHeight / view.h);
    if (letters < 6.5 && data.steps.length) look(around(data.steps[0], 900));
  };

  const mark = (nodes) => {
    for (const v of marked) boxes.get(v)?.classList.remove("on");
    marked = nodes;
    for (const v of nodes) boxes.get(v)?.classList.add("on");
  };
  const go = (to) => {
    if (!data.steps.length) return;
    step = (to + data.steps.length) % data.steps.length;
    position.textContent = `${step + 1} of ${data.steps.length}`;
    for (const b of document.querySelectorAll("[data-step].on")) b.classList.remove("on");
    const line = document.querySelector(`[data-step="${step}"]`);
    line.classList.add("on");
    line.closest("details").open = true;
    line.scrollIntoView({ block: "nearest" });
    mark(data.steps[step]);
    look(around(data.steps[step], 640));
  };

  const search = () => {
    const text = get("find").value.trim().toLowerCase();
    for (const box of boxes.values()) box.classList.remove("found");
    if (!text) return;
    const found = data.names.flatMap((name, v) => (name.toLowerCase().includes(text) ? [v] : []));
    if (found.some((v) => !places.has(v)) && data.whole && fold.checked) {
      fold.checked = false;
      draw();
    }
    for (const v of found) boxes.get(v)?.classList.add("found");
    told.textContent = `${found.length} found`;
    if (found.length) look(around(found.slice(0, 20), 640));
  };

  let drag = null;
  svg.addEventListener("pointerdown", (e) => {
    drag = { x: e.clientX, y: e.clientY, view };
    svg.setPointerCapture(e.pointerId);
  });
  svg.addEventListener("pointermove", (e) => {
    if (!drag) return;
    const scale = Math.max(view.w / svg.clientWidth, view.h / svg.clientHeight);
    look({ ...drag.view, x: drag.view.x - (e.clientX - drag.x) * scale, y: drag.view.y - (e.clientY - drag.y) * scale });
  });
  for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, () => (drag = null));
  svg.addEventListener("wheel", (e) => {
    e.preventDefault();
    const box = svg.getBoundingClientRect();
    zoom(Math.exp(e.deltaY / 500), (e.clientX - box.x) / box.width, (e.clientY - box.y) / box.height);
  }, { passive: false });
  get("in").onclick = () => zoom(0.7);
  get("out").onclick = () => zoom(1 / 0.7);
  get("fit").onclick = () => look(around(places.keys(), 300));
  get("back").onclick = () => go(step < 0 ? -1 : step - 1);
  get("forth").onclick = () => go(step + 1);
  get("find").oninput = search;
  fold.onchange = draw;
  document.querySelector("aside").addEventListener("click", (e) => {
    const line = e.target.closest("[data-step]");
    if (line) go(+line.dataset.step);
  });
  document.addEventListener("keydown", (e) => {
    if (e.target.matches("input")) return;
    if (e.key === "ArrowRight") go(step + 1);
    if (e.key === "ArrowLeft") go(step < 0 ? -1 : step - 1);
    if (e.key === "+") zoom(0.7);
    if (e.key === "-") zoom(1 / 0.7);
    if (e.key === "0") look(around(places.keys(), 300));
  });
  get("shade").onclick = () => {
    const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
    document.documentElement.dataset.shade = dark ? "light" : "dark";
  };
  addEventListener("beforeprint", () => {
    printed = view;
    look(around(places.keys(), 300));
    for (const d of document.querySelectorAll("details")) d.open = true;
  });
  addEventListener("afterprint", () => printed && look(printed));
  if (!data.whole) fold.disabled = true;
  if (Object.keys(data.near).length === data.names.length) fold.checked = false;
  open();
})();
