/**
 * Test model: a chain with reorganisations, a pool, a clock and a merchant, and what they mean for one invoice, computed from
 * scratch after each step. It shares no formula with the state machine: it looks at what is on its chain.
 */
import { asSompi, asTimestampMs, type Sompi } from "@svc/shared/base/brand.ts";
import type {
  AcceptingBlock,
  Invoice,
  InvoiceMark,
  PaymentOutput,
} from "@svc/shared/invoice/invoice.ts";
import type { InvoiceStatus } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import type { InvoiceInput, InvoiceMoment } from "@svc/shared/invoice/invoiceInput.ts";
import {
  blockAt,
  MADE_MS,
  momentAt,
  outputOf,
  testInvoice,
} from "@svc/shared/invoice/testkit/invoices.ts";

type MinedBlock = { readonly block: AcceptingBlock; readonly outputs: readonly PaymentOutput[] };

/** Draws a whole number below a bound. */
export type Draw = (below: number) => number;

/** The model. */
export class InvoiceWorld {
  readonly invoice: Invoice;
  readonly #draw: Draw;
  #chain: MinedBlock[] = [];
  #pool: PaymentOutput[] = [];
  /** When the gateway first heard of an output, by its number. */
  readonly #heard = new Map<PaymentOutput, bigint>();
  /** Outputs that were deep enough at some time since their block joined the chain. */
  readonly #deep = new Set<PaymentOutput>();
  #outputs = 0;
  #branch = 0;
  #afterMs = 0n;
  #expiresMs: bigint;
  #amount: bigint;
  #mark: InvoiceMark["as"] | null = null;
  #hasTip = true;

  constructor(draw: Draw) {
    this.#draw = draw;
    const amount = BigInt(1 + draw(200));
    this.invoice = testInvoice(
      {
        requiredBlueScore: blockAt(BigInt(draw(8)), 0n).blueScore,
        toleranceUnder: asSompi(BigInt(draw(3) === 0 ? draw(Number(amount)) : 0)),
        toleranceOver: asSompi(BigInt(draw(3) === 0 ? draw(20) : 0)),
        graceMs: BigInt(draw(2) * draw(100_000)),
        late: draw(4) === 0 ? "accept" : "hold",
        monitorMs: BigInt(draw(2_000_000)),
        poolLimit: asSompi(BigInt(draw(2) * 100)),
      },
      amount,
    );
    this.#amount = amount;
    this.#expiresMs = this.invoice.terms.expiresMs;
  }

  /** The present moment. Sometimes no tip is known. */
  get moment(): InvoiceMoment {
    return momentAt(this.#afterMs, this.#hasTip ? this.#tipScore() : null);
  }

  /** Lets something happen; returns what the gateway hears of it. `isFinal`: the merchant gives no more time. */
  step(isFinal: boolean): readonly InvoiceInput[] {
    this.#afterMs += BigInt(this.#draw(60_000));
    this.#hasTip = this.#draw(20) !== 0;
    const inputs = this.#happening(isFinal);
    for (const input of inputs) {
      if ("output" in input && !this.#heard.has(input.output) && this.#isHeard(input)) {
        this.#heard.set(input.output, this.moment.nowMs);
      }
    }
    if (this.#hasTip) this.#settle();
    return inputs;
  }

  #isHeard(input: InvoiceInput): boolean {
    return input.kind === "mined" || input.kind === "waiting";
  }

  #happening(isFinal: boolean): readonly InvoiceInput[] {
    switch (this.#draw(12)) {
      case 0:
      case 1:
      case 2:
        return this.#mine();
      case 3:
      case 4:
        return this.#pay();
      case 5:
        return this.#reorganise();
      case 6:
        return this.#loseFromPool();
      case 7:
        return this.#repeat();
      case 8:
        this.#afterMs += BigInt(this.#draw(600_000));
        return [{ kind: "look" }];
      case 9:
        return this.#mineMany();
      case 10:
        return this.#merchant(isFinal);
      default:
        return [{ kind: "look" }];
    }
  }

  #pay(): readonly InvoiceInput[] {
    this.#outputs += 1;
    const near = this.#draw(2) === 0 ? Number(this.#amount) : 1 + this.#draw(220);
    const output = outputOf(this.#outputs, BigInt(near));
    this.#pool.push(output);
    return [{ kind: "waiting", output }];
  }

