/** The checkout page and the pages that stand in its place: whole documents, the same in Node and on Workers. */
import type { CheckoutLook } from "../checkoutRecordOf.ts";
import { checkoutBody, signOf } from "./checkoutBody.ts";
import { checkoutState, isFinal, type Checkout } from "./checkoutState.ts";
import { checkoutStyle } from "./checkoutStyle.ts";
import { filled, markup, type Markup } from "./markup.ts";
import type { PageLanguage } from "./pageLanguage.ts";

/** What a document needs beside its content. */
export type PageFrame = {
  readonly language: PageLanguage;
  /** Allows the document's own style and script, once. */
  readonly nonce: string;
  /** Path of the page's script; null where it was not built: the page works without. */
  readonly script: string | null;
};

/** Why there is no checkout to show. */
export type PageProblem = "missing" | "busy" | "fault";

/** Seconds after which a browser without script loads the page again. */
const RELOAD_S = 10;
const PLAIN: CheckoutLook["theme"] = { scheme: "auto", accent: null };
/** Keeps browsers from asking for a picture that is not there. */
const NO_ICON = markup`<link rel="icon" href="data:,">`;

/** Renders the page of an invoice. */
export function checkoutPage(
  checkout: Checkout,
  frame: PageFrame,
  frameOrigins: readonly string[],
): string {
  const { language, nonce, script } = frame;
  const { title } = checkoutState(checkout, language);
  const store = checkout.storeName;
  const name =
    store === "" ? markup`${title}` : filled(language.messages.title, { state: title, store });
  const head = markup`${isFinal(checkout) ? null : markup`<noscript><meta http-equiv="refresh" content="${RELOAD_S}"></noscript>`}
${script === null ? null : markup`<script type="module" src="${script}" nonce="${nonce}"></script>`}`;
  const body = checkoutBody(checkout, language, frameOrigins);
  return documentOf({ name, head, body, theme: checkout.theme }, frame);
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
  return documentOf({ name: markup`${title}`, head: markup``, body, theme: PLAIN }, frame);
}

type Content = {
  readonly name: Markup;
  readonly head: Markup;
  readonly body: Markup;
  readonly theme: CheckoutLook["theme"];
};

function documentOf({ name, head, body, theme }: Content, { language, nonce }: PageFrame): string {
  // The sheet is text of this project and two checked colours: nothing in it ends its element.
  const style = `<style nonce="${nonce}">${checkoutStyle(theme)}</style>`;
  const top = markup`<!doctype html>
<html lang="${language.tag}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${name}</title>
${NO_ICON}
${head}
`;
  return `${top.toString()}${style}\n</head>\n<body>${body.toString()}</body>\n</html>\n`;
}
