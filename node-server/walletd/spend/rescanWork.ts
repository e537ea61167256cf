/**
 * Rescan work: a wallet is scanned again from its birthday, until it is at the tip.
 *
 * It waits for the node first, and nothing is changed then. The wallet's file is written when the scan has begun, so that a start
 * goes on from there. A cancelled scan puts back what the wallet knew before, and its birthday, unless the program was started anew
 * meanwhile.
 */
import * as v from "valibot";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import type { DaaScore } from "@svc/shared/base/brand.ts";
import { infoOf } from "@svc/shared/base/errors.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { cursorOf } from "@svc/shared/wallet/state/walletState.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import type { BeforeRescan, OpenWallets } from "../wallets/openWallets.ts";
import type { LastingJob, LastingWork } from "./lastingJobs.ts";

/** Dependencies of the work. */
export type RescanWorkParts = {
  readonly wallets: Pick<OpenWallets, "rescan" | "restore" | "save" | "peek">;
  readonly clock: Pick<Clock, "sleep">;
};

const SCANNING = "scanning";
/** What the call without a job is answered. */
const ANSWER = JSON.stringify({ rescanning: true });

const schema = v.object({ birthday: v.optional(v.nullable(fields.daaScore), null) });

/** Encodes what a job keeps of its call: the DAA score to begin at, or null for that of the wallet's file. */
export function encodeRescanRequest(birthday: DaaScore | null): string {
  return stableJson({ birthday });
}

function birthdayIn(request: string): DaaScore | null {
  try {
    return v.parse(schema, JSON.parse(request)).birthday;
  } catch (cause) {
    throw new SvcError("store/corrupt", { table: "jobs", reason: "the request of a job" }, cause);
  }
}

/** Makes the work. */
export function rescanWork(parts: RescanWorkParts): LastingWork {
  const { wallets } = parts;
  const before = new WeakMap<OpenWallet, BeforeRescan>();
  return {
    run: async (job, signal) => {
      const { open, phase } = job;
      before.delete(open);
      if (phase !== SCANNING) {
        await begin(parts, job, signal, () => {
          const { state, facts } = open;
          before.set(open, { state, birthday: facts.birthday });
        });
      }
      await untilAtTip(parts, job, signal);
      before.delete(open);
      return ANSWER;
    },
    answerOf: (_, kept) => kept,
    undo: async (open) => {
      const known = before.get(open);
      before.delete(open);
      if (known !== undefined && wallets.peek(open.token) === open) {
        await wallets.restore(open, known);
      }
    },
  };
}

/** Begins as soon as the node answers. */
async function begin(
  { wallets, clock }: RescanWorkParts,
  { open, request, tell }: LastingJob,
  signal: AbortSignal,
  onChange: () => void,
): Promise<void> {
  const birthday = birthdayIn(request);
  for (let failures = 0; ; failures += 1) {
    checkOpen(wallets, open);
    try {
      await wallets.rescan(open, signal, { byOwner: true, birthday, onChange });
      break;
    } catch (thrown) {
      throwIfAborted(signal);
      if (!infoOf(SvcError.from(thrown)).retryable) throw thrown;
    }
    const doubled = WALLETD_LIMITS.laneRetryFirstMs * 2 ** Math.min(failures, 16);
    await clock.sleep(Math.min(doubled, WALLETD_LIMITS.laneRetryLongestMs), signal);
  }
  await wallets.save(open);
  tell({ phase: SCANNING, ...progressOf(open) });
}

async function untilAtTip(
  { wallets, clock }: RescanWorkParts,
  { open, tell }: LastingJob,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    throwIfAborted(signal);
    checkOpen(wallets, open);
    if (open.wallet.isBegun) tell({ phase: SCANNING, ...progressOf(open) });
    if (open.wallet.isBegun && open.isAtTip) return;
    await clock.sleep(WALLETD_LIMITS.lanePollMs, signal);
  }
}

/** Another wallet may have come under the token. */
function checkOpen(wallets: RescanWorkParts["wallets"], open: OpenWallet): void {
  if (wallets.peek(open.token) !== open) throw new SvcError("wallet/cancelled", {});
}

/** Chain blocks since the birthday. */
function progressOf({ state, tip }: OpenWallet): { readonly done: number; readonly total: number } {
  const from = state.account.birthday.chainIndex;
  const at = cursorOf(state).chainIndex;
  const end = tip === null || tip.chainIndex < at ? at : tip.chainIndex;
  return { done: Number(at - from), total: Number(end - from) };
}
