/**
 * Test helper: payments of x402 as a node, its chain and a viewing key see them, behind a line that loses questions and answers. A payment
 * is its JSON: what it spends, what it pays where, whether its proof holds.
 */
import {
  asBlockHash,
  asBlueScore,
  asDaaScore,
  asNoteCommitment,
  asNullifier,
  asSompi,
  asTimestampMs,
  asTxId,
  type TxId,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { InvoiceAddress, PaymentOutput } from "@svc/shared/invoice/invoice.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { createHash } from "node:crypto";
import type { PaymentNode } from "../x402/facilitator.ts";
import type { ReadPayment } from "../x402/paymentReader.ts";

/** A payment. */
export type ModelPayment = {
  /** Notes that it spends. */
  readonly spends: readonly string[];
  /** Sompi by the text of the address. */
  readonly pays: Readonly<Record<string, string>>;
  /** The code of what is wrong with it; left out for nothing. */
  readonly wrong?: "shielded/proof-invalid" | "tx/anchor-too-old" | "mempool/fee-too-low";
};

/** What the line does with the next hand-over: the node hears it or not, and its answer arrives or not. */
export type LineFault = "none" | "lost" | "unanswered" | "full";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The RawTransaction of a payment. */
export function rawOf(payment: ModelPayment): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(payment));
}

/** A node's pool and what a scan of it finds. */
export class ModelPayments implements PaymentNode {
  /** Payments that the pool took, in their order. */
  readonly taken: TxId[] = [];
  /** Questions whether it would take one. */
  probes = 0;
  fault: LineFault = "none";
  /** Questions wait for it. */
  gate: Promise<undefined> = Promise.resolve(undefined);
  /** The code of what became wrong with every payment since; null for nothing. */
  late: ModelPayment["wrong"] | null = null;
  readonly #spent = new Map<string, TxId>();

  txidOf(raw: Uint8Array): TxId {
    payment(raw);
    return asTxId(sha256(new TextDecoder().decode(raw)));
  }

  async read(raw: Uint8Array, address: InvoiceAddress): Promise<ReadPayment> {
    const { spends, pays } = payment(raw);
    const txid = this.txidOf(raw);
    const nullifiers = spends.map((note) => asNullifier(sha256(note)));
    return { txid, nullifiers, outputs: outputsAt(txid, pays, address.text) };
  }

  async probe(raw: Uint8Array, txid: TxId): Promise<void> {
    this.probes += 1;
    await this.gate;
    if (this.fault === "lost") throw away();
    this.#judge(raw, txid);
  }

  async submit(raw: Uint8Array): Promise<TxId> {
    const fault = this.fault;
    if (fault === "lost") throw away();
    if (fault === "full") throw new SvcError("mempool/full", { count: 1, max: 1 });
    const txid = this.txidOf(raw);
    this.#judge(raw, txid);
    for (const note of payment(raw).spends) this.#spent.set(note, txid);
    this.taken.push(txid);
    if (fault === "unanswered") throw away();
    return txid;
  }

  /** Another payment spends a note first. */
  spend(note: string): void {
    this.#spent.set(note, asTxId("ee".repeat(32)));
  }

  /** The pool forgets a payment: it is full, or the node began anew. */
  evict(raw: Uint8Array): void {
    const txid = this.txidOf(raw);
    for (const [note, owner] of this.#spent) if (owner === txid) this.#spent.delete(note);
  }

  /** A block that accepts what a payment pays to an address. */
  minedFacts(
    raw: Uint8Array,
    address: Pick<InvoiceAddress, "key" | "index" | "text">,
    blueScore: bigint,
  ): readonly PaymentFact[] {
    const block = {
      hash: asBlockHash(sha256(`block ${blueScore}`)),
      blueScore: asBlueScore(blueScore),
      daaScore: asDaaScore(blueScore),
      timestampMs: asTimestampMs(0n),
    };
    const { key, index, text } = address;
    const outputs = outputsAt(this.txidOf(raw), payment(raw).pays, text);
    return outputs.map((output) => ({ key, index, input: { kind: "mined", output, block } }));
  }

  /** What a payment pays to an address has left the pool, and no block has it. */
  goneFacts(
    raw: Uint8Array,
    { key, index, text }: Pick<InvoiceAddress, "key" | "index" | "text">,
  ): readonly PaymentFact[] {
    const outputs = outputsAt(this.txidOf(raw), payment(raw).pays, text);
    return outputs.map((output) => ({ key, index, input: { kind: "gone", output } }));
  }

  #judge(raw: Uint8Array, txid: TxId): void {
    const { spends, wrong = this.late } = payment(raw);
    const owners = spends.map((note) => this.#spent.get(note));
    if (owners.includes(txid)) throw new SvcError("mempool/duplicate", { txid });
    if (owners.some((owner) => owner !== undefined)) {
      throw new SvcError("tx/nullifier-spent", { nullifier: "00" });
    }
    if (wrong === "shielded/proof-invalid") throw new SvcError(wrong, {});
    if (wrong === "tx/anchor-too-old") throw new SvcError(wrong, { anchor: "00" });
    if (wrong === "mempool/fee-too-low") throw new SvcError(wrong, { fee: 1n, minimum: 2n });
  }
}

function away(): SvcError {
  return new SvcError("wallet/node-unreachable", { url: "model" });
}

function payment(raw: Uint8Array): ModelPayment {
  try {
    const value: ModelPayment = JSON.parse(new TextDecoder().decode(raw));
    return value;
  } catch (error) {
    throw new SvcError("codec/trailing-bytes", { remaining: raw.length }, error);
  }
}

function outputsAt(
  txid: TxId,
  pays: ModelPayment["pays"],
  address: string,
): readonly PaymentOutput[] {
  const amount = pays[address];
  if (amount === undefined) return [];
  const cmx = asNoteCommitment(sha256(`${txid} ${address}`));
  return [{ txid, outputIndex: 0, cmx, amount: asSompi(BigInt(amount)) }];
}
