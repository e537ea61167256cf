/** The claim page of a refund: a payer gives the address and follows the state of the refund. It has no script. */
import type { Claim } from "../findClaim.ts";
import { signOf } from "./checkoutBody.ts";
import { checkoutStyle, PLAIN_THEME } from "./checkoutStyle.ts";
import { claimState, type ClaimState } from "./claimState.ts";
import { filled, markup, type Markup } from "./markup.ts";
import type { ClaimMessages } from "./messages/claimMessages.ts";
import { ENGLISH_CLAIM } from "./messages/englishClaimMessages.ts";
import { GERMAN_CLAIM } from "./messages/germanClaimMessages.ts";
import { SPANISH_CLAIM } from "./messages/spanishClaimMessages.ts";
import { NO_ICON, pageDocument } from "./pageDocument.ts";
import type { PageLanguage } from "./pageLanguage.ts";
import { coinsText, isoTime, timeText } from "./pageNumbers.ts";

/** What the page shows beside the record. */
export type ClaimView = {
  /** The claim, which its form is sent to. */
  readonly id: string;
  /** Whether coins of the network have a value. */
  readonly livemode: boolean;
  /** Whether the payer asked to change the address that he gave. */
  readonly isChanging: boolean;
  /** What was typed and refused, and why; null for nothing. */
  readonly refused: { readonly typed: string; readonly sentence: string } | null;
};

/** What the document needs: its language, and what allows its style. */
export type ClaimFrame = { readonly language: PageLanguage; readonly nonce: string };

/** Seconds after which a page that waits for the shop or the network loads itself again. */
const RELOAD_S = 60;

const STYLE = `
form{display:grid;gap:.5rem}
label{font-weight:600}
input{width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--ink-2);border-radius:.75rem;background:var(--card);color:var(--ink);font:1rem/1.5 ui-monospace,"SF Mono","Cascadia Mono","Roboto Mono","Liberation Mono",monospace}
input[aria-invalid]{border:2px solid var(--bad)}
form p{color:var(--ink-2);font-size:.875rem}
form .wrong{color:var(--bad);font-size:1rem;font-weight:600}
form button{margin-top:.5rem}
main,#state>*{min-width:0;overflow-wrap:anywhere}
#body .until{text-align:start}
`;

const MESSAGES: Readonly<Record<PageLanguage["tag"], ClaimMessages>> = {
  en: ENGLISH_CLAIM,
  de: GERMAN_CLAIM,
  es: SPANISH_CLAIM,
};

/** What the page says in a language. */
export function claimMessages({ tag }: Pick<PageLanguage, "tag">): ClaimMessages {
  return MESSAGES[tag];
}

/** Renders it. */
export function claimPage(claim: Claim, view: ClaimView, frame: ClaimFrame): string {
  const { language } = frame;
  const messages = claimMessages(language);
  const state = claimState(claim, view.isChanging || view.refused !== null, messages);
  const { title } = state;
  const isWrong = state.hasForm && view.refused !== null;
  const name = isWrong ? filled(messages.wrongTitle, { title }) : markup`${title}`;
  // Nothing loads itself again while somebody types into it.
  const reload = state.isWaiting && !state.hasForm;
  const head = markup`${NO_ICON}
${reload ? markup`<meta http-equiv="refresh" content="${RELOAD_S}">` : null}`;
  const body = bodyOf(claim, state, view, language);
  const style = `${checkoutStyle(PLAIN_THEME)}${STYLE}`;
  return pageDocument({ name, head, body, style }, frame);
}

function bodyOf(claim: Claim, state: ClaimState, view: ClaimView, language: PageLanguage): Markup {
  const messages = claimMessages(language);
  const store = claim.storeName;
  return markup`<main id="claim" class="${state.tone}">
<header>
${store === "" ? null : markup`<p class="store">${filled(messages.from, { store })}</p>`}
<p class="price"><strong>${coinsText(BigInt(claim.amountSompi), language)}</strong></p>
${view.livemode ? null : markup`<p class="notice">${language.messages.testNetwork}</p>`}
</header>
<section id="state">
${signOf(state.tone)}
<h1>${state.title}</h1>
<p>${state.text}</p>
</section>
<div id="body">
${claim.address === null ? null : markup`<dl><dt>${messages.address}</dt><dd><code id="given">${claim.address}</code></dd></dl>`}
${state.isOpen ? untilOf(claim, language) : null}
${state.hasForm ? formPart(view, messages) : null}
${actionsOf(claim, state, view, messages)}
</div>
</main>`;
}

function untilOf({ expiresAt }: Claim, language: PageLanguage): Markup {
  const { until } = claimMessages(language);
  return markup`<p class="until">${until} <time datetime="${isoTime(expiresAt)}">${timeText(expiresAt, language)}</time></p>`;
}

function formPart({ id, refused }: ClaimView, messages: ClaimMessages): Markup {
  const described = refused === null ? "hint" : "wrong hint";
  // The registry's sentences are in English alone.
  const wrong =
    refused === null
      ? null
      : markup`<p id="wrong" class="wrong" role="alert" lang="en">${refused.sentence}</p>`;
  const invalid = refused === null ? null : markup` aria-invalid="true" autofocus`;
  return markup`<p>${messages.steps}</p>
<form method="post" action="/claim/${id}" autocomplete="off">
<label for="address">${messages.field}</label>
${wrong}
<input id="address" name="address" type="text" inputmode="text" autocomplete="off" autocapitalize="none" spellcheck="false" required aria-describedby="${described}"${invalid} value="${refused?.typed ?? ""}">
<p id="hint">${messages.hint}</p>
<button>${messages.give}</button>
</form>`;
}

/** Links, so that the page that waits can load itself again, and the one with the field does not. */
function actionsOf(
  { address }: Claim,
  { isOpen, hasForm }: ClaimState,
  { id }: ClaimView,
  messages: ClaimMessages,
): Markup | null {
  if (!isOpen || address === null) return null;
  const [query, label] = hasForm ? ["", messages.keep] : ["?change", messages.change];
  return markup`<div class="actions"><a class="second button" href="/claim/${id}${query}">${label}</a></div>`;
}
