/** Guard of a payment: nothing is prepared or sent unless the daemon says that the wallet may pay. */
import * as v from "valibot";
import { untilSpendReady } from "../protocol/wallet/untilSpendReady.ts";
import type { WalletDaemon } from "./walletDaemon.ts";
import { readAnswer } from "./wire/readAnswer.ts";

const flag = v.optional(v.nullable(v.boolean()));
/** Any field may be absent, and there may be others. */
const status = v.looseObject({ spend_ready: flag, loading: flag, synced: flag, warming: flag });

/**
 * Resolves when the daemon says that the wallet may pay, as `untilSpendReady` does. Rejects with `signer/not-ready`, with
 * `api/bad-answer` for what is no status, and with what the daemon's client rejects with.
 */
export function checkReady(
  daemon: Pick<WalletDaemon, "status" | "pause">,
  signal: AbortSignal,
): Promise<void> {
  const ask = async () => readAnswer(status, await daemon.status(signal), "it is no status");
  return untilSpendReady(ask, (ms, until) => daemon.pause(ms, until), signal);
}
