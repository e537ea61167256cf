/** Handlers of payout batches. */
import type { RawAddress } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { apiSentenceOf } from "@svc/shared/protocol/wallet/apiError.ts";
import type { RouteAnswer } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import type { AddressBook } from "@svc/shared/wallet/plan/payee.ts";
import { readPayouts, type PayoutFault } from "@svc/shared/wallet/plan/payoutFile.ts";
import { payoutReport } from "@svc/shared/wallet/plan/payoutReport.ts";
import type { FeeBounds } from "../spend/spendOrder.ts";
import { partlySent } from "../spend/spendOutcome.ts";
import type { PaidBatch, PayoutReply, PayoutRequest, SpendService } from "../spend/spendService.ts";
import type { ScopedAccess } from "../spend/tokens/tokenBook.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import type { DaemonWallets } from "./daemonWallets.ts";
import { RefusalWith, StartedJob, type WalletHandlers } from "./walletHandlers.ts";

/** Dependencies of the handlers. */
export type PayoutHandlerParts = {
  readonly core: Pick<CoreGlue, "decodeAddress" | "addressIndexOf">;
  /** Prefix of the network's addresses. */
  readonly hrp: string;
  readonly spend: Pick<SpendService, "payout" | "estimatePayout" | "payouts">;
};

/** Makes the handlers. */
export function payoutHandlers(
  parts: PayoutHandlerParts,
  wallets: Pick<DaemonWallets, "open">,
): Pick<WalletHandlers, "payout" | "payoutReport"> {
  const { spend } = parts;
  return {
    payout: async ({ token, scoped: by, body, idempotencyKey: key }) => {
      const open = await wallets.open(token);
      const bytes = new TextEncoder().encode(body.data);
      const { batch, faults } = readPayouts(bytes, body.format, bookOf(parts, open));
      if (body.dry_run === true) {
        if (batch === null) return { ...NOTHING, faults: faults.map(faultOf) };
        return estimateOf(spend, open, { request: { batch, ...feesOf(body) }, by });
      }
      if (batch === null) throw refusalOf(faults);
      const reply = await begun(spend.payout(open, { batch, ...feesOf(body) }, { key, by }));
      return reply.kind === "job" ? new StartedJob(reply.id) : paidOf(reply.batch);
    },
    payoutReport: async ({ token, params }) =>
      payoutReport(spend.payouts(await wallets.open(token), params.id)),
  };
}

const NOTHING = {
  dry_run: true,
  payouts: 0,
  total_sompi: 0n,
  fee_sompi: 0n,
  tx_count: 0,
  notes: 0,
  seconds: null,
  needs_approval: false,
  txids: null,
};

/** Of a batch that went out in part and whose job is forgotten the refusal says what has moved. */
async function begun(reply: Promise<PayoutReply>): Promise<PayoutReply> {
  try {
    return await reply;
  } catch (thrown) {
    const error = SvcError.from(thrown);
    const part = partlySent(error);
    if (part === null) throw error;
    throw new RefusalWith(error, { txids: part.txids, paid_sompi: part.sompi });
  }
}

function paidOf({ txids, payouts, amount, fee, notes }: PaidBatch): RouteAnswer<"payout"> {
  return {
    dry_run: false,
    payouts,
    total_sompi: amount,
    fee_sompi: fee,
    tx_count: txids.length,
    notes,
    seconds: null,
    needs_approval: false,
    txids: [...txids],
    faults: [],
  };
}

function estimateOf(
  spend: Pick<SpendService, "estimatePayout">,
  open: OpenWallet,
  { request, by }: { readonly request: PayoutRequest; readonly by: ScopedAccess | null },
): RouteAnswer<"payout"> {
  const estimate = spend.estimatePayout(open, request, by);
  return {
    dry_run: true,
    payouts: request.batch.rows.length,
    total_sompi: request.batch.total,
    fee_sompi: estimate.fee,
    tx_count: estimate.transactions,
    notes: estimate.notes,
    seconds: estimate.provingSeconds,
    needs_approval: estimate.needsApproval,
    txids: null,
    faults: [],
  };
}

function bookOf({ core, hrp }: PayoutHandlerParts, { keys }: OpenWallet): AddressBook {
  return {
    hrp,
    decodeAddress: (prefix, text) => callCore(() => core.decodeAddress(prefix, text)),
    isOwn: (recipient: RawAddress) =>
      callCore(() => core.addressIndexOf(keys.fvk, decodeHex(recipient))) !== undefined,
  };
}

type Fees = {
  readonly fee?: bigint | null | undefined;
  readonly max_fee?: bigint | null | undefined;
};

function feesOf({ fee, max_fee: most }: Fees): FeeBounds {
  return {
    ...(fee === null || fee === undefined ? {} : { feeFloor: fee }),
    ...(most === null || most === undefined ? {} : { maxFee: most }),
  };
}

/** The refusal of a file with faults: that of its first one, and all of them beside it. */
function refusalOf(faults: readonly PayoutFault[]): RefusalWith {
  const [first] = faults;
  const error = SvcError.fromJson(first?.error);
  const { line = 1 } = first ?? {};
  const reason = apiSentenceOf(error).replace(/[.]$/, "");
  const refusal = SvcError.is(error, "wallet/bad-payout-file")
    ? error
    : new SvcError("wallet/bad-payout-file", { line, reason }, error);
  return new RefusalWith(refusal, { faults: faults.map(faultOf) });
}

function faultOf({ line, error }: PayoutFault) {
  return { line, error: apiSentenceOf(error), code: error.code };
}
