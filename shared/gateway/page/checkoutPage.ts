/** The checkout page and the pages that stand in its place: whole documents, the same in Node and on Workers. */
import type { CheckoutLook } from "../checkoutRecordOf.ts";
import { checkoutBody, signOf, type CheckoutPlace } from "./checkoutBody.ts";
import { checkoutState, isFinal, type Checkout } from "./checkoutState.ts";
import { checkoutStyle } from "./checkoutStyle.ts";
import { filled, markup } from "./markup.ts";
import { NO_ICON, pageDocument, scriptOf, type DocumentFrame } from "./pageDocument.ts";
import type { PageLanguage } from "./pageLanguage.ts";

/** What a page needs beside its content. */
export type PageFrame = DocumentFrame & { readonly language: PageLanguage };

/** Why there is no checkout to show. */
export type PageProblem = "missing" | "busy" | "fault";

/** Seconds after which a browser without script loads the page again. */
const RELOAD_S = 10;
const PLAIN: CheckoutLook["theme"] = { scheme: "auto", accent: null };

/** Renders the page of an invoice. */
export function checkoutPage(checkout: Checkout, frame: PageFrame, place: CheckoutPlace): string {
  const { language } = frame;
  const { title } = checkoutState(checkout, language);
  const store = checkout.storeName;
  const name =
    store === "" ? markup`${title}` : filled(language.messages.title, { state: title, store });
  const head = markup`${NO_ICON}
${isFinal(checkout) ? null : markup`<noscript><meta http-equiv="refresh" content="${RELOAD_S}"></noscript>`}
${scriptOf(frame)}`;
  const body = checkoutBody(checkout, language, place);
  return pageDocument({ name, head, body, style: checkoutStyle(checkout.theme) }, frame);
}

/** Renders a page that says why there is none. */
export function problemPage(problem: PageProblem, frame: PageFrame): string {
  const { messages } = frame.language;
  const [title, text] = {
    missing: [messages.missingTitle, messages.missingText],
    busy: [messages.busyTitle, messages.busyText],
    fault: [messages.faultTitle, messages.faultText],
  }[problem];
  const body = markup`<main class="over"><section id="state">
${signOf("over")}
<h1>${title}</h1>
<p>${text}</p>
</section></main>`;
  const style = checkoutStyle(PLAIN);
  return pageDocument({ name: markup`${title}`, head: NO_ICON, body, style }, frame);
}
