/** Handlers for a device that holds the seed: prepare, submit and discard. */
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { PrepareJobs } from "../device/prepareJobs.ts";
import type { PrepareRequest } from "../device/prepareOrder.ts";
import type { PreparedSessions } from "../device/preparedSessions.ts";
import type { ScopedAccess } from "../spend/tokenBook.ts";
import { StartedJob, type WalletCall, type WalletHandlers } from "./walletHandlers.ts";

/** Dependencies of the handlers. */
export type DeviceHandlerParts = {
  readonly sessions: Pick<PreparedSessions, "prepare" | "submit" | "discard">;
  readonly jobs: Pick<PrepareJobs, "begin">;
};

/** Makes the handlers. */
export function deviceHandlers({
  sessions,
  jobs,
}: DeviceHandlerParts): Pick<WalletHandlers, "prepare" | "submit" | "discard"> {
  return {
    prepare: async ({ token, scoped, query, body, signal }) => {
      const request = requestOf(body, scoped);
      if (query.job) return new StartedJob(await jobs.begin(token, request));
      return sessions.prepare(token, request, signal);
    },
    discard: async ({ token, body }) => ({
      discarded: await sessions.discard(token, body?.session ?? null),
    }),
    submit: async ({ token, scoped: by, body, idempotencyKey, signal }) => {
      const { session, sigs } = body;
      const request = { session, sigs, key: idempotencyKey, by };
      const { txid, amount, fee } = await sessions.submit(token, request, signal);
      return {
        txid,
        txids: [txid],
        tx_count: 1,
        amount_sompi: amount,
        fee_sompi: fee,
        amount_sompi_exact: amount,
        fee_sompi_exact: fee,
      };
    },
  };
}

function requestOf(body: WalletCall<"prepare">["body"], by: ScopedAccess | null): PrepareRequest {
  return {
    fvk: decodeHex(body.fvk_hex),
    to: body.to,
    amount: body.amount,
    feeFloor: body.fee ?? null,
    memo: body.memo ?? "",
    allowPartial: body.allow_partial === true,
    by,
  };
}
