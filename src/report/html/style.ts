// How the report looks.

/** The page's style sheet. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f7f7f5, #16171a);
  --sheet: light-dark(#ffffff, #1e2024);
  --line: light-dark(#e3e2dd, #33363c);
  --text: light-dark(#1d1f23, #e8e8e6);
  --quiet: light-dark(#62656c, #a3a6ad);
  --accent: light-dark(#2c5c9a, #8ab4ee);
  --passed: light-dark(#1d7a46, #5fc98c);
  --partial: light-dark(#8a6100, #e0b24c);
  --failed: light-dark(#b3382c, #f08a7d);
  --error: light-dark(#8d2b85, #dd92d6);
  --tint: light-dark(#f1f0ec, #26292e);
  --minus: light-dark(#fbe9e7, #43231f);
  --plus: light-dark(#e6f4ea, #1d3a28);
}
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0 auto;
  max-width: 64rem;
  padding: 2rem 1.25rem 4rem;
  background: var(--ground);
  color: var(--text);
  font: 15px/1.5 system-ui, sans-serif;
}
h1, h2, h4 { margin: 0; font-weight: 600; line-height: 1.25; }
h1 { font-size: 1.25rem; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
h4 { font-size: .8125rem; }
bdi { overflow-wrap: anywhere; }
pre {
  margin: .25rem 0;
  padding: .5rem .75rem;
  max-height: 32rem;
  overflow: auto;
  border-radius: 6px;
  background: var(--tint);
  font: 13px/1.5 ui-monospace, monospace;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
ul { margin: .25rem 0; padding-left: 1.25rem; }
button, input[type=search] {
  min-height: 2.25rem;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--sheet);
  color: inherit;
  font: inherit;
}
button { padding: 0 .75rem; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.title { display: flex; justify-content: space-between; align-items: center; gap: 1rem; }
.where { margin: .25rem 0 1.25rem; color: var(--quiet); overflow-wrap: anywhere; }
.rewards { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .75rem; }
.reward {
  display: flex;
  flex-direction: column;
  gap: .25rem;
  padding: .875rem 1rem;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--sheet);
}
.reward .label { color: var(--quiet); font-size: .875rem; }
.reward strong { font-size: 1.75rem; font-weight: 600; line-height: 1.2; font-variant-numeric: tabular-nums; }
.reward .score { margin-left: 0; font-size: 0; }
.reward .bar { width: 100%; }
.reward.none { border-color: var(--error); }
.reward.none strong { color: var(--error); }
.hint { color: var(--quiet); font-size: .875rem; }
.counts {
  display: flex;
  flex-wrap: wrap;
  gap: .25rem 1.25rem;
  margin: 1rem 0 0;
  padding: 0;
  list-style: none;
  color: var(--quiet);
}
.counts .passed { color: var(--passed); }
.counts .partial { color: var(--partial); }
.counts .failed { color: var(--failed); }
.counts .error { color: var(--error); }
.bar { width: 4.5rem; height: 6px; flex: none; border-radius: 3px; overflow: hidden; }
.bar .track { fill: var(--line); }
.bar .part { fill: var(--accent); }
#tools {
  position: sticky;
  top: 0;
  z-index: 1;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: .5rem 1rem;
  margin: 1.5rem 0 .75rem;
  padding: .75rem 0;
  border-bottom: 1px solid var(--line);
  background: var(--ground);
}
.search { flex: 1 1 14rem; }
.search span, legend { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
.search input { width: 100%; padding: 0 .75rem; }
fieldset { display: flex; gap: .75rem; margin: 0; padding: 0; border: 0; }
fieldset label { display: flex; align-items: center; gap: .25rem; min-height: 2.25rem; cursor: pointer; }
input[type=radio] { accent-color: var(--accent); }
#count { color: var(--quiet); font-variant-numeric: tabular-nums; }
.node {
  margin: .75rem 0;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--sheet);
}
.node .node { margin: .5rem .75rem; }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
.node > summary, .criterion > summary {
  display: flex;
  align-items: center;
  gap: .625rem;
  padding: .625rem 1rem;
  border-radius: 10px;
}
.node > summary > .name { font-weight: 600; }
.node > summary::before, .more > summary::before {
  content: "";
  flex: none;
  width: .4rem;
  height: .4rem;
  border: solid var(--quiet);
  border-width: 0 1.5px 1.5px 0;
  transform: rotate(-45deg);
}
.node[open] > summary::before, .more[open] > summary::before { transform: rotate(45deg); }
.name { min-width: 0; overflow-wrap: anywhere; }
.remark { color: var(--quiet); font-size: .8125rem; }
.score {
  display: flex;
  align-items: center;
  gap: .5rem;
  margin-left: auto;
  font-variant-numeric: tabular-nums;
}
.criterion { border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 2.5rem; }
.criterion > summary { border-radius: 0; padding-block: .5rem; }
.criterion > summary:hover, .node > summary:hover { background: var(--tint); }
.mark {
  flex: none;
  width: 1.25rem;
  text-align: center;
  font-weight: 700;
}
.passed .mark { color: var(--passed); }
.partial .mark { color: var(--partial); }
.failed .mark { color: var(--failed); }
.error .mark { color: var(--error); }
.criterion > .body { padding: 0 1rem .75rem 2.875rem; }
.criterion > .body > * { margin: .25rem 0; }
.description { color: var(--quiet); }
.problem { color: var(--error); }
.problem pre { color: inherit; }
.mismatch span { display: block; }
.mismatch .expected { background: var(--minus); }
.mismatch .found { background: var(--plus); }
.notes { margin: .5rem 1rem; padding: .5rem .75rem; border-left: 3px solid var(--partial); }
.notes.problem { border-color: var(--error); }
header > .notes { margin: 1rem 0 0; }
.notes h2 { margin: 0; }
.warnings { color: var(--partial); }
.more { margin: .25rem 1rem; }
.more:last-child { margin-bottom: .75rem; }
.more > summary { display: flex; align-items: center; gap: .5rem; padding: .25rem 0; color: var(--quiet); font-size: .875rem; }
.facts { margin: .25rem 0; font-size: .875rem; }
.facts > div { display: grid; grid-template-columns: minmax(7rem, 12rem) 1fr; gap: .75rem; padding: .125rem 0; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; }
th, td { padding: .5rem 1rem; border-top: 1px solid var(--line); text-align: right; font-variant-numeric: tabular-nums; }
thead th { border-top: 0; color: var(--quiet); font-weight: 500; }
th:first-child { text-align: left; font-weight: 500; }
td .score { justify-content: flex-end; }
#nothing { padding: 2rem; text-align: center; color: var(--quiet); }
footer { margin-top: 2.5rem; color: var(--quiet); font-size: .8125rem; }
@media (max-width: 34rem) {
  body { padding: 1.25rem .75rem 3rem; }
  .node > summary, .criterion > summary { flex-wrap: wrap; padding-inline: .75rem; gap: .25rem .5rem; }
  .node .node { margin-inline: .375rem; }
  .criterion > summary > .name { flex: 1 1 60%; }
  .criterion > .body { padding: 0 .75rem .75rem; }
  .node .bar { width: 2.5rem; }
  .facts > div { grid-template-columns: 1fr; gap: 0; }
}
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; background: #fff; font-size: 10pt; }
  #tools, #theme { display: none !important; }
  .node, .criterion { break-inside: avoid-page; content-visibility: visible; }
  .node { break-inside: auto; }
  pre { max-height: none; }
}
`;
