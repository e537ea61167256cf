/** The codes that a row of the gateway API may answer: what documents of the API list. */
import type { Code } from "../../base/generated/codes.ts";
import type { RouteContract } from "../contract/routeContract.ts";
import { formCodesOf } from "../contract/routeSchemas.ts";
import type { GatewayKinds } from "./route.ts";

const OF_KEYS: readonly Code[] = ["gateway/idempotency-conflict", "gateway/in-flight"];
/** A page of another origin has no say in what a browser with a cookie does. */
const OF_PAGES: readonly Code[] = ["http/foreign-origin"];
const OF_ALL: readonly Code[] = ["http/too-many-requests", "http/unavailable"];

/** All codes that a row may answer: its own, and those of its credential and form. */
export function gatewayCodesOf(row: RouteContract<GatewayKinds>): readonly Code[] {
  return [
    ...new Set([
      ...row.refusals,
      ...(row.credential === "key" ? (["gateway/bad-key"] as const) : []),
      ...(row.credential === "till" ? (["gateway/no-session"] as const) : []),
      ...(row.credential === "till" || row.credential === "password" ? OF_PAGES : []),
      ...(row.scope === "any" ? [] : (["gateway/scope"] as const)),
      ...(row.takesKey ? OF_KEYS : []),
      ...formCodesOf(row),
      ...OF_ALL,
    ]),
  ];
}
