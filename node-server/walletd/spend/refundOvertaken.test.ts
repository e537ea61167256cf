import { expect, it } from "vitest";
import { asChainIndex, asSompi, asTimestampMs, asTxId } from "@svc/shared/base/brand.ts";
import type { Payment, PaymentStatus } from "@svc/shared/wallet/state/payment.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { asWalletToken } from "../keys/walletToken.ts";
import { WalletStore } from "../store/walletStore.ts";
import { settledPayment } from "../testkit/settledPayment.ts";
import { refundOvertaken } from "./refundOvertaken.ts";
import { SpendLimits } from "./tokens/spendLimits.ts";

const ALICE = asWalletToken("alice");
const wallet = { keys: { token: ALICE } };
const at = asChainIndex(5n);
const nowMs = asTimestampMs(0n);
const broadcast = {
  state: "mempool",
  attempts: 1,
  lastAttemptMs: nowMs,
  lastError: null,
} as const;
const txid = asTxId("ee".repeat(32));
const scoped = {
  id: "a".repeat(32),
  hash: "a".repeat(64),
  limits: { daySompi: asSompi(100n), payees: null, approvalAboveSompi: null },
};

it("gives back what was overtaken for good, once, and nothing before or for another end", async () => {
  const store = await WalletStore.open(null, null);
  const limits = new SpendLimits(store, new ManualClock(1_700_000_000_000n));
  const [first, second] = [settledPayment(1), settledPayment(2)];
  for (const { id } of [first, second]) {
    store.commit((batch) => limits.charge(batch, { token: ALICE, scoped }, id, asSompi(40n)));
  }
  const spent = () => store.charges.lastDay(scoped.hash)?.sompi;
  const outboxOf = (status: PaymentStatus, other: PaymentStatus): readonly Payment[] => [
    { ...first, status },
    { ...second, status: other },
  ];
  const early = outboxOf(broadcast, broadcast);
  const undoable = outboxOf(
    { state: "conflicted", at, txid, previous: broadcast },
    { state: "expired", at, previous: broadcast },
  );
  const final = outboxOf(
    { state: "conflicted", at, txid, previous: null },
    { state: "expired", at, previous: null },
  );
  const move = (before: readonly Payment[], after: readonly Payment[]): void => {
    const moved = { wallet, before: { outbox: before }, after: { outbox: after } };
    store.commit((batch) => refundOvertaken(limits, batch, moved));
  };
  move(early, undoable);
  expect(spent()).toBe(80n);
  move(undoable, final);
  expect(spent()).toBe(40n);
  move(final, [...final]);
  expect(spent()).toBe(40n);
  expect(store.charges.get(ALICE, first.id)).toBeUndefined();
});