  #mine(): readonly InvoiceInput[] {
    const taken = this.#pool.filter(() => this.#draw(3) !== 0);
    this.#pool = this.#pool.filter((output) => !taken.includes(output));
    // Some payments are first heard of in a block.
    if (this.#draw(3) === 0) {
      this.#outputs += 1;
      taken.push(outputOf(this.#outputs, BigInt(1 + this.#draw(220))));
    }
    this.#branch += 1;
    // A miner's clock may be behind.
    const minedMs = MADE_MS + this.#afterMs - BigInt(this.#draw(30_000));
    const block = blockAt(this.#tipScore() + 1n, minedMs, this.#branch);
    this.#chain.push({ block, outputs: taken });
    return taken.length === 0
      ? [{ kind: "look" }]
      : taken.map((output) => ({ kind: "mined", output, block }));
  }

  #mineMany(): readonly InvoiceInput[] {
    return Array.from({ length: 1 + this.#draw(6) }, () => this.#mine()).flat();
  }

  #reorganise(): readonly InvoiceInput[] {
    const count = Math.min(this.#chain.length, 1 + this.#draw(6));
    const dropped = this.#chain.splice(this.#chain.length - count, count);
    const inputs = dropped.toReversed().flatMap(({ block, outputs }) =>
      outputs.flatMap((output): InvoiceInput[] => {
        this.#deep.delete(output);
        const orphaned: InvoiceInput = { kind: "orphaned", output, block: block.hash };
        if (this.#draw(3) === 0) return [orphaned];
        this.#pool.push(output);
        return [orphaned, { kind: "waiting", output }];
      }),
    );
    const more = this.#draw(4) === 0 ? [] : this.#mineMany();
    return [...inputs, ...more];
  }

  #loseFromPool(): readonly InvoiceInput[] {
    const [output] = this.#pool.splice(this.#draw(this.#pool.length + 1), 1);
    return output === undefined ? [{ kind: "look" }] : [{ kind: "gone", output }];
  }

  /** Says again what is so. */
  #repeat(): readonly InvoiceInput[] {
    const mined = this.#chain.flatMap(({ block, outputs }) =>
      outputs.map((output): InvoiceInput => ({ kind: "mined", output, block })),
    );
    const waiting = this.#pool.map((output): InvoiceInput => ({ kind: "waiting", output }));
    return [...mined, ...waiting].filter(() => this.#draw(2) === 0);
  }

  #merchant(isFinal: boolean): readonly InvoiceInput[] {
    const wish = this.#draw(6);
    if (wish === 0) {
      const marks = [null, "settled", "invalid"] as const;
      this.#mark = marks[this.#draw(3)] ?? null;
      const { nowMs } = this.moment;
      const mark = this.#mark === null ? null : { as: this.#mark, reason: "", atMs: nowMs };
      return [{ kind: "mark", mark }];
    }
    if (wish === 1) return [{ kind: "archive", archived: this.#draw(2) === 0 }];
    if (isFinal) return [{ kind: "look" }];
    this.#expiresMs = MADE_MS + this.#afterMs + BigInt(this.#draw(900_000));
    const expiresMs = asTimestampMs(this.#expiresMs);
    return [{ kind: "extend", expiresMs, amount: asSompi(this.#amount), quote: null }];
  }

  #settle(): void {
    const { requiredBlueScore } = this.invoice.terms.policy;
    for (const { block, outputs } of this.#chain) {
      if (this.#tipScore() - block.blueScore < requiredBlueScore) continue;
      for (const output of outputs) this.#deep.add(output);
    }
  }

  #tipScore(): bigint {
    return this.#chain.at(-1)?.block.blueScore ?? 1_000n;
  }

  /** What the merchant's rules make of the chain as it is now. */
  expected(): { readonly status: InvoiceStatus; readonly paid: Sompi } {
    const { policy } = this.invoice.terms;
    const now = this.moment.nowMs;
    const counted = [
      ...this.#chain.flatMap(({ block, outputs }) =>
        outputs.map((output) => {
          const heard = this.#heard.get(output) ?? now;
          return { output, atMs: heard < block.timestampMs ? heard : block.timestampMs };
        }),
      ),
      ...this.#pool
        .filter(() => this.#amount <= policy.poolLimit)
        .map((output) => ({ output, atMs: this.#heard.get(output) ?? now })),
    ];
    const inTime = counted.filter(
      ({ atMs }) =>
        this.#mark !== "invalid" &&
        (policy.late === "accept" || atMs <= this.#expiresMs + policy.graceMs),
    );
    const sum = (list: typeof counted): bigint =>
      list.reduce((total, { output }) => total + output.amount, 0n);
    const paid = sum(counted);
    const deep = sum(inTime.filter(({ output }) => this.#deep.has(output)));
    const enough = this.#amount - policy.toleranceUnder;
    const status = (): InvoiceStatus => {
      if (this.#mark === "settled") return "confirmed";
      if (counted.length === 0) {
        return this.#mark === "invalid" || now >= this.#expiresMs ? "expired" : "new";
      }
      if (inTime.length > 0 && deep >= enough && deep > 0n) {
        return deep - policy.toleranceOver > this.#amount ? "overpaid" : "confirmed";
      }
      if (inTime.length > 0 && sum(inTime) >= enough) return "paid";
      return inTime.length < counted.length ? "paidLate" : "partial";
    };
    return { status: status(), paid: asSompi(paid) };
  }

  /** What may be handed over for: outputs on the chain now that came in time and were as deep as asked for. */
  settledOnChain(): bigint {
    const onChain = this.#chain.flatMap(({ outputs }) => outputs);
    return onChain
      .filter((output) => this.#deep.has(output))
      .reduce((total, { amount }) => total + amount, 0n);
  }

  /** Whether the merchant said himself that the invoice is settled. */
  get isMarkedSettled(): boolean {
    return this.#mark === "settled";
  }
}
