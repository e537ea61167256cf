/** Payments that were in the mempool when the program last ran: finds those that left it while the program was stopped. */
import type { NoteCommitment, ViewingKeyId } from "@svc/shared/base/brand.ts";
import type { PaymentOutput } from "@svc/shared/invoice/invoice.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";

/** A payment that was told to wait in the pool. */
export type WaitingPayment = {
  readonly key: ViewingKeyId;
  /** Index of the address that it pays. */
  readonly index: number;
  readonly output: PaymentOutput;
};

/** The payments of one start, until the pool was read once. */
export class EarlierWaiting {
  readonly #standing: () => Iterable<WaitingPayment>;
  readonly #left: Map<NoteCommitment, WaitingPayment>;

  /** `standing`: what was told to wait and is neither gone nor in a block since, read now and at the end. Throws as it does. */
  constructor(standing: () => Iterable<WaitingPayment>) {
    this.#standing = standing;
    this.#left = new Map([...standing()].map((payment) => [payment.output.cmx, payment]));
  }

  /** Hears what the scan of the pool tells. */
  hear(facts: readonly PaymentFact[]): void {
    if (this.#left.size === 0) return;
    for (const { input } of facts)
      if (input.kind === "waiting") this.#left.delete(input.output.cmx);
  }

  /** The pool was read through since the start: what is in neither it nor a block. The same again until `end`. Throws as `standing` does. */
  gone(): readonly PaymentFact[] {
    if (this.#left.size === 0) return [];
    const standing = new Set([...this.#standing()].map(({ output }) => output.cmx));
    return [...this.#left.values()].flatMap(({ key, index, output }): readonly PaymentFact[] =>
      standing.has(output.cmx) ? [{ key, index, input: { kind: "gone", output } }] : [],
    );
  }

  /** It was told: nothing of an earlier start is left. */
  end(): void {
    this.#left.clear();
  }
}
