/**
 * Fetching of this build's own files, with detection of a newer build. File names hold hashes of their content, so a server
 * that lacks one has another build.
 */
import { PAGE_LIMITS } from "../pageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";

/**
 * Fetches one. Rejects with `wallet/page-changed` where it is gone, with a `TypeError` when the server does not answer with
 * it.
 */
export async function ownFile(
  url: string,
  { cache = "default", withinMs }: { cache?: RequestCache; withinMs?: number } = {},
): Promise<Response> {
  const response = await fetch(url, {
    cache,
    ...(withinMs !== undefined && { signal: AbortSignal.timeout(withinMs) }),
  });
  if (response.status === 404 || response.status === 410) {
    throw new SvcError("wallet/page-changed", {});
  }
  if (!response.ok) throw new TypeError(`${url}: status ${response.status}`);
  return response;
}

/**
 * Why a worker died, from the event that says so. One whose script did not load has no words for it: then the script that
 * started it, at `starter`, is asked for; a name of a file that it starts is part of it, so both change together.
 */
export async function workerFault(event: Event, starter: string): Promise<SvcError> {
  const message = event instanceof ErrorEvent ? event.message : "";
  if (message !== "") return new SvcError("wallet/worker-failed", { reason: message });
  try {
    await ownFile(starter, { cache: "no-store", withinMs: PAGE_LIMITS.walletScriptMs });
  } catch (error) {
    if (error instanceof SvcError) return error;
  }
  return new SvcError("wallet/worker-failed", { reason: "no script" });
}
