/** Style sheet of the checkout page: light and dark, narrow and wide, on paper too. It stands in the page, allowed by the page's nonce. */
import type { CheckoutLook } from "../checkoutRecordOf.ts";

const LIGHT =
  "color-scheme:light;--paper:#f4f5f1;--card:#fff;--soft:#eceee8;--line:#d7dbd1;--ink:#14211f;--ink-2:#47554f;--accent:#0b6e5f;--accent-ink:#fff;--mark:#0b6e5f;--bad:#b3261e;--warn:#7a5000;--warn-soft:#f6e8c8";
const DARK =
  "color-scheme:dark;--paper:#0b1211;--card:#121b1a;--soft:#192422;--line:#2c3d39;--ink:#e8efec;--ink-2:#b0beb9;--accent:#4fc3a9;--accent-ink:#06201b;--mark:#4fc3a9;--bad:#ff8f83;--warn:#e3b35a;--warn-soft:#33270f";

const RULES = `
*{box-sizing:border-box}
html{background:var(--paper)}
body{margin:0;color:var(--ink);font:1rem/1.5 ui-sans-serif,system-ui,-apple-system,"Segoe UI","Noto Sans","Liberation Sans",sans-serif}
main{max-width:27rem;margin:0 auto;padding:1.25rem 1rem 2rem;display:grid;gap:1rem}
header{display:grid;gap:.25rem}
p,h1,dl,dd{margin:0}
.store{color:var(--ink-2)}
.price{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem .75rem;font-size:1.125rem;color:var(--ink-2)}
.price strong{font-size:1.75rem;line-height:1.2;color:var(--ink);font-variant-numeric:tabular-nums}
.notice{justify-self:start;margin-top:.5rem;padding:.125rem .625rem;border-radius:.5rem;background:var(--warn-soft);color:var(--warn);font-size:.875rem}
#state,#body{background:var(--card);border:1px solid var(--line);border-radius:1.25rem;padding:1.25rem}
#state{display:grid;grid-template-columns:auto 1fr;gap:.25rem .875rem}
#state>:not(.sign){grid-column:2}
#state p{color:var(--ink-2)}
h1{font-size:1.25rem;line-height:1.3}
.sign{width:1.75rem;height:1.75rem;fill:none;stroke:var(--mark);stroke-width:2;stroke-linecap:round;stroke-linejoin:round;grid-row:1}
.over .sign{stroke:var(--bad)}
.done .sign{fill:var(--mark);stroke:var(--mark)}
.done .sign path{stroke:var(--card);stroke-width:2.5}
#body{display:grid;gap:1.25rem}
#body:not(:has(>:not(.actions)),:has(.actions>*)){display:none}
.depth{display:grid;gap:.5rem;font-variant-numeric:tabular-nums}
.pay,.how{display:grid;gap:1rem}
.qr{display:block;width:min(100%,17.5rem);height:auto;aspect-ratio:1;margin:0 auto;background:#fff;border:1px solid var(--line);border-radius:.75rem}
.until{text-align:center;color:var(--ink-2)}
#timer,time{color:var(--ink);font-weight:600;font-variant-numeric:tabular-nums}
dt{color:var(--ink-2);font-size:.875rem}
dd+dt{margin-top:.75rem}
output{font-weight:600;font-variant-numeric:tabular-nums;user-select:all}
code{display:block;padding:.625rem .75rem;border-radius:.75rem;background:var(--soft);font:.875rem/1.6 ui-monospace,"SF Mono","Cascadia Mono","Roboto Mono","Liberation Mono",monospace;overflow-wrap:anywhere;user-select:all}
.sums{display:grid;gap:.5rem}
.sums div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}
.sums dt{font-size:1rem}
.sums dd{min-width:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
button,.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:2.75rem;padding:.5rem 1.25rem;border:1px solid transparent;border-radius:.75rem;background:var(--accent);color:var(--accent-ink);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.copy,.second{background:transparent;border-color:var(--line);color:var(--ink)}
.copies{display:flex;flex-wrap:wrap;gap:.5rem}
.copies button{flex:1 1 9rem;padding-inline:.5rem}
.actions{display:grid;gap:.75rem}
.actions:not(:has(*)){display:none}
.second.button{margin:0}
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;padding:0;border:0;overflow:hidden;clip-path:inset(50%)}
[hidden]{display:none!important}
progress{appearance:none;display:block;width:100%;height:.5rem;border:0;border-radius:1rem;overflow:hidden;background:var(--soft);color:var(--mark)}
progress::-webkit-progress-bar{background:var(--soft)}
progress::-webkit-progress-value{background:var(--mark);transition:width .3s}
progress::-moz-progress-bar{background:var(--mark)}
@media (min-width:48rem){
main{max-width:48rem;padding-top:3rem}
.pay{grid-template-columns:17.5rem 1fr;gap:1.75rem;align-items:start}
.until{text-align:start}
main:has(#body>:only-child),main:not(:has(.pay)){max-width:30rem}
main:has(.pay){max-width:48rem}
}
@media (prefers-reduced-motion:no-preference){
.done .sign{animation:arrive .4s ease-out}
@keyframes arrive{from{transform:scale(.6);opacity:0}}
}
@media (prefers-reduced-motion:reduce){progress::-webkit-progress-value{transition:none}}
@media print{body{background:#fff}#state,#body{border:0;padding:0}.actions,.copies{display:none}}
`;

/** The theme of pages that are no merchant's: light or dark as the browser wishes. */
export const PLAIN_THEME: CheckoutLook["theme"] = { scheme: "auto", accent: null };

/** The sheet of a merchant's page. */
export function checkoutStyle({ scheme, accent }: CheckoutLook["theme"]): string {
  const base =
    scheme === "auto"
      ? `:root{${LIGHT}}@media (prefers-color-scheme:dark){:root{${DARK}}}`
      : `:root{${scheme === "dark" ? DARK : LIGHT}}`;
  return `${base}${accentRule(accent)}${RULES}`;
}

/** Black or white text on the merchant's colour, whichever can be read: one of them always has a contrast of 4.5. */
function accentRule(accent: string | null): string {
  const [, red, green, blue] =
    /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(accent ?? "") ?? [];
  if (red === undefined || green === undefined || blue === undefined) return "";
  const [r, g, b] = [linear(red), linear(green), linear(blue)];
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return `:root{--accent:#${red}${green}${blue};--accent-ink:${luminance > 0.179 ? "#000" : "#fff"}}`;
}

function linear(hex: string): number {
  const part = Number.parseInt(hex, 16) / 255;
  return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
