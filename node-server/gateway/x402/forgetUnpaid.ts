/**
 * Puts challenges away that ended long ago and that nobody paid: strangers make them, and they would be there for ever. A row of the
 * address stays, so that a payment that comes all the same is its merchant's. One commit for all of a call.
 */
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { ChallengeRow } from "../store/challengeTable.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";

/** Dependencies. */
export type ForgetUnpaidParts = {
  readonly store: GatewayStore;
  readonly nowMs: bigint;
};

/** Looks at `limit` challenges whose time is over by `challengeKeptMs`; resolves with how many of them went. Rejects with `store/…`. */
export async function forgetUnpaid(
  { store, nowMs }: ForgetUnpaidParts,
  limit: number,
): Promise<number> {
  const over = nowMs - GATEWAY_LIMITS.challengeKeptMs;
  const ends = over < 0n ? [] : store.challenges.over(over, limit);
  if (ends.length === 0) return 0;
  return store.run((batch) => {
    let gone = 0;
    for (const end of ends) {
      store.challenges.putEnd(batch, end, false);
      const row = store.challenges.get(end.id, batch);
      const invoice = store.invoices.get(end.id, batch);
      if (row === undefined || invoice === undefined) continue;
      if (isPaid(invoice)) continue;
      const againMs = laterLook(row, invoice, over);
      if (againMs === null) {
        putAway(store, batch, { row, invoice, keyHash: end.keyHash });
        gone += 1;
      } else {
        store.challenges.putEnd(batch, { ...end, endMs: againMs }, true);
      }
    }
    return gone;
  });
}

/** Something came to its address, or its merchant said something of it: it stays. */
function isPaid({ payments, folded, mark }: Invoice): boolean {
  return payments.length > 0 || folded !== null || mark !== null;
}

/** The end by which it is looked at again: it was given more time, or its payment is on its way. Null where it may go. */
function laterLook(row: ChallengeRow, { terms, told }: Invoice, over: bigint): bigint | null {
  if (terms.expiresMs > over) return terms.expiresMs;
  const isOnItsWay = row.state === "sending" || row.state === "settled";
  return isOnItsWay || told.status !== "expired" ? over + GATEWAY_LIMITS.challengeKeptMs : null;
}

function putAway(
  store: GatewayStore,
  batch: StoreBatch,
  of: {
    readonly row: ChallengeRow;
    readonly invoice: Invoice;
    readonly keyHash: Uint8Array | null;
  },
): void {
  const { row, invoice, keyHash } = of;
  const { id, merchant, address, amount, createdMs, expiresMs, createdBlueScore, lifeMs } =
    invoice.terms;
  const { key, index, raw } = address;
  const { version } = invoice;
  const left = { id, merchant, raw, amount, createdMs, expiresMs, createdBlueScore, lifeMs };
  store.oldAddresses.put(batch, key, index, { ...left, version });
  store.invoices.delete(batch, id);
  store.events.forget(batch, id);
  if (keyHash !== null) store.idempotency.delete(batch, merchant, keyHash);
  store.challenges.delete(batch, row);
}
