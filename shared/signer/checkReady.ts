/** Guard of a payment: nothing is prepared or sent unless the daemon says that the wallet may pay. */
import * as v from "valibot";
import { SvcError } from "../base/svcError.ts";
import { parseExactJson } from "./wire/exactJson.ts";
import { readPrepared } from "./wire/preparedFields.ts";
import type { WalletDaemon } from "./walletDaemon.ts";

/** Any other field may be absent, or unknown. */
const status = v.looseObject({ spend_ready: v.optional(v.nullable(v.boolean()), false) });

/**
 * Asks for the status. Throws `signer/not-ready` unless it has `spend_ready: true`; an absent one counts as false. Throws
 * `signer/bad-prepared` for what is no status, and what the daemon's client throws.
 */
export async function checkReady(daemon: WalletDaemon, signal: AbortSignal): Promise<void> {
  const text = await daemon.status(signal);
  const { spend_ready: isReady } = readPrepared(status, parseExactJson(text));
  if (isReady !== true) throw new SvcError("signer/not-ready", {});
}
