// chartStyle is the style of drawings of large graphs side by side.
export const chartStyle = `
.panes { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; min-height: 0; }
.panes figure { min-width: 0; min-height: 0; display: grid; grid-template-rows: auto minmax(0, 1fr); }
.panes figcaption { font-size: .85rem; color: var(--quiet); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding-bottom: .2rem; }
.panes .drawing { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; touch-action: none; cursor: grab; min-height: 0; }
.chart rect { fill: var(--sunken); stroke: var(--line-strong); }
.chart text { font: 500 12px/1 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
.chart .tie path { fill: none; stroke: var(--line-strong); stroke-width: 1.2; opacity: .55; }
.chart .tie .head { fill: var(--line-strong); stroke: none; }
.chart .folded rect { stroke-dasharray: 3 3; fill: none; }
.chart .folded text { fill: var(--quiet); }
.chart .deleted { --mark: var(--deleted); } .chart .inserted { --mark: var(--inserted); } .chart .relabelled { --mark: var(--relabelled); }
.chart .spot:is(.deleted, .inserted, .relabelled) rect { stroke: var(--mark); stroke-width: 2.2; fill: color-mix(in srgb, var(--mark) 14%, var(--surface)); }
.chart .spot.deleted rect { stroke-dasharray: 5 3; }
.chart .tie:is(.deleted, .inserted, .relabelled) path { stroke: var(--mark); stroke-width: 2.2; opacity: 1; }
.chart .tie.deleted path:not(.head) { stroke-dasharray: 5 4; }
.chart .tie:is(.deleted, .inserted, .relabelled) .head { fill: var(--mark); stroke: none; }
.dimmed .tie:not(.lit) { opacity: .2; }
.dimmed .spot:not(.lit) { opacity: .45; }
.chart .tie.lit path { opacity: 1; stroke-width: 2; }
.chart .spot.lit rect { stroke: var(--accent); stroke-width: 2.4; }
@media (max-width: 860px) {
  .panes { grid-template: 1fr 1fr / minmax(0, 1fr); }
}
`;
