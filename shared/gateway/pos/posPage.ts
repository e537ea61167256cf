/** Pages of the point of sale: signing in, ringing up, and the one that is shown without a connection. */
import { filled, markup, type Markup } from "../page/markup.ts";
import type { TillRecord } from "../till/tillRecordOf.ts";
import { posDocument, type PosFrame } from "./posDocument.ts";
import type { PosLanguage } from "./posLanguage.ts";
import { POS_PATH } from "./posManifest.ts";
import type { TillData } from "./posTexts.ts";

/** Where a person signs in. Without script the form goes nowhere, and its password into no address. */
export function signInPage(frame: PosFrame): string {
  const { pos } = frame.language;
  const body = markup`<header><h1>${pos.signInTitle}</h1></header>
<noscript><p class="problem">${pos.needsScript}</p></noscript>
<form id="sign-in" class="card stack words" method="post" action="${POS_PATH}">
<p class="zone">${pos.signInText}</p>
<label>${pos.tillName}<input name="till" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false" required maxlength="32"></label>
<label>${pos.password}<input name="password" type="password" autocomplete="current-password" required maxlength="128"></label>
<p id="problem" class="problem" role="alert"></p>
<button>${pos.signIn}</button>
</form>`;
  return posDocument({ title: markup`${pos.appName}`, view: "sign-in", data: null, body }, frame);
}

/** Where a till that is signed in rings up. */
export function tillPage(till: TillRecord, frame: PosFrame): string {
  const { language } = frame;
  const { pos } = language;
  const body = markup`${tillHeader(till, language, "close")}
<h1 class="unseen">${pos.ring}</h1>
<noscript><p class="problem">${pos.needsScript}</p></noscript>
${till.livemode ? null : markup`<p class="notice">${pos.testNetwork}</p>`}
<form id="ring" novalidate>
<div class="stack">
<div class="card entry">
<div><label for="amount">${pos.amount}</label>${unitChoice(till, language)}</div>
<input id="amount" inputmode="none" autocomplete="off" enterkeyhint="go" aria-describedby="about rate">
<p id="about"></p>
<p id="rate"></p>
</div>
${keypad(language)}
</div>
<div class="stack">
${tipChoice(till, language)}
<div class="till-bar">
<dl class="due"><dt>${pos.toPay}</dt><dd id="to-pay"></dd></dl>
<p id="problem" class="problem" role="alert"></p>
<button id="charge">${pos.charge}</button>
</div>
</div>
</form>`;
  const beside = markup`<div id="customer" hidden><div><p id="sale-problem" class="problem" role="alert"></p><button type="button" id="new-sale">${pos.newSale}</button></div></div>`;
  const title = filled(pos.title, { store: till.storeName });
  const { currency, timeZone, rate } = till;
  const data: TillData = { currency, timeZone, rate };
  return posDocument({ title, view: "till", data, body, beside }, frame);
}

/**
 * What is shown without a connection, at the address that was asked for. A browser keeps it: it tells of nobody. Its one script, which is in the
 * page since nothing else is kept, asks for that address again, the sale in its fragment with it; the link alone would drop it.
 */
export function offlinePage(frame: PosFrame): string {
  const { pos } = frame.language;
  const body = markup`<section class="card stack">
<h1>${pos.offlineTitle}</h1>
<p>${pos.offlineText}</p>
<a id="again" class="button" href="${POS_PATH}">${pos.again}</a>
</section>
<script nonce="${frame.nonce}">document.getElementById("again").onclick = () => (location.reload(), false)</script>`;
  const title = markup`${pos.offlineTitle}`;
  return posDocument({ title, view: "offline", data: null, body }, { ...frame, script: null });
}

/** Whose till it is, and where one can go. */
export function tillHeader(
  { name, storeName }: Pick<TillRecord, "name" | "storeName">,
  { pos }: PosLanguage,
  to: "close" | "till",
): Markup {
  const way =
    to === "close"
      ? markup`<a href="${POS_PATH}/close">${pos.close}</a>`
      : markup`<a href="${POS_PATH}">${pos.toTill}</a>`;
  return markup`<header><p class="where"><strong>${storeName}</strong><span>${filled(pos.till, { till: name })}</span></p>
<nav>${way}<button type="button" id="sign-out">${pos.signOut}</button></nav></header>`;
}

/** A till without a currency rings up in coins. */
function unitChoice({ currency }: TillRecord, { pos }: PosLanguage): Markup {
  if (currency === null) return markup`<span>${pos.coins}</span>`;
  return markup`<fieldset><legend class="unseen">${pos.unit}</legend><div class="choices units">
<label><input type="radio" name="unit" value="currency" checked><span>${currency}</span></label>
<label><input type="radio" name="unit" value="coins"><span>${pos.coins}</span></label>
</div></fieldset>`;
}

function keypad({ pos }: PosLanguage): Markup {
  const digit = (key: string): Markup =>
    markup`<button type="button" data-key="${key}">${key}</button>`;
  const erase = markup`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9 5h11v14H9l-6-7zM12 9.500l5 5M17 9.500l-5 5"/></svg>`;
  return markup`<div class="keys" role="group" aria-label="${pos.keypad}">
${["1", "2", "3", "4", "5", "6", "7", "8", "9"].map(digit)}
<button type="button" data-key="." aria-label="${pos.decimalPoint}">.</button>
${digit("0")}
<button type="button" data-key="back" aria-label="${pos.deleteLast}">${erase}</button>
</div>`;
}

function tipChoice({ tips }: TillRecord, { pos }: PosLanguage): Markup {
  const choices = tips.map(
    (tip) =>
      markup`<label><input type="radio" name="tip" value="${tip}"><span>${tip}\u00a0%</span></label>`,
  );
  return markup`<fieldset class="card tips"><legend class="unseen">${pos.tip}</legend>
<p class="zone" aria-hidden="true">${pos.tip}</p>
<div class="choices">
<label><input type="radio" name="tip" value="0" checked><span>${pos.noTip}</span></label>
${choices}
<label><input type="radio" name="tip" value="own"><span>${pos.ownTip}</span></label>
</div>
<label id="own-tip" hidden>${pos.tipAmount}<input id="tip" inputmode="decimal" autocomplete="off"></label>
</fieldset>`;
}
