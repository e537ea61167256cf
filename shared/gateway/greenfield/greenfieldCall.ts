/** A call of the BTCPay interface: its rows, and the guards in front of them (key, scope, store, rates, bounds of the body). */
import type { Context } from "hono";
import { SvcError } from "../../base/svcError.ts";
import type { GatewayRouteName } from "../../protocol/gateway/gatewayRoutes.ts";
import type { KeyScope } from "../../protocol/gateway/route.ts";
import { hashApiKey } from "../apiKey.ts";
import { countCall, type CallRates } from "../callRates.ts";
import { bodyOf, jsonOf } from "../contractCall.ts";
import type { MerchantKey, MerchantPort } from "../gatewayPorts.ts";
import type { JsonObject } from "./greenfieldMetadata.ts";

/** A call that passed the guards. */
export type GreenfieldCall = {
  readonly key: MerchantKey;
  /** A part of the path; empty for one that the path does not have. */
  readonly param: (name: string) => string;
  /** All values of a name in the query. */
  readonly query: (name: string) => readonly string[];
  /** JSON; undefined for none. Its numbers are `NumberText`. */
  readonly body: unknown;
};

/** A row of the interface. */
export type GreenfieldRow = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** As Hono writes it, below `/api/v1`. */
  readonly path: string;
  readonly scope: KeyScope | "any";
  /** The row of the gateway's own API whose rate it shares. */
  readonly rate: GatewayRouteName;
  readonly answer: (call: GreenfieldCall) => Promise<JsonObject | readonly unknown[] | string>;
};

/** What the host of the interface gives to each request. */
export type GreenfieldHost = {
  readonly merchants: Pick<MerchantPort, "keyOf">;
  /** Null for a gateway without limits. */
  readonly rates: CallRates | null;
  readonly callerOf: (c: Context) => string;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly onError: (error: SvcError, requestId: string) => void;
};

const TOKEN = /^token ([\x21-\x7e]{1,255})$/i;

/**
 * Reads a call of a row. Rejects with `gateway/bad-key`, `gateway/scope`, `http/…`, `api/…`, `codec/…`, and with `gateway/no-merchant` for
 * a store that is not the key's: whether there is one of that name is not told.
 */
export async function greenfieldCall(
  c: Context,
  row: GreenfieldRow,
  { merchants, rates }: Pick<GreenfieldHost, "merchants" | "rates">,
): Promise<GreenfieldCall> {
  const text = TOKEN.exec(c.req.header("authorization") ?? "")?.[1];
  const key = text === undefined ? null : await merchants.keyOf(await hashApiKey(text));
  if (key === null) throw new SvcError("gateway/bad-key", {});
  await countCall(c, rates, { name: row.rate, merchant: key.merchant.id, who: key.keyId });
  const store = c.req.param("storeId");
  if (store !== undefined && store !== key.merchant.id) {
    throw new SvcError("gateway/no-merchant", { merchant: "" });
  }
  if (row.scope !== "any" && !key.scopes.includes(row.scope)) {
    throw new SvcError("gateway/scope", { needed: row.scope });
  }
  return {
    key,
    param: (name) => c.req.param(name) ?? "",
    query: (name) => [...(c.req.queries(name) ?? []), ...(c.req.queries(`${name}[]`) ?? [])],
    body: jsonOf(c, await bodyOf(c)),
  };
}
