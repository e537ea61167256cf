/** Handlers that spend with seeds that the daemon holds, and those of the jobs that such calls are. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { partlySent } from "../spend/spendOutcome.ts";
import type { LastingJobs } from "../spend/lastingJobs.ts";
import type { SpendCall, SpendReply, SpendService } from "../spend/spendService.ts";
import type { ScopedAccess } from "../spend/tokens/tokenBook.ts";
import type { FeeBounds, PayeeRequest } from "../spend/spendOrder.ts";
import { hasEnded } from "../store/jobTable.ts";
import type { DaemonWallets } from "./daemonWallets.ts";
import { jobAnswer } from "./jobAnswer.ts";
import { KeptAnswer, RefusalWith, StartedJob, type WalletHandlers } from "./walletHandlers.ts";

type SpendHandlers = Pick<
  WalletHandlers,
  "send" | "sendMany" | "consolidate" | "job" | "cancelJob"
>;

/** Makes the handlers. `lasting` knows the jobs that spend nothing; null where there are none. */
export function spendHandlers(
  spend: SpendService,
  wallets: Pick<DaemonWallets, "open">,
  lasting: Pick<LastingJobs, "view" | "cancel"> | null = null,
): SpendHandlers {
  return {
    send: async ({ token, scoped, body, query, idempotencyKey, signal }) => {
      const open = await wallets.open(token);
      const request = { ...payeeOf(body), ...feeOf(body) };
      return replied(
        "sent_sompi",
        spend.send(open, request, callOf(idempotencyKey, query, scoped), signal),
      );
    },
    sendMany: async ({ token, scoped, body, query, idempotencyKey, signal }) => {
      const open = await wallets.open(token);
      const request = { payees: body.payees.map(payeeOf), ...feeOf(body) };
      const call = callOf(idempotencyKey, query, scoped);
      return replied("paid_sompi", spend.sendMany(open, request, call, signal));
    },
    consolidate: async ({ token, scoped, body, query, idempotencyKey, signal }) => {
      const open = await wallets.open(token);
      const order = body?.heal === true ? "oldest" : "smallest";
      const request = { order, ...feeOf(body ?? {}) } as const;
      const call = callOf(idempotencyKey, query, scoped);
      return replied("sent_sompi", spend.consolidate(open, request, call, signal));
    },
    job: async ({ token, params }) => {
      const view = lasting?.view(token, params.id) ?? spend.job(token, params.id);
      const isBatch = view.kind === "payout" && hasEnded(view);
      const payouts = isBatch ? spend.payouts(await wallets.open(token), view.id) : null;
      return jobAnswer(view, payouts);
    },
    cancelJob: async ({ token, params }) => {
      const cancelled = await lasting?.cancel(token, params.id);
      return jobAnswer(cancelled ?? (await spend.cancel(token, params.id)));
    },
  };
}

type Amount = {
  readonly to: string;
  readonly amount: bigint;
  readonly memo?: string | null | undefined;
};

function payeeOf({ to, amount, memo }: Amount): PayeeRequest {
  return { to, amount, ...(memo === null || memo === undefined ? {} : { memo }) };
}

type Fees = {
  readonly fee?: bigint | null | undefined;
  readonly max_fee?: bigint | null | undefined;
};

function feeOf({ fee, max_fee: maxFee }: Fees): FeeBounds {
  return {
    ...(fee === null || fee === undefined ? {} : { feeFloor: fee }),
    ...(maxFee === null || maxFee === undefined ? {} : { maxFee }),
  };
}

function callOf(
  key: string | null,
  { job }: { readonly job: boolean },
  by: ScopedAccess | null,
): SpendCall {
  return { key, isAsync: job, by };
}

/** The reply of the service. Of a payment that went out in part the refusal says what has moved. */
async function replied(
  moved: "sent_sompi" | "paid_sompi",
  reply: Promise<SpendReply>,
): Promise<KeptAnswer | StartedJob> {
  try {
    const made = await reply;
    return made.kind === "job" ? new StartedJob(made.id) : new KeptAnswer(made.body);
  } catch (thrown) {
    const error = SvcError.from(thrown);
    const part = partlySent(error);
    if (part === null) throw error;
    throw new RefusalWith(error, { txids: part.txids, [moved]: part.sompi });
  }
}
