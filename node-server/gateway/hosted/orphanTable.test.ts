/** Payments that lost their block: how many of them are remembered, and which. */
import { expect, it, onTestFinished } from "vitest";
import { asBlueScore } from "@svc/shared/base/brand.ts";
import { outputOf } from "@svc/shared/invoice/testkit/invoices.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { SCANNED_KEY, scannedBlock } from "../testkit/scannedChain.ts";
import { OutboxStore } from "./outboxStore.ts";

const FIRST = 0x8000_0000;

function orphaned(payment: number): PaymentFact {
  const output = outputOf(payment, 1n);
  const input = { kind: "orphaned", output, block: scannedBlock(1).hash } as const;
  return { key: SCANNED_KEY, index: FIRST + payment, input };
}

it("are remembered in no more than a bound, the newest of them", async () => {
  const store = await OutboxStore.open(null);
  onTestFinished(() => store.close());
  const most = GATEWAY_LIMITS.orphansKept;
  const take = (tip: bigint, facts: readonly PaymentFact[]): void =>
    store.commit((batch) => store.orphans.take(batch, asBlueScore(tip), facts));
  take(
    1n,
    Array.from({ length: most }, (_, payment) => orphaned(payment)),
  );
  expect([...store.orphans.all()]).toHaveLength(most);
  take(2n, [orphaned(most)]);
  const kept = [...store.orphans.all()];
  expect(kept).toHaveLength(most);
  expect(kept.at(-1)?.index).toBe(FIRST + most);
});
