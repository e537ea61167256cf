/** Handlers for a device that holds the seed: prepare, submit and discard. */
import { decodeHex } from "@svc/shared/base/hex.ts";
import { encodePrepareRequest } from "../device/prepareWork.ts";
import type { PreparedSessions } from "../device/preparedSessions.ts";
import type { LastingJobs } from "../spend/lastingJobs.ts";
import type { DaemonWallets } from "./daemonWallets.ts";
import { StartedJob, type WalletHandlers } from "./walletHandlers.ts";

/** Dependencies of the handlers. */
export type DeviceHandlerParts = {
  readonly sessions: Pick<PreparedSessions, "check" | "prepare" | "submit" | "discard">;
  readonly jobs: Pick<LastingJobs, "begin">;
};

/** Makes the handlers. */
export function deviceHandlers(
  { sessions, jobs }: DeviceHandlerParts,
  wallets: Pick<DaemonWallets, "open">,
): Pick<WalletHandlers, "prepare" | "submit" | "discard"> {
  return {
    prepare: async ({ token, scoped: by, query, body, signal }) => {
      const request = {
        fvk: decodeHex(body.fvk_hex),
        to: body.to,
        amount: body.amount,
        feeFloor: body.fee ?? null,
        memo: body.memo ?? "",
        allowPartial: body.allow_partial === true,
        by,
      };
      if (!query.job) return sessions.prepare(token, request, signal);
      const open = await wallets.open(token);
      sessions.check(open, request);
      return new StartedJob(await jobs.begin(open, "prove", encodePrepareRequest(request)));
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
