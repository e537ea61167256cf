/** Routes of the page of a claim (gateway sheet 10): the page, and the form by which a payer gives an address. */
import { Hono, type Context } from "hono";
import { publicSentenceOf } from "../../base/errors.ts";
import { SvcError } from "../../base/svcError.ts";
import { ADDRESS_REFUSALS } from "../../protocol/contract/requestFields.ts";
import { GATEWAY_ROUTES } from "../../protocol/gateway/gatewayRoutes.ts";
import { formFieldsOf } from "../contractCall.ts";
import { fillClaim, findClaim, type Claim, type ClaimSource } from "../findClaim.ts";
import { requireOwnOrigin } from "../till/ownOrigin.ts";
import { noticePage, type PageNotice } from "./checkoutPage.ts";
import { claimMessages, claimPage, type ClaimView } from "./claimPage.ts";
import { pageHeaders } from "./pageHeaders.ts";
import { answerOrPage, countedPath, frameOf, type PageEnv, type PageHost } from "./pageHost.ts";
import type { PageLanguage } from "./pageLanguage.ts";

const PATH = "/claim/:claim";
/** The page has no script, and asks its server for nothing. */
const NO_SCRIPT = { "script-src": "'none'", "connect-src": "'none'" };

/** What a page is made of. */
type Shown = {
  readonly id: string;
  readonly claim: Claim;
  readonly refused: ClaimView["refused"];
};

/** Makes them. */
export function claimPages(source: ClaimSource, host: PageHost): Hono<PageEnv> {
  const pages = new Hono<PageEnv>();
  const answered = (c: Context, { id, claim, refused }: Shown): Response => {
    const frame = frameOf(c, host, null);
    const { livemode } = source.place();
    const isChanging = c.req.query("change") !== undefined;
    const page = claimPage(claim, { id, livemode, isChanging, refused }, frame);
    return c.body(page, refused === null ? 200 : 400, headersOf(frame.nonce));
  };
  pages.get(PATH, (c) =>
    shown(c, host, async () => {
      const id = await idOf(c, "claim", host);
      return answered(c, { id, claim: await findClaim(id, source), refused: null });
    }),
  );
  pages.post(PATH, (c) =>
    shown(c, host, async () => {
      requireOwnOrigin(c);
      const id = await idOf(c, "fillClaim", host);
      const typed = (await formFieldsOf(c)).get("address") ?? "";
      const refused = await given(id, typed, source);
      // A browser that loads the page again sends nothing again.
      if (refused === null) return c.redirect(`/claim/${id}`, 303);
      return answered(c, { id, claim: await findClaim(id, source), refused });
    }),
  );
  return pages;
}

/** Takes an address; what was typed and why it was refused, or null. */
async function given(
  id: string,
  typed: string,
  source: ClaimSource,
): Promise<ClaimView["refused"]> {
  try {
    await fillClaim(id, typed, source);
  } catch (error) {
    if (SvcError.is(error, ...ADDRESS_REFUSALS)) {
      return { typed, sentence: publicSentenceOf(error) };
    }
    // It was decided meanwhile, or its time is over: the page says which.
    if (!SvcError.is(error, "gateway/claim-over")) throw error;
  }
  return null;
}

/** The claim of a request that is within its caller's limits. Rejects with `gateway/no-claim`, `http/too-many-requests`. */
function idOf(c: Context, name: "claim" | "fillClaim", host: PageHost): Promise<string> {
  const { params } = GATEWAY_ROUTES.claim;
  return countedPath(c, host, {
    name,
    params,
    idOf: ({ claim }) => claim,
    missing: "gateway/no-claim",
  });
}

/** An answer, or the page that says why there is none. */
function shown(
  c: Context<PageEnv>,
  host: PageHost,
  answer: () => Promise<Response>,
): Promise<Response> {
  return answerOrPage(c, host, answer, (status) => {
    const frame = frameOf(c, host, null);
    const page = noticePage(noticeOf(status, frame.language), frame);
    return { page, headers: headersOf(frame.nonce) };
  });
}

function noticeOf(status: number, language: PageLanguage): PageNotice {
  const { messages } = language;
  const claim = claimMessages(language);
  if (status === 404) return { title: claim.missingTitle, text: claim.missingText };
  if (status === 403) return { title: claim.foreignTitle, text: claim.foreignText };
  if (status === 429) return { title: messages.busyTitle, text: messages.busyText };
  return { title: messages.faultTitle, text: messages.faultText };
}

function headersOf(nonce: string): Readonly<Record<string, string>> {
  return pageHeaders(nonce, [], NO_SCRIPT);
}
