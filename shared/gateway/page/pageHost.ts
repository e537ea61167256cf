/** What the routes of pages have in common: their host, the frame of a page, and the page that says why there is none. */
import type { Context } from "hono";
import * as v from "valibot";
import { encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { gatewayRefusalOf } from "../../protocol/gateway/gatewayRefusal.ts";
import type { GatewayRouteName } from "../../protocol/gateway/gatewayRoutes.ts";
import { countCall, type CallRates } from "../callRates.ts";
import { pageLanguage, type PageLanguage } from "./pageLanguage.ts";

/** What the host of the routes gives to each request. */
export type PageHost = {
  /** Null for a gateway without limits. */
  readonly rates: CallRates | null;
  readonly callerOf: (c: Context) => string;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly onError: (error: SvcError, requestId: string) => void;
  readonly stopped: AbortSignal;
};

/** How a path is read and counted. */
type CountedPath<S extends v.GenericSchema> = {
  readonly name: GatewayRouteName;
  readonly params: S;
  readonly idOf: (params: v.InferOutput<S>) => string;
  readonly missing: "gateway/no-claim" | "gateway/no-invoice";
};

/** The context of a request. */
export type PageEnv = { Variables: { requestId: string } };

/** A page with its headers. */
export type HeadedPage = {
  readonly page: string;
  readonly headers: Readonly<Record<string, string>>;
};

const NONCE_BYTES = 16;

/** Language and nonce of a page. `wanted` is a language tag, or null for the browser's. */
export function frameOf(
  c: Context,
  { randomBytes }: Pick<PageHost, "randomBytes">,
  wanted: string | null,
): { readonly language: PageLanguage; readonly nonce: string } {
  const language = pageLanguage(wanted, c.req.header("accept-language"));
  return { language, nonce: encodeHex(randomBytes(NONCE_BYTES)) };
}

/**
 * The path of a request that is within its caller's limits, as a row of the API counts its calls. Rejects with `missing` for a path that cannot
 * be one, and with `http/too-many-requests`.
 */
export async function countedPath<S extends v.GenericSchema>(
  c: Context,
  { rates, callerOf }: Pick<PageHost, "rates" | "callerOf">,
  { name, params, idOf, missing }: CountedPath<S>,
): Promise<string> {
  const counted = { name, merchant: null, who: callerOf(c) };
  await countCall(c, rates, counted);
  const read = v.safeParse(params, c.req.param());
  if (!read.success) throw new SvcError(missing, {});
  const id = idOf(read.output);
  await countCall(c, rates, { ...counted, about: id });
  return id;
}

/** An answer, or the page that says why there is none, by the status of the error. */
export async function answerOrPage(
  c: Context<PageEnv>,
  host: Pick<PageHost, "onError">,
  answer: () => Promise<Response>,
  pageOf: (status: number) => HeadedPage,
): Promise<Response> {
  try {
    return await answer();
  } catch (thrown) {
    const error = SvcError.from(thrown);
    const requestId = c.get("requestId");
    host.onError(error, requestId);
    const { status, headers } = gatewayRefusalOf(error, requestId);
    const made = pageOf(status);
    return new Response(made.page, { status, headers: { ...headers, ...made.headers } });
  }
}
