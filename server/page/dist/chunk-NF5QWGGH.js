function r(t,n=18){return t.length<=n?t:/[/\\.:]/.test(t)?`\u2026${t.slice(1-n)}`:`${t.slice(0,n-1)}\u2026`}var e=t=>t.length<=2?.65:.17*Math.min(t.length,18)+.15;export{r as a,e as b};
