/** Handlers for a device that holds the seed: prepare, submit and discard. */
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { PreparedSessions } from "../device/preparedSessions.ts";
import type { WalletHandlers } from "./walletHandlers.ts";

/** Makes the handlers. */
export function deviceHandlers(
  sessions: Pick<PreparedSessions, "prepare" | "submit" | "discard">,
): Pick<WalletHandlers, "prepare" | "submit" | "discard"> {
  return {
    prepare: ({ token, body, signal }) =>
      sessions.prepare(
        token,
        {
          fvk: decodeHex(body.fvk_hex),
          to: body.to,
          amount: body.amount,
          feeFloor: body.fee ?? null,
          memo: body.memo ?? "",
          allowPartial: body.allow_partial === true,
        },
        signal,
      ),
    discard: async ({ token, body }) => ({
      discarded: await sessions.discard(token, body?.session ?? null),
    }),
    submit: async ({ token, body, idempotencyKey, signal }) => {
      const { session, sigs } = body;
      const request = { session, sigs, key: idempotencyKey };
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
