/** The codes that a row of the wallet API may answer: what documents of the API list. */
import type { Code } from "../../base/generated/codes.ts";
import type { RouteContract } from "../contract/routeContract.ts";
import { formCodesOf } from "../contract/routeSchemas.ts";
import type { WalletKinds } from "./route.ts";

/** What the limits of a scoped token say. */
const OF_LIMITS = [
  "wallet/payee-not-allowed",
  "wallet/day-limit",
  "wallet/approval-needed",
  "wallet/approval-full",
] as const satisfies readonly Code[];

const OF_ALL: readonly Code[] = [
  "http/foreign-host",
  "http/foreign-origin",
  "api/bad-bearer",
  "http/too-many-requests",
  "http/unavailable",
];
const OF_TOKENS: readonly Code[] = [
  "api/missing-token",
  "api/bad-token",
  "api/short-token",
  "api/unknown-token",
];

/** All codes that a row may answer: its own, and those of its credential and form. */
export function walletCodesOf(row: RouteContract<WalletKinds>): readonly Code[] {
  const hasToken = row.credential === "token" || row.credential === "token-and-custodial";
  return [
    ...new Set([
      ...row.refusals,
      ...(row.credential === "token-and-custodial" ? (["api/no-custody"] as const) : []),
      ...(hasToken ? OF_TOKENS : []),
      ...(row.scope === "any" ? [] : (["wallet/scope"] as const)),
      ...(row.takesKey || row.scope === "prepare" ? OF_LIMITS : []),
      ...formCodesOf(row),
      ...OF_ALL,
    ]),
  ];
}
