/** The part of a checkout page that changes with its invoice: state, code, address, amounts, and what can be done. */
import { formatCoins } from "../../base/money.ts";
import { checkoutMark } from "./checkoutMark.ts";
import { checkoutState, isFinal, type Checkout, type CheckoutState } from "./checkoutState.ts";
import { markup, filled, type Markup } from "./markup.ts";
import type { PageLanguage } from "./pageLanguage.ts";
import { coinsText, countText, isoTime, priceText, timeText } from "./pageNumbers.ts";
import { qrPicture } from "./qrPicture.ts";

/** Where a page is shown, and how it hears of changes. */
export type CheckoutPlace = {
  /** The pages that may show it in a frame and hear of its states. */
  readonly frameOrigins: readonly string[];
  /** Whether its server offers a WebSocket, beside the event stream. */
  readonly hasSocket: boolean;
};

/** Renders it. */
export function checkoutBody(
  checkout: Checkout,
  language: PageLanguage,
  { frameOrigins, hasSocket }: CheckoutPlace,
): Markup {
  const state = checkoutState(checkout, language);
  const { messages } = language;
  const store = checkout.storeName;
  return markup`<main id="checkout" class="${state.tone}" data-id="${checkout.id}" data-status="${checkout.status}" data-final="${String(isFinal(checkout))}" data-live="${hasSocket ? "socket" : "stream"}" data-mark="${checkoutMark(checkout)}" data-server="${checkout.serverTime}" data-expires="${checkout.expiresAt}" data-payable="${String(state.isPayable)}" data-redirect="${redirectOf(checkout) ?? ""}" data-frames="${frameOrigins.join(" ")}" data-copied="${messages.copied}" data-refused="${messages.copyRefused}">
<header>
${store === "" ? null : markup`<p class="store">${filled(messages.payTo, { store })}</p>`}
<p class="price"><strong>${coinsText(BigInt(checkout.amountSompi), language)}</strong>${checkout.price === null ? null : markup` <span>${priceText(checkout.price, language)}</span>`}</p>
${checkout.livemode ? null : markup`<p class="notice">${messages.testNetwork}</p>`}
</header>
<section id="state" role="status" aria-live="polite">
${signOf(state.tone)}
<h1>${state.title}</h1>
<p>${state.text}</p>
${notesOf(checkout, language)}
</section>
<div id="body">
${checkout.status === "paid" ? progressOf(checkout, language) : null}
${state.isPayable ? payPart(checkout, language) : null}
${sums(checkout, state, language)}
${actions(checkout, language)}
</div>
<p id="said" class="unseen" role="status" aria-live="polite"></p>
</main>`;
}

/** Only an address of the web is followed, whatever was stored. */
function redirectOf({ redirectUrl }: Checkout): string | null {
  return redirectUrl !== null && /^https?:\/\//i.test(redirectUrl) ? redirectUrl : null;
}

/** The sign of a state, for eyes alone: the words beside it say the same. */
export function signOf(tone: CheckoutState["tone"]): Markup {
  const paths = {
    open: "M12 6v6l4 2",
    busy: "M12 6v6l4 2",
    done: "M7 12.5l3.5 3.5L17 9",
    over: "M12 7v6M12 16.5v.5",
  };
  return markup`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="${paths[tone]}"/></svg>`;
}

function notesOf(checkout: Checkout, language: PageLanguage): Markup | null {
  const { messages } = language;
  const isOver = checkout.status === "paid" && checkout.overpaidSompi !== "0";
  const over = coinsText(BigInt(checkout.overpaidSompi), language);
  const late = checkout.late && checkout.status !== "paidLate";
  return markup`${isOver ? markup`<p>${filled(messages.tooMuch, { over })}</p>` : null}${late ? markup`<p>${messages.wasLate}</p>` : null}`;
}

