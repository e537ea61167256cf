/** Routes of the checkout page (gateway sheet 7.4): the page itself, its form for more time, and the files that go with it. */
import { Hono, type Context } from "hono";
import { SvcError } from "../../base/svcError.ts";
import { GATEWAY_ROUTES, type GatewayRouteName } from "../../protocol/gateway/gatewayRoutes.ts";
import { checkoutOf, findInvoice, merchantOf, type CheckoutSource } from "../findCheckout.ts";
import type { ClaimSource } from "../findClaim.ts";
import type { GatewayHandlers } from "../gatewayHandlers.ts";
import { requireOwnOrigin } from "../till/ownOrigin.ts";
import {
  CHECKOUT_ASSETS,
  PAGE_SCRIPT,
  POS_SCRIPT,
  pageScriptOf,
  type CheckoutAssets,
} from "./checkoutAssets.ts";
import { checkoutPage, problemPage, type PageProblem } from "./checkoutPage.ts";
import { frameOriginsOf, pageHeaders } from "./pageHeaders.ts";
import { answerOrPage, countedPath, frameOf, type PageEnv, type PageHost } from "./pageHost.ts";

/** What the pages are made from. */
export type CheckoutPagesParts = CheckoutSource & {
  /** Gives more time, as the API does. */
  readonly topUp: GatewayHandlers["topUpCheckout"];
  /** What the pages of claims are made from. */
  readonly claims: ClaimSource;
  readonly assets: CheckoutAssets;
  /** Whether the host serves the row `checkoutSocket`. */
  readonly hasSocket: boolean;
};

const KEPT = "public, max-age=31536000, immutable";

/** Makes them. */
export function checkoutPages(parts: CheckoutPagesParts, host: PageHost): Hono<PageEnv> {
  const pages = new Hono<PageEnv>();
  const script = pageScriptOf(parts.assets);
  pages.get(`${CHECKOUT_ASSETS}:name`, (c) => assetOf(c, parts.assets));
  pages.get("/checkout/:id", (c) =>
    shown(c, script, host, async () => {
      const invoice = await findInvoice(await idOf(c, "checkout", host), parts);
      const [checkout, merchant] = await Promise.all([
        checkoutOf(invoice, parts),
        merchantOf(invoice, parts),
      ]);
      const frameOrigins = frameOriginsOf(merchant.frameOrigins);
      const frame = { ...frameOf(c, host, checkout.language), script };
      const { hasSocket } = parts;
      return c.body(checkoutPage(checkout, frame, { frameOrigins, hasSocket }), 200, {
        ...pageHeaders(frame.nonce, frameOrigins),
      });
    }),
  );
  pages.post("/checkout/:id/topup", (c) =>
    shown(c, script, host, async () => {
      requireOwnOrigin(c);
      const id = await idOf(c, "topUpCheckout", host);
      const call = { params: { id }, query: {}, body: null, request: null };
      await parts.topUp({ ...call, signal: host.stopped }).catch((error: unknown) => {
        // Somebody asked before, or it was paid meanwhile: the page says which.
        if (!SvcError.is(error, "gateway/wrong-state")) throw error;
      });
      return c.redirect(`/checkout/${id}`, 303);
    }),
  );
  return pages;
}

/** The id of a request that is within its caller's limits. Rejects with `gateway/no-invoice`, `http/too-many-requests`. */
function idOf(c: Context, name: GatewayRouteName, host: PageHost): Promise<string> {
  const { params } = GATEWAY_ROUTES.checkout;
  return countedPath(c, host, {
    name,
    params,
    idOf: ({ id }) => id,
    missing: "gateway/no-invoice",
  });
}

/** An answer, or the page that says why there is none. */
function shown(
  c: Context<PageEnv>,
  script: string | null,
  host: PageHost,
  answer: () => Promise<Response>,
): Promise<Response> {
  return answerOrPage(c, host, answer, (status) => {
    const frame = { ...frameOf(c, host, null), script };
    return { page: problemPage(problemOf(status), frame), headers: pageHeaders(frame.nonce, []) };
  });
}

function problemOf(status: number): PageProblem {
  if (status === 404) return "missing";
  return status === 429 ? "busy" : "fault";
}

/** A file by its name; the page's script stays for ever what it is. Throws `http/not-found`. */
function assetOf(c: Context, assets: CheckoutAssets): Response {
  const name = c.req.param("name") ?? "";
  const text = assets.get(name);
  if (text === undefined) throw new SvcError("http/not-found", { path: CHECKOUT_ASSETS });
  const isHashed = PAGE_SCRIPT.test(name) || POS_SCRIPT.test(name);
  const type = name.endsWith(".js") ? "text/javascript" : "text/plain";
  return c.body(text, 200, {
    "Content-Type": `${type}; charset=utf-8`,
    "Cache-Control": isHashed ? KEPT : "no-cache",
    "Cross-Origin-Resource-Policy": "same-origin",
  });
}
