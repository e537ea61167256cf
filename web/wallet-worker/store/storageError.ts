/** Error mapping of browser storage to the error registry. */
import { SvcError } from "@svc/shared/base/svcError.ts";

/** The error of a store of the browser: `wallet/storage-full` where it gives no more room, else `wallet/storage`. */
export function storageError(error: unknown): SvcError {
  if (error instanceof SvcError) return error;
  if (error instanceof DOMException && error.name === "QuotaExceededError") {
    return new SvcError("wallet/storage-full", {}, error);
  }
  const reason = error instanceof Error ? error.message || error.name : String(error);
  return new SvcError("wallet/storage", { reason }, error);
}
