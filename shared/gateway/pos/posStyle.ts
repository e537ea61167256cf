/** Style sheet of the point of sale: that of the checkout page, and what is its own. Narrow and wide, light and dark, on paper too. */
import { checkoutStyle } from "../page/checkoutStyle.ts";

const RULES = `
#pos{max-width:27rem;grid-template-columns:minmax(0,1fr);padding-top:.75rem;gap:.75rem}
#pos>header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.25rem 1rem}
.where{min-width:0;overflow-wrap:anywhere;line-height:1.3}
.where strong{display:block}
.where span{color:var(--ink-2);font-size:.875rem}
nav{display:flex;gap:.25rem}
nav a,nav button{display:flex;align-items:center;width:auto;min-height:2.75rem;padding:.25rem .75rem;border:1px solid transparent;border-radius:.75rem;background:none;color:var(--mark);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
nav a:hover,nav button:hover{background:var(--soft)}
.card{background:var(--card);border:1px solid var(--line);border-radius:1.25rem;padding:1rem}
.stack{display:grid;gap:1rem}
label,legend{color:var(--ink-2);font-size:.875rem}
fieldset{margin:0;padding:0;border:0;min-width:0}
legend{padding:0;margin-bottom:.25rem}
input{width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--ink-2);border-radius:.75rem;background:var(--card);color:var(--ink);font:inherit}
.words label{display:grid;gap:.25rem}
.problem{padding:.625rem .75rem;border:1px solid var(--bad);border-radius:.75rem;color:var(--bad)}
.problem:empty{display:none}
#ring{display:grid;gap:.75rem}
.entry{display:grid;gap:.5rem}
.entry>div{display:flex;align-items:center;justify-content:space-between;gap:.75rem}
#amount{min-height:3.5rem;padding:.25rem .75rem;font-size:2rem;font-weight:600;text-align:end;font-variant-numeric:tabular-nums}
#about,#rate{color:var(--ink-2);font-size:.875rem;text-align:end;font-variant-numeric:tabular-nums}
#about:empty,#rate:empty{display:none}
.choices{display:flex;flex-wrap:wrap;gap:.5rem}
.choices label{position:relative;flex:1 1 auto;color:var(--ink);font-size:1rem}
.choices input{position:absolute;inset:0;min-height:0;height:100%;margin:0;opacity:0;cursor:pointer}
.choices span{display:flex;align-items:center;justify-content:center;min-height:2.75rem;min-width:3rem;padding:.25rem .625rem;border:1px solid var(--line);border-radius:.75rem;background:var(--card)}
.choices input:checked+span{border-color:var(--mark);background:var(--mark);color:var(--card);font-weight:600}
.choices input:focus-visible+span{outline:3px solid var(--mark);outline-offset:2px}
.units label{flex:0 1 auto}
.keys{display:grid;grid-template-columns:repeat(3,1fr);gap:.5rem}
.keys button{min-height:3rem;padding:.25rem;border-color:var(--line);background:var(--card);color:var(--ink);font-size:1.375rem;font-variant-numeric:tabular-nums;touch-action:manipulation}
.keys button:active{background:var(--soft)}
.keys svg{width:1.5rem;height:1.5rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.tips,.till-bar{display:grid;gap:.5rem}
.till-bar{gap:.75rem}
.due{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:0 1rem}
.due dd{font-size:1.375rem;font-weight:600;font-variant-numeric:tabular-nums}
button:disabled{opacity:.6;cursor:default}
#customer main{padding-bottom:.75rem}
#customer .copies,#customer .by-copy,#customer .how>p:has(.button),#customer .actions,#customer dl:has(#address) dt:has(+dd #address),#customer dd:has(#address){display:none}
#customer .qr{width:min(100%,20rem)}
#customer>div{max-width:27rem;margin:0 auto;padding:0 1rem 2rem;display:grid;gap:.75rem}
.takings{display:grid;gap:.25rem}
.takings strong{font-size:1.75rem;line-height:1.2;font-variant-numeric:tabular-nums}
.takings p,.zone{color:var(--ink-2);font-size:.875rem}
h2{margin:0;font-size:1.125rem}
.days{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;justify-content:space-between}
.days .button{width:auto}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
thead th{color:var(--ink-2);font-size:.875rem;font-weight:400}
tbody th{font-weight:400}
tbody tr:last-child>*{border-bottom:0}
.sum{text-align:end;white-space:nowrap}
th:last-child,td:last-child{padding-inline-end:0}
td small{display:block;color:var(--ink-2)}
td a{display:inline-flex;align-items:center;min-width:2.75rem;min-height:2.75rem;margin:-.625rem 0;color:var(--mark)}
.second.button{border-color:var(--line);background:var(--card);color:var(--ink)}
@media (max-width:29.99rem){
nav{gap:0;margin-inline-end:-.5rem}
nav a,nav button{padding-inline:.5rem;font-size:.9375rem}
.choices{gap:.375rem}
.tips span{min-width:2.75rem;padding-inline:.25rem;font-size:.9375rem}
.lines thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.lines tbody,.lines{display:block}
.lines tr{display:grid;grid-template-columns:auto 1fr;gap:.125rem 1rem;padding:.625rem 0;border-bottom:1px solid var(--line)}
.lines tr:last-child{border-bottom:0}
.lines th,.lines td{padding:0;border:0}
.lines th{grid-column:1/-1;font-weight:600}
.lines td:nth-child(2):not([data-of]){text-align:end}
.lines [data-of]{grid-column:1/-1;display:grid;grid-template-columns:auto 1fr;gap:0 1rem;white-space:normal}
.lines [data-of]:before{content:attr(data-of);color:var(--ink-2);font-size:.875rem}
.lines small{grid-column:2}
}
@media (max-width:47.99rem){
html:has(#ring){scroll-padding-bottom:9rem}
.till-bar{position:sticky;bottom:0;margin:0 -1rem -1rem;padding:.75rem 1rem;border-top:1px solid var(--line);background:var(--paper)}
}
@media (min-width:48rem){
nav{margin-inline-end:-.75rem}
#pos{max-width:56rem;padding-top:1.5rem}
#pos.narrow{max-width:26rem}
#ring{grid-template-columns:1fr 1fr;align-items:start;gap:1.25rem}
#customer main:has(.pay){max-width:48rem}
#customer .how{align-self:center}
#customer #due{font-size:2rem;line-height:1.2}
#customer>div{max-width:30rem}
#customer:has(.pay)>div{max-width:48rem}
.keys button{min-height:3.75rem}
}
@media print{nav,.days,.download{display:none!important}.card{border:0;padding:0}}
`;

/** The sheet. */
export function posStyle(): string {
  return `${checkoutStyle({ scheme: "auto", accent: null })}${RULES}`;
}
