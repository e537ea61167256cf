/** The checkout page and the pages that stand in its place: whole documents, the same in Node and on Workers. */
import { checkoutBody, signOf, type CheckoutPlace } from "./checkoutBody.ts";
import { checkoutState, isFinal, type Checkout } from "./checkoutState.ts";
import { checkoutStyle, PLAIN_THEME } from "./checkoutStyle.ts";
import { filled, markup } from "./markup.ts";
import { NO_ICON, pageDocument, scriptOf, type DocumentFrame } from "./pageDocument.ts";
import type { PageLanguage } from "./pageLanguage.ts";

/** What a page needs beside its content. */
export type PageFrame = DocumentFrame & { readonly language: PageLanguage };

/** Why there is no checkout to show. */
export type PageProblem = "missing" | "busy" | "fault";

/** What such a page says. */
export type PageNotice = { readonly title: string; readonly text: string };

/** Seconds after which a browser without script loads the page again. */
const RELOAD_S = 10;

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
  const told = {
    missing: { title: messages.missingTitle, text: messages.missingText },
    busy: { title: messages.busyTitle, text: messages.busyText },
    fault: { title: messages.faultTitle, text: messages.faultText },
  }[problem];
  return noticePage(told, frame);
}

/** Renders a page of a title and a sentence. */
export function noticePage(
  { title, text }: PageNotice,
  frame: Omit<DocumentFrame, "script">,
): string {
  const body = markup`<main class="over"><section id="state">
${signOf("over")}
<h1>${title}</h1>
<p>${text}</p>
</section></main>`;
  const style = checkoutStyle(PLAIN_THEME);
  return pageDocument({ name: markup`${title}`, head: NO_ICON, body, style }, frame);
}
