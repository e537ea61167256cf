/**
 * How long the answer of a node may be kept. A node's word counts up to what its row allows: one lying node that says "for a day" of the tip
 * would else stand still for everybody.
 */
import {
  freshnessMost,
  MISSING_FRESHNESS,
  writtenFreshness,
} from "@svc/shared/protocol/rest/restCache.ts";
import type { RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";
import { cacheDirectives } from "./cacheDirectives.ts";
import type { RestCall } from "./restCall.ts";

/** What is kept, and the node's header. */
export type ToldAnswer = {
  readonly status: number;
  /** Checked against the row. */
  readonly bytes: Uint8Array;
  readonly cacheControl: string;
};

const OK = 200;
const NO_STORE = "no-store";

/** The header `Cache-Control` under which an answer to a call is kept and passed on. */
export function believedCacheControl(
  { name }: Pick<RestCall, "name">,
  { status, bytes, cacheControl }: ToldAnswer,
): string {
  const told = cacheDirectives(cacheControl);
  const isSettled = status === OK && (SETTLED[name]?.(documentIn(bytes)) ?? true);
  const most = status === OK ? freshnessMost(name, isSettled) : MISSING_FRESHNESS;
  if (most === null || told.has(NO_STORE)) return NO_STORE;
  const longest = told.get("max-age") ?? told.get("s-maxage") ?? 0;
  const shared = told.get("s-maxage") ?? longest;
  return writtenFreshness({
    freshS: Math.min(longest, shared, most.freshS),
    staleS: Math.min(told.get("stale-while-revalidate") ?? 0, most.staleS),
  });
}

/** Of rows whose documents may say that they are still to change: whether one says so of none of its parts. */
const SETTLED: { readonly [R in RestRouteName]?: (document: unknown) => boolean } = {
  block: (document) => isMerged(fieldOf(document, "extra")),
  blocksAt: (document) =>
    Array.isArray(document) && document.length > 0 && document.every((block) => isMerged(block)),
  transaction: (document) => JUDGED.has(fieldOf(document, "status")),
};
const JUDGED: ReadonlySet<unknown> = new Set(["applied", "dropped"]);

function isMerged(block: unknown): boolean {
  return fieldOf(block, "color") !== "none";
}

function fieldOf(document: unknown, name: string): unknown {
  return Reflect.get(Object(document), name);
}

function documentIn(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}