/** The script counts on. It stands beside the live region: nobody is told of each block. */
function progressOf(
  { confirmations, requiredBlueScore }: Checkout,
  language: PageLanguage,
): Markup {
  const text = filled(language.messages.confirmations, {
    count: markup`<span id="count">${countText(confirmations, language)}</span>`,
    all: countText(requiredBlueScore, language),
  });
  return markup`<div class="depth"><p id="depth">${text}</p><progress id="progress" value="${confirmations}" max="${requiredBlueScore}" aria-labelledby="depth"></progress></div>`;
}

function payPart(checkout: Checkout, language: PageLanguage): Markup {
  const { messages } = language;
  const { paymentUri, expiresAt, dueSompi, paidSompi, address } = checkout;
  const asked = paidSompi === "0" ? messages.amount : messages.due;
  return markup`<section class="pay">
<img class="qr" src="${qrPicture(paymentUri)}" alt="${filled(messages.qr, { uri: paymentUri })}" width="264" height="264">
<div class="how">
<p class="until"><span id="until">${messages.payBefore} <time datetime="${isoTime(expiresAt)}">${timeText(expiresAt, language)}</time></span><span id="left" hidden>${messages.timeLeft} <span id="timer" role="timer" aria-live="off"></span></span></p>
<p><a class="button" href="${paymentUri}">${messages.openWallet}</a></p>
<dl>
<dt>${asked}</dt><dd><output id="due">${coinsText(BigInt(dueSompi), language)}</output></dd>
<dt>${messages.address}</dt><dd><code id="address">${address}</code></dd>
</dl>
<p class="copies">${copyButton("copy-amount", formatCoins(BigInt(dueSompi)), messages.copyAmount)}${copyButton("copy-address", address, messages.copyAddress)}</p>
</div>
</section>`;
}

/** Shown by the script alone: without one the text can be selected. */
function copyButton(id: string, text: string, label: string): Markup {
  return markup`<button type="button" id="${id}" class="copy" data-copy="${text}" hidden>${label}</button>`;
}

/** What was paid, as on a receipt. */
function sums(
  checkout: Checkout,
  { isPayable }: CheckoutState,
  language: PageLanguage,
): Markup | null {
  const { messages } = language;
  const rows: [string, string][] = [];
  const add = (name: string, sompi: string): void => {
    if (sompi !== "0") rows.push([name, coinsText(BigInt(sompi), language)]);
  };
  add(messages.paid, checkout.paidSompi);
  if (!isPayable && checkout.paidSompi !== "0") add(messages.due, checkout.dueSompi);
  add(messages.over, checkout.overpaidSompi);
  if (isFinal(checkout)) rows.push([messages.invoice, checkout.id]);
  if (rows.length === 0) return null;
  return markup`<dl class="sums">${rows.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function actions(checkout: Checkout, { messages }: PageLanguage): Markup {
  const redirect = redirectOf(checkout);
  const store = checkout.storeName;
  const back = store === "" ? markup`${messages.backPlain}` : filled(messages.back, { store });
  return markup`<div class="actions">
${checkout.canTopUp ? markup`<form method="post" action="/checkout/${checkout.id}/topup"><button id="top-up">${messages.topUp}</button></form>` : null}
${redirect === null ? null : markup`<a id="back" class="button ${checkout.canTopUp ? "second" : ""}" href="${redirect}" target="_top" rel="noreferrer">${back}</a>`}
${checkout.receiptUrls.map((url, place) => receiptLink(url, place, messages))}
${isFinal(checkout) ? markup`<button type="button" id="print" class="second" hidden>${messages.print}</button>` : null}
</div>`;
}

/** A payment in several notes has a receipt for each. */
function receiptLink(url: string, place: number, messages: PageLanguage["messages"]): Markup {
  const number = place === 0 ? null : markup` ${String(place + 1)}`;
  return markup`<a class="button second" href="${url}" download>${messages.receipt}${number}</a>`;
}
