/** Guard of a payment: what a daemon's status must say, and how long a wallet that is being opened is waited for. */
import { SvcError } from "../../base/svcError.ts";
import { PROTOCOL_LIMITS } from "../protocolLimits.ts";

/** The fields of a status that matter here. An absent one counts as false. */
export type Readiness = {
  readonly spend_ready?: boolean | null | undefined;
  readonly loading?: boolean | null | undefined;
  readonly synced?: boolean | null | undefined;
  readonly warming?: boolean | null | undefined;
};

/** Waits so many ms. Rejects with `run/aborted` when the caller cancels. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

/**
 * Asks for the status and resolves when it has `spend_ready: true`. A wallet that the daemon does not have in memory is opened by
 * the question: it is asked about again while it is loading and then catches up, `PROTOCOL_LIMITS.readyTriesMax` times at most.
 * Rejects with `signer/not-ready`, and with what `ask` and `pause` reject with.
 */
export async function untilSpendReady(
  ask: () => Promise<Readiness>,
  pause: Pause,
  signal: AbortSignal,
): Promise<void> {
  let wasLoading = false;
  for (let tries = 1; tries <= PROTOCOL_LIMITS.readyTriesMax; tries += 1) {
    if (tries > 1) await pause(PROTOCOL_LIMITS.readyPauseMs, signal);
    const { spend_ready: isReady, loading, synced, warming } = await ask();
    if (isReady === true) return;
    wasLoading ||= loading === true;
    const passes = loading === true || synced !== true || warming === true;
    if (!(wasLoading && passes)) break;
  }
  throw new SvcError("signer/not-ready", {});
}
