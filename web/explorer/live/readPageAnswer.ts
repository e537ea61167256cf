/** An answer of the REST interface as a document of a page. */
import type { PageDocument } from "@svc/shared/explorer/pageRenderer.ts";

/** Reads it to its end. `nowMs`: Unix ms. Rejects when the connection fails. */
export async function readPageAnswer(response: Response, nowMs: number): Promise<PageDocument> {
  return {
    status: response.status,
    body: await response.text(),
    asOfMs: asOfMs(response.headers, nowMs),
    isStale: response.headers.get("x-stale") === "1",
  };
}

/** When the answer was true: a server that keeps answers says so, and a cache on the way says how old its copy is. */
function asOfMs(headers: Headers, nowMs: number): number {
  const told = Date.parse(headers.get("x-as-of") ?? "");
  if (Number.isFinite(told)) return Math.min(told, nowMs);
  const seconds = Number(headers.get("age") ?? "0");
  return nowMs - (Number.isFinite(seconds) ? Math.max(0, seconds) * 1_000 : 0);
}
