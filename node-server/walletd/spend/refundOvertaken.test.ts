import { expect, it } from "vitest";
import {
  asBlueScore,
  asChainIndex,
  asSompi,
  asTimestampMs,
  asTxId,
} from "@svc/shared/base/brand.ts";
import type { Payment, PaymentStatus } from "@svc/shared/wallet/state/payment.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { asWalletToken } from "../keys/walletToken.ts";
import { WalletStore } from "../store/walletStore.ts";
import { settledPayment } from "../testkit/settledPayment.ts";
import { scopedToken } from "../testkit/scopedToken.ts";
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
/** Two charged payments, and moves of their wallet. */
async function setUp() {
  const store = await WalletStore.open(null, null);
  const limits = new SpendLimits(store, new ManualClock(1_700_000_000_000n));
  const limit = { daySompi: asSompi(100n) };
  const scoped = scopedToken(store, ALICE, { digit: "a", limits: limit });
  const [first, second] = [settledPayment(1), settledPayment(2)];
  for (const { id } of [first, second]) {
    store.commit((batch) => limits.charge(batch, { token: ALICE, scoped }, id, asSompi(40n)));
  }
  const move = (before: readonly Payment[], after: readonly Payment[]): void => {
    const moved = { wallet, before: { outbox: before }, after: { outbox: after } };
    store.commit((batch) => refundOvertaken(limits, batch, moved));
  };
  const spent = () => store.charges.lastDay(scoped.hash)?.sompi;
  const outboxOf = (status: PaymentStatus, other: PaymentStatus): readonly Payment[] => [
    { ...first, status },
    { ...second, status: other },
  ];
  return { store, first, second, move, spent, outboxOf };
}

const settled = { state: "settled", at, blueScore: asBlueScore(1n), previous: null } as const;

it("gives back what a payment of the wallet has overtaken for good, once, and nothing before or for another end", async () => {
  const { store, first, second, move, spent, outboxOf } = await setUp();
  const own: Payment = { ...settledPayment(3), txid, status: settled };
  const early = [...outboxOf(broadcast, broadcast), own];
  const undoable = [
    ...outboxOf(
      { state: "conflicted", at, txid, previous: broadcast },
      { state: "expired", at, previous: broadcast },
    ),
    own,
  ];
  const final = [
    ...outboxOf(
      { state: "conflicted", at, txid, previous: null },
      { state: "expired", at, previous: null },
    ),
    own,
  ];
  move(early, undoable);
  expect(spent()).toBe(80n);
  move(undoable, final);
  expect(spent()).toBe(40n);
  move(final, [...final]);
  expect(spent()).toBe(40n);
  expect(store.charges.get(ALICE, first.id)).toBeUndefined();
  expect(store.charges.get(ALICE, second.id)).toBeDefined();
});

it("gives nothing back for a stranger's transaction, which is a node's word alone", async () => {
  const { move, spent, outboxOf } = await setUp();
  const previous = { state: "conflicted", at, txid, previous: broadcast } as const;
  const final = { state: "conflicted", at, txid, previous: null } as const;
  move(outboxOf(previous, broadcast), outboxOf(final, broadcast));
  expect(spent()).toBe(80n);
});
