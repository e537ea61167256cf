/** The error that a refusal of the wallet daemon stands for. */
import { SvcError } from "../../base/svcError.ts";
import { apiRefusal } from "../contract/apiRefusal.ts";

/**
 * Reads the JSON of an answer with a status other than 2xx: the daemon's own error, `api/refused` for a code that this program does
 * not know, null for what is no error of the API (a proxy's page).
 */
export function walletRefusal(status: number, json: unknown): SvcError | null {
  return apiRefusal(status, json, unknownRefusal);
}

/** The error of a refusal with a code that this program does not know. */
export function unknownRefusal(status: number, reason: string): SvcError {
  return new SvcError("api/refused", { status, reason });
}
