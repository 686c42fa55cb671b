// How the report looks: light and dark, on a phone, on a wide screen and on paper. No external resources.

export const style = `
:root { color-scheme: light dark; --ground: #fbfaf7; --card: #fff; --ink: #1d1f23; --soft: #5c6169; --line: #dcd9d0; --code: #f1efe8;
  --ship: #17693a; --ship-ground: #e4f3e8; --monitor: #7a5200; --monitor-ground: #fbf0d5; --research: #a02020; --research-ground: #fbe6e3;
  --make: #2f6db5; --judge: #8a4fae; --judge-soft: #d9c2e8; --prove: #2d8a5f; --prove-soft: #b9dfcb; --wait: #8b8f97; }
@media (prefers-color-scheme: dark) { :root { --ground: #16181b; --card: #1e2125; --ink: #e6e4df; --soft: #a3a8b0; --line: #383c42; --code: #282c31;
  --ship: #7fd6a0; --ship-ground: #173425; --monitor: #f0c766; --monitor-ground: #3a2f12; --research: #ff9d93; --research-ground: #421e1b;
  --make: #6ea8e8; --judge: #c594e6; --judge-soft: #4d3460; --prove: #62c596; --prove-soft: #235541; --wait: #878c94; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main, header, footer { max-width: 66rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2rem; } footer { padding-bottom: 3rem; color: var(--soft); font-size: .875rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; } h2 { font-size: 1.2rem; margin: 2.25rem 0 .6rem; } h3 { font-size: 1.05rem; margin: 0; }
h4 { font-size: .9rem; margin: 1rem 0 .3rem; color: var(--soft); font-weight: 600; }
p { margin: .4rem 0; } .small { font-size: .875rem; color: var(--soft); }
h1, h2, h3, p, li, td, th, dd, blockquote, summary { overflow-wrap: anywhere; }
.verdict { margin-top: .8rem; border: 2px solid; border-radius: 10px; padding: 1rem 1.25rem; }
.verdict b { font-size: 1.5rem; letter-spacing: .06em; } .verdict p { color: var(--ink); }
.SHIP { color: var(--ship); background: var(--ship-ground); }
.MONITOR { color: var(--monitor); background: var(--monitor-ground); }
.RESEARCH { color: var(--research); background: var(--research-ground); }
blockquote { margin: 0; padding: .2rem 0 .2rem 1rem; border-left: 3px solid var(--line); white-space: pre-wrap; max-height: 24rem; overflow: auto; }
dl.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 1.25rem 0 0; }
dl.numbers div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem; }
dl.numbers dt { font-size: .8rem; color: var(--soft); } dl.numbers dd { margin: 0; font-size: 1.25rem; font-weight: 600; }
code, pre { font: .875em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--code); border-radius: 4px; padding: .1em .35em; overflow-wrap: anywhere; }
code.copy { user-select: all; -webkit-user-select: all; border: 1px solid var(--line); }
pre { background: var(--code); border-radius: 6px; padding: .6rem .8rem; overflow: auto; max-height: 20rem; margin: .4rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
ol.plain, ul.plain { padding-left: 1.4rem; margin: .4rem 0; } ol.plain li, ul.plain li { margin: .35rem 0; }
ul.checks { list-style: none; padding: 0; margin: .3rem 0; } ul.checks li { margin: .25rem 0; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; margin: .9rem 0; }
article .facts { color: var(--soft); font-size: .9rem; }
.status { display: inline-block; border: 1px solid currentColor; border-radius: 999px; padding: 0 .6rem; font-size: .8rem; font-weight: 600; white-space: nowrap; margin-left: .4rem; vertical-align: .1em; }
.good { color: var(--ship); } .fair { color: var(--monitor); } .bad { color: var(--research); } .idle { color: var(--soft); }
.scroll { overflow-x: auto; } .scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--make); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); font-weight: normal; }
thead th { color: var(--soft); font-size: .8rem; } td + td, th + th { min-width: 8rem; } td:first-child { white-space: nowrap; }
details { margin: .6rem 0; } summary { cursor: pointer; color: var(--soft); font-size: .9rem; }
svg.timeline { min-width: 700px; max-width: 100%; height: auto; display: block; }
.label { font: 600 12px ui-monospace, Menlo, Consolas, monospace; fill: var(--ink); } .tick { font: 11px system-ui, sans-serif; fill: var(--soft); }
.axis, .lane { stroke: var(--line); } rect.make { fill: var(--make); } rect.judge { fill: url(#judge); stroke: var(--judge); stroke-width: .8; }
rect.prove { fill: url(#prove); stroke: var(--prove); stroke-width: .8; } rect.wait { fill: none; stroke: var(--wait); stroke-dasharray: 3 2; }
.judge-ground { fill: var(--judge-soft); } .judge-line { fill: var(--judge); } .prove-ground { fill: var(--prove-soft); } .prove-line { fill: var(--prove); }
.gap { fill: var(--line); opacity: .35; } .break { stroke: var(--soft); stroke-width: 1.5; fill: none; }
.mark path { fill: none; stroke-width: 2.4; stroke-linecap: round; stroke-linejoin: round; } .mark path.halo { stroke: var(--ground); stroke-width: 5; }
.mark.commit path:last-child { stroke: var(--ship); } .mark.refused path:last-child { stroke: var(--research); } .mark.rolled-back path:last-child { stroke: var(--monitor); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; margin: .4rem 0; font-size: .85rem; color: var(--soft); } .legend li { display: flex; align-items: center; gap: .35rem; }
@media (max-width: 30rem) { main, header, footer { padding-left: .9rem; padding-right: .9rem; } article { padding: .8rem .9rem; } .verdict { padding: .8rem .9rem; } }
@media print { :root { color-scheme: light; } body { background: #fff; font-size: 10.5pt; } article, .verdict, svg.timeline { break-inside: avoid; } blockquote, pre { max-height: none; } .scroll { overflow: visible; } svg.timeline { min-width: 0; width: 100%; } }
`;
