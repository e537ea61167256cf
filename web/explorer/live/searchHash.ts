/** Search for a hash without showing it: asks for the bucket of its first bits and looks in it (docs/privacy.md). */
import {
  bucketBits,
  bucketPath,
  candidatesIn,
  CANDIDATES_LEAST,
  findInBucket,
  type BucketEntry,
} from "@svc/shared/explorer/searchBucket.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";

/** What came of a search. */
export type HashSearch =
  | { readonly kind: "found"; readonly entries: readonly BucketEntry[] }
  /** The index does not hold it, which says nothing of what the index does not cover. */
  | { readonly kind: "not-found" }
  /** There is no index, it does not answer, or it answers with a bucket that is too small to hide in. */
  | { readonly kind: "unanswered" };

/** What the search uses of the browser. */
export type SearchParts = {
  readonly apiBase: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
};

/** Searches. Rejects when the connection fails or the signal fires. */
export async function searchHash(hash: string, parts: SearchParts): Promise<HashSearch> {
  const index = await ask("/info/index", parts);
  const hashes = index?.["hashes"];
  if (typeof hashes !== "number") return { kind: "unanswered" };
  const bits = bucketBits(hashes);
  const bucket = await ask(bucketPath(hash, bits), parts);
  const entries = bucket?.["entries"];
  if (typeof entries !== "string") return { kind: "unanswered" };
  // Who said that there are more hashes than there are is not believed about this one either.
  if (bits > 0 && candidatesIn(entries, hash, bits) < CANDIDATES_LEAST) {
    return { kind: "unanswered" };
  }
  const found = findInBucket(entries, hash);
  return found.length === 0 ? { kind: "not-found" } : { kind: "found", entries: found };
}

async function ask(
  path: string,
  { apiBase, fetch, signal }: SearchParts,
): Promise<Readonly<Record<string, unknown>> | null> {
  const bound = AbortSignal.timeout(PAGE_LIMITS.explorerAnswerMs);
  const response = await fetch(`${apiBase}${path}`, {
    credentials: "omit",
    signal: AbortSignal.any([signal, bound]),
  });
  if (!response.ok) return null;
  const body: unknown = await response.json();
  return typeof body === "object" && body !== null ? { ...body } : null;
}
