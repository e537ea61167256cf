/**
 * Refunds of an invoice over random histories of payments, reorganisations, claims, merchants and wallets that lose answers: no more
 * is ever approved than was paid and settled, and a wallet is asked for no more than that.
 */
import { expect, it } from "vitest";
import { mulberry32 } from "@svc/node-server/platform/testkit/mulberry32.ts";
import { IS_FULL, testSeed } from "@svc/node-server/platform/testkit/testRun.ts";
import {
  asAddressText,
  asBlueScore,
  asSompi,
  asTimestampMs,
  asTxId,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { assessInvoice } from "@svc/shared/invoice/assessInvoice.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { reduceInvoice } from "@svc/shared/invoice/reduceInvoice.ts";
import { reduceRefund } from "@svc/shared/invoice/reduceRefund.ts";
import type { Refund } from "@svc/shared/invoice/refund.ts";
import type { RefundInput } from "@svc/shared/invoice/refundInput.ts";
import { refundAmount, refundRoom } from "@svc/shared/invoice/refundRoom.ts";
import { blockAt, MADE_MS, outputOf, testInvoice } from "@svc/shared/invoice/testkit/invoices.ts";
import { testRefund } from "@svc/shared/invoice/testkit/refunds.ts";
import type { Draw } from "./invoiceWorld.ts";

const HISTORIES = IS_FULL ? 50_000 : 2_000;
const STEPS = 60;
const ERROR = new SvcError("api/unreachable", { url: "" }).toJSON();
const ADDRESSES = ["a", "b"].map((letter) => asAddressText(`svctest:${letter.repeat(79)}`));
const TXIDS = [asTxId("ab".repeat(32))];

/** What may be refused; anything else is a defect. */
const REFUSALS = new Set([
  "gateway/claim-over",
  "gateway/refund-state",
  "gateway/refund-address",
  "gateway/refund-too-large",
  "gateway/payout-wallet",
  "gateway/wrong-state",
]);

class RefundWorld {
  invoice: Invoice = testInvoice({}, 100n);
  refunds: readonly Refund[] = [];
  approvals = 0;
  /** Whether a reorganisation took something back that was settled. */
  wasTakenBack = false;
  readonly #draw: Draw;
  #nowMs: bigint = MADE_MS;
  #tip = 1_001n;
  #outputs = 0;

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  get nowMs() {
    return asTimestampMs(this.#nowMs);
  }

  get settled(): bigint {
    return assessInvoice(this.invoice, this.nowMs).settled;
  }

  step(): void {
    const draw = this.#draw;
    this.#nowMs += BigInt(draw(100_000));
    if (draw(3) === 0) this.#chain();
    try {
      if (draw(4) === 0) this.#offer();
      else this.#change();
    } catch (thrown) {
      const error = SvcError.from(thrown);
      if (!REFUSALS.has(error.code)) throw error;
    }
  }

  #chain(): void {
    const draw = this.#draw;
    this.#tip += BigInt(draw(8));
    const mined = this.invoice.payments.filter(({ place }) => place.kind === "mined");
    const payment = mined[draw(Math.max(1, mined.length))];
    const moment = { nowMs: this.nowMs, tip: asBlueScore(this.#tip) };
    if (draw(5) === 0 && payment?.place.kind === "mined") {
      const { output, place } = payment;
      const input = { kind: "orphaned", output, block: place.block.hash } as const;
      this.wasTakenBack ||= payment.settled;
      this.invoice = reduceInvoice(this.invoice, [input], moment).invoice;
      return;
    }
    this.#outputs += 1;
    const output = outputOf(this.#outputs, BigInt(1 + draw(120)));
    const input = { kind: "mined", output, block: blockAt(this.#tip, this.#nowMs) } as const;
    this.invoice = reduceInvoice(this.invoice, [input], moment).invoice;
  }

  #offer(): void {
    const kind = (["overpaid", "all", "custom"] as const)[this.#draw(3)] ?? "all";
    const own = asSompi(BigInt(1 + this.#draw(150)));
    const wish = { kind, amount: kind === "custom" ? own : null };
    const amount = refundAmount(this.invoice, this.refunds, wish, this.nowMs);
    const refund = testRefund(amount, this.refunds.length + 1);
    const expiresMs = asTimestampMs(this.#nowMs + 500_000n);
    const terms = { ...refund.terms, createdMs: this.nowMs, expiresMs };
    this.refunds = [...this.refunds, { ...refund, terms }];
    if (this.#offered() > this.settled) throw new Error(`${kind}: ${amount} of ${this.settled}`);
  }

  #change(): void {
    const refund = this.refunds[this.#draw(Math.max(1, this.refunds.length))];
    if (refund === undefined) return;
    const others = this.refunds.filter((other) => other !== refund);
    const room = refundRoom(this.invoice, others, this.nowMs);
    const input = this.#input(refund);
    const after = reduceRefund(refund, input, { nowMs: this.nowMs, room });
    this.refunds = this.refunds.map((other) => (other === refund ? after : other));
    if (input.kind === "approve") this.approvals += 1;
    const isNew = input.kind === "ask" && refund.attempt === null;
    if ((input.kind === "approve" || isNew) && this.decided() > this.settled) {
      throw new Error(`${input.kind}: ${this.decided()} of ${this.settled}`);
    }
  }

  /** Sompi of refunds that were approved, or paid. */
  decided(): bigint {
    return this.refunds.reduce((sum, { state, terms, moved }) => {
      const counts = state === "approved" || state === "sent" || state === "confirmed";
      return sum + (counts ? terms.amount : moved);
    }, 0n);
  }

  /** Sompi of those, and of refunds that a payer may claim or has claimed. */
  #offered(): bigint {
    const open = this.refunds.filter(
      ({ state, terms }) =>
        state === "claimed" || (state === "requested" && this.#nowMs < terms.expiresMs),
    );
    return open.reduce((sum, { terms }) => sum + terms.amount, this.decided());
  }

  #input(refund: Refund): RefundInput {
    const draw = this.#draw;
    const address = ADDRESSES[draw(2)] ?? ADDRESSES[0];
    if (address === undefined) throw new TypeError("no address");
    const dueMs = this.nowMs;
    // A wallet answers nothing that it was not asked.
    const isAsked = refund.state === "approved" && refund.attempt !== null;
    const own: RefundInput[] = [
      { kind: "claim", address },
      { kind: "claim", address },
      { kind: "approve", address },
      { kind: "approve", address: refund.address ?? address },
      { kind: "cancel" },
      { kind: "look" },
      { kind: "ask", wallet: `w${draw(2)}`, maxFee: asSompi(7n) },
      { kind: "later", error: null, dueMs },
      { kind: "confirmed" },
    ];
    const moved = asSompi(BigInt(draw(Number(refund.terms.amount))));
    const answers: RefundInput[] = [
      { kind: "paid", txids: TXIDS, dueMs },
      { kind: "refused", error: ERROR, dueMs },
      { kind: "unanswered", error: ERROR, dueMs, job: draw(2) === 0 ? "j" : null },
      { kind: "failed", error: ERROR, moved, txids: TXIDS },
    ];
    const all = isAsked ? [...own, ...answers] : own;
    return all[draw(all.length)] ?? { kind: "look" };
  }
}

it(`never come to more than was paid and settled, over ${HISTORIES} histories`, () => {
  const random = mulberry32(testSeed(20));
  const draw: Draw = (bound) => random() % bound;
  let [approvals, sent] = [0, 0];
  for (let history = 0; history < HISTORIES; history += 1) {
    const world = new RefundWorld(draw);
    for (let step = 0; step < STEPS; step += 1) {
      world.step();
      if (!world.wasTakenBack && world.decided() > world.settled) {
        throw new Error(`${world.decided()} of ${world.settled} after step ${step}`);
      }
    }
    approvals += world.approvals;
    sent += world.refunds.filter(({ moved }) => moved > 0n).length;
  }
  expect(approvals).toBeGreaterThan(HISTORIES / 20);
  expect(sent).toBeGreaterThan(HISTORIES / 100);
});
