/** What an answer of a daemon with a status other than 2xx means to a device: refused, or not answered at all. */
import { SvcError } from "../base/svcError.ts";
import { walletRefusal } from "../protocol/wallet/walletRefusal.ts";
import { parseExactJson } from "./wire/exactJson.ts";

/**
 * The error for an implementation of `WalletDaemon` to reject with. It has the daemon's code where the daemon refused the call, and
 * `api/bad-answer` where something in between answered. A device takes the first for an end and the second for no answer.
 */
export function daemonRefusal(status: number, text: string): SvcError {
  return walletRefusal(status, jsonOf(text)) ?? noAnswer(status);
}

function jsonOf(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return null;
  }
}

function noAnswer(status: number): SvcError {
  return new SvcError("api/bad-answer", { status, reason: "an error of no known form" });
}
