/**
 * Routes of the point of sale's pages. A page with anything of a till needs its cookie; what has none is the page for signing in. A browser
 * keeps nothing of them but the page that it shows without a connection.
 */
import { Hono, type Context } from "hono";
import * as v from "valibot";
import { encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { gatewayRefusalOf } from "../../protocol/gateway/gatewayRefusal.ts";
import { GATEWAY_ROUTES } from "../../protocol/gateway/gatewayRoutes.ts";
import type { InvoicePort } from "../gatewayPorts.ts";
import type { RecordPlace } from "../invoiceRecordOf.ts";
import {
  pageScriptOf,
  POS_SCRIPT,
  POS_WORKER,
  type CheckoutAssets,
} from "../page/checkoutAssets.ts";
import { problemPage, type PageProblem } from "../page/checkoutPage.ts";
import { countCall, countStranger } from "../callRates.ts";
import { pageHeaders } from "../page/pageHeaders.ts";
import type { PageHost } from "../page/pageHost.ts";
import type { PricePort } from "../pricePort.ts";
import { dayClose } from "../till/dayClose.ts";
import { sessionOf, type RequestSession, type TillGate } from "../till/tillOfRequest.ts";
import { tillRecordOf } from "../till/tillRecordOf.ts";
import { closePage } from "./closePage.ts";
import type { PosFrame } from "./posDocument.ts";
import { posLanguage } from "./posLanguage.ts";
import {
  POS_ICON,
  POS_ICON_TEXT,
  POS_MANIFEST,
  POS_OFFLINE,
  POS_PATH,
  POS_WORKER_PATH,
  posManifest,
} from "./posManifest.ts";
import { offlinePage, signInPage, tillPage } from "./posPage.ts";

/** What the pages are made from. */
export type PosPagesParts = TillGate & {
  readonly invoices: Pick<InvoicePort, "list">;
  readonly prices: PricePort;
  readonly place: () => RecordPlace;
  readonly assets: CheckoutAssets;
};

/** The context of a request. */
type Env = { Variables: { requestId: string } };

/** A page that was made for a request. */
type MadePage = { readonly page: string; readonly frame: PosFrame };

const NONCE_BYTES = 16;
/** Beside what a checkout page may load: manifest, service worker and sign of its own server. */
const MORE = { "img-src": "data: 'self'", "manifest-src": "'self'", "worker-src": "'self'" };
const REFRESHED = { "Cache-Control": "no-cache", "Cross-Origin-Resource-Policy": "same-origin" };

/** Makes them. */
export function posPages(parts: PosPagesParts, host: PageHost): Hono<Env> {
  const pages = new Hono<Env>();
  const script = pageScriptOf(parts.assets, POS_SCRIPT);
  const frameOf = (c: Context): PosFrame => {
    const language = posLanguage(c.req.header("accept-language"));
    return { language, nonce: encodeHex(host.randomBytes(NONCE_BYTES)), script };
  };
  const shown = async (c: Context<Env>, make: (frame: PosFrame) => Promise<string | null>) => {
    const frame = frameOf(c);
    try {
      const page = await make(frame);
      return page === null ? c.redirect(POS_PATH, 303) : answered({ page, frame }, 200);
    } catch (thrown) {
      return problem(c, SvcError.from(thrown), frame, host);
    }
  };
  pages.get(POS_PATH, (c) =>
    shown(c, async (frame) => {
      const session = await tillIn(c, "till", parts, host);
      if (session === null) return signInPage(frame);
      return tillPage(await tillRecordOf(session, recordParts(parts)), frame);
    }),
  );
  pages.get(`${POS_PATH}/close`, (c) =>
    shown(c, async (frame) => {
      const session = await tillIn(c, "dayClose", parts, host);
      if (session === null) return null;
      const query = v.safeParse(GATEWAY_ROUTES.dayClose.query, c.req.query());
      const day = query.success ? (query.output.day ?? null) : null;
      const { invoices } = parts;
      const place = parts.place();
      const close = await dayClose(session.till, day, { invoices, place });
      return closePage(close, await tillRecordOf(session, recordParts(parts)), frame);
    }),
  );
  pages.get(POS_OFFLINE, (c) => shown(c, async (frame) => offlinePage(frame)));
  addFiles(pages, parts.assets);
  return pages;
}

/** What installs the point of sale; nothing in it is of a till. */
function addFiles(pages: Hono<Env>, assets: CheckoutAssets): void {
  pages.get(POS_MANIFEST, (c) => {
    const type = { "Content-Type": "application/manifest+json; charset=utf-8" };
    const manifest = posManifest(posLanguage(c.req.header("accept-language")));
    return c.body(manifest, 200, { ...REFRESHED, ...type, Vary: "Accept-Language" });
  });
  pages.get(POS_ICON, (c) =>
    c.body(POS_ICON_TEXT, 200, {
      ...REFRESHED,
      "Content-Type": "image/svg+xml",
      "Content-Security-Policy": "default-src 'none'",
    }),
  );
  pages.get(POS_WORKER_PATH, (c) => {
    const text = assets.get(POS_WORKER);
    if (text === undefined) throw new SvcError("http/not-found", { path: POS_WORKER_PATH });
    return c.body(text, 200, {
      ...REFRESHED,
      "Content-Type": "text/javascript; charset=utf-8",
      // Browsers give a worker what is below its own folder, and this page is the folder itself.
      "Service-Worker-Allowed": POS_PATH,
      "Content-Security-Policy": "default-src 'none'; connect-src 'self'",
    });
  });
}

function recordParts({ prices, place }: PosPagesParts) {
  return { prices, place: place() };
}

/** The till of a request within the limits of a row; null for a stranger, and for who comes from a page of another origin. */
async function tillIn(
  c: Context,
  name: "till" | "dayClose",
  gate: TillGate,
  host: PageHost,
): Promise<RequestSession | null> {
  const session = await sessionOf(c, gate).catch((error: unknown) => {
    if (!SvcError.is(error, "http/foreign-origin")) throw error;
    return null;
  });
  if (session === null) await countStranger(c, "checkout", host);
  else {
    const { merchant, name: who } = session.till;
    await countCall(c, host.rates, { name, merchant: merchant.id, who });
  }
  return session;
}

function answered({ page, frame }: MadePage, status: number, more = {}): Response {
  return new Response(page, {
    status,
    headers: { ...more, ...pageHeaders(frame.nonce, [], MORE), Vary: "Accept-Language" },
  });
}

function problem(c: Context<Env>, error: SvcError, frame: PosFrame, host: PageHost): Response {
  const requestId = c.get("requestId");
  host.onError(error, requestId);
  const { status, headers } = gatewayRefusalOf(error, requestId);
  const kind: PageProblem = status === 429 ? "busy" : "fault";
  return answered({ page: problemPage(kind, { ...frame, script: null }), frame }, status, headers);
}
