// sketchStyle is the style of the editor of molecules.
export const sketchStyle = `
.sketcher { display: grid; gap: .35rem; min-width: 0; }
.sketch { position: relative; height: 320px; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: #fff; order: 1; }
.sketch .pointer { position: absolute; width: 18px; height: 18px; margin: -9px; border: 2px solid #0f766e; border-radius: 50%; pointer-events: none; }
.tool-bar { display: flex; flex-wrap: wrap; gap: 1px; }
.tool-bar button { width: 1.9rem; height: 1.9rem; padding: .25rem; border: 1px solid transparent; border-radius: 6px; background: none; cursor: pointer; line-height: 1; }
.tool-bar button:hover { background: var(--sunken); border-color: var(--line); }
.tool-bar [aria-pressed="true"] { background: var(--accent-soft); border-color: var(--accent); }
.tool-bar svg { display: block; width: 100%; fill: none; stroke: currentcolor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.tool-bar text { fill: currentcolor; stroke: none; font-weight: 600; text-anchor: middle; }
.acts button:last-child { margin-left: auto; }
.ends { display: none; align-items: center; gap: .8rem; }
.written { flex: 1; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: .9rem; }
.viewer .sketcher { grid: "head head head" auto "bonds paper atoms" minmax(0, 1fr) "rings rings rings" auto / auto minmax(0, 1fr) auto; height: calc(100dvh - 1.2rem); }
.viewer .sketch { grid-area: paper; height: 100%; }
.viewer :is(.acts, .ends) { display: flex; grid-area: head; }
.viewer .ends { margin-left: 8rem; }
.viewer .acts { justify-self: start; }
.viewer .bonds { grid-area: bonds; flex-direction: column; }
.viewer .atoms { grid-area: atoms; flex-direction: column; }
.viewer .rings { grid-area: rings; justify-content: center; }
@media (max-width: 700px) {
  .viewer .sketcher { grid: "ends" auto "head" auto "bonds" auto "paper" minmax(0, 1fr) "atoms" auto "rings" auto / minmax(0, 1fr); }
  .viewer .ends { grid-area: ends; margin: 0; }
  .viewer .bonds, .viewer .atoms { flex-direction: row; }
}
/* The editor paints on white: in the dark its lightness is turned around. */
@media (prefers-color-scheme: dark) { .sketch { filter: invert(.88) hue-rotate(180deg); } }
`;
