/**
 * Challenges of x402, the payments that clients handed over for them, and what these payments spend: a transaction and its nullifiers
 * belong to one challenge.
 */
import * as v from "valibot";
import {
  asHash32,
  asInvoiceId,
  type Hash32,
  type InvoiceId,
  type Nullifier,
  type TxId,
} from "@svc/shared/base/brand.ts";
import type { PaymentOutput } from "@svc/shared/invoice/invoice.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { paymentOutput } from "@svc/shared/invoice/invoiceCodec.ts";
import { jsonCodec, RowTable, type RowCodec } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { KvPair } from "../../storage/kv.ts";
import { tellCounts, type TellFlaw } from "../../storage/rows/storeFlaw.ts";
import {
  countOf,
  keyAfter,
  keysFrom,
  numberKey,
  pairsFrom,
  readNumberKey,
  type StoreReader,
} from "../../storage/rows/storeKeys.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { INDEXED, INVOICE_KEY_BYTES, invoiceAtEnd, invoiceKey } from "./gatewayKeys.ts";
import { GATEWAY_TABLES } from "./gatewayLayout.ts";

/**
 * Where a challenge stands. `open`: no payment is bound. `bound`: one is, and may be settled. `sending`: it goes out, and may have gone
 * out. `settled`: a node's pool took it, or a block has it. `refused`: the node will not have it.
 */
export const CHALLENGE_STATES = ["open", "bound", "sending", "settled", "refused"] as const;

const boundPayment = v.object({
  txid: fields.txId,
  nullifiers: v.array(fields.nullifier),
  /** Its outputs at the address of the challenge. */
  outputs: v.array(paymentOutput),
  sessionHash: v.nullable(fields.hash32),
});

const challengeRow = v.object({
  id: fields.invoiceId,
  merchant: fields.merchantId,
  resource: v.string(),
  depth: v.nullable(fields.u32),
  sessionS: v.nullable(fields.u32),
  createdMs: fields.timestampMs,
  expiresMs: fields.timestampMs,
  state: v.picklist(CHALLENGE_STATES),
  payment: v.nullable(boundPayment),
  /** Who was told that it is settled: SHA-256 of an idempotency key, zeros for a caller without one; null for nobody. */
  told: v.nullable(fields.hash32),
});

/** A payment that is bound to a challenge. */
export type BoundPayment = {
  readonly txid: TxId;
  readonly nullifiers: readonly Nullifier[];
  readonly outputs: readonly PaymentOutput[];
  readonly sessionHash: Hash32 | null;
};

/** A challenge. Its amount and address are those of its invoice. */
export type ChallengeRow = Readonly<Omit<v.InferOutput<typeof challengeRow>, "payment">> & {
  readonly payment: BoundPayment | null;
};

/** The end of a challenge: when it is, and the SHA-256 of the idempotency key that made it; null for none. */
export type ChallengeEnd = {
  readonly id: InvoiceId;
  readonly endMs: bigint;
  readonly keyHash: Uint8Array | null;
};

const bytes: RowCodec<Uint8Array> = {
  encode: (raw) => raw,
  decode: (body) => body.slice(),
};

/** The challenges. Reads throw as those of `RowTable` do. */
export class ChallengeTable {
  readonly #store: StoreReader;
  readonly #rows = new RowTable({
    table: GATEWAY_TABLES.challenges,
    name: "challenges",
    codec: jsonCodec<ChallengeRow>(challengeRow),
    seal: null,
  });
  readonly #payments = new RowTable({
    table: GATEWAY_TABLES.challengePayments,
    name: "challenge_payments",
    codec: bytes,
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** A challenge, or undefined. */
  get(id: InvoiceId, reader: StoreReader = this.#store): ChallengeRow | undefined {
    return this.#rows.get(reader, invoiceKey(id));
  }

  /** Writes a challenge; it is among those that are sent while its payment goes out, and while the bytes of one that is out are kept. */
  put(batch: StoreBatch, row: ChallengeRow): void {
    const key = invoiceKey(row.id);
    this.#rows.put(batch, key, row);
    const isSent =
      row.state === "sending" ||
      (row.state === "settled" && this.payment(row.id, batch) !== undefined);
    batch.put(GATEWAY_TABLES.challengesSending, key, isSent ? INDEXED : null);
  }

  /** The RawTransaction that was handed over for a challenge, or undefined. */
  payment(id: InvoiceId, reader: StoreReader = this.#store): Uint8Array | undefined {
    return this.#payments.get(reader, invoiceKey(id));
  }

  /**
   * Writes it; null forgets it. It is kept until the challenge ends, unless it goes out; one that is out is kept for as long as it is
   * doubted. `row` is the challenge as it is written.
   */
  putPayment(batch: StoreBatch, row: ChallengeRow, raw: Uint8Array | null): void {
    const { id, state, expiresMs } = row;
    const doubtMs = state === "settled" ? GATEWAY_LIMITS.settleDoubtMs : 0n;
    if (raw === null) this.#payments.delete(batch, invoiceKey(id));
    else this.#payments.put(batch, invoiceKey(id), raw);
    const end = concatBytes(numberKey(expiresMs + doubtMs), invoiceKey(id));
    batch.put(GATEWAY_TABLES.challengePaymentsEnd, end, raw === null ? null : INDEXED);
  }

  /** Writes the end of a challenge, or forgets it where it is not kept. */
  putEnd(batch: StoreBatch, { id, endMs, keyHash }: ChallengeEnd, isKept: boolean): void {
    const place = concatBytes(numberKey(endMs), invoiceKey(id));
    const content = keyHash === null ? INDEXED : concatBytes(INDEXED, keyHash);
    batch.put(GATEWAY_TABLES.challengesEnd, place, isKept ? content : null);
  }

  /** At most `limit` challenges that ended at a time or before, and may be forgotten; those that ended first. */
  over(endMs: bigint, limit: number): readonly ChallengeEnd[] {
    const [from, to] = [numberKey(0n), numberKey(endMs + 1n)];
    const table = GATEWAY_TABLES.challengesEnd;
    return this.#store.range({ table, from, to, limit }).map(({ key, value }) => {
      const keyHash = value.length > INDEXED.length ? value.slice(INDEXED.length) : null;
      return { id: invoiceAtEnd(key), endMs: readNumberKey(key) ?? 0n, keyHash };
    });
  }

  /** Forgets a challenge with what is bound to it. */
  delete(batch: StoreBatch, row: ChallengeRow): void {
    const { id, payment } = row;
    const items = payment === null ? [] : [payment.txid, ...payment.nullifiers];
    for (const item of items) if (this.ownerOf(item, batch) === id) this.release(batch, item);
    this.putPayment(batch, row, null);
    this.#rows.delete(batch, invoiceKey(id));
    batch.put(GATEWAY_TABLES.challengesSending, invoiceKey(id), null);
  }

  /** At most `limit` challenges whose time is over and whose payments are still here, those that ended first. */
  ended(nowMs: bigint, limit: number): readonly InvoiceId[] {
    const [from, to] = [numberKey(0n), numberKey(nowMs + 1n)];
    const table = GATEWAY_TABLES.challengePaymentsEnd;
    return this.#store.range({ table, from, to, limit }).map(({ key }) => invoiceAtEnd(key));
  }

  /** The challenge that a transaction or a nullifier is bound to, or undefined. */
  ownerOf(item: string, reader: StoreReader = this.#store): InvoiceId | undefined {
    const key = reader.get(GATEWAY_TABLES.challengeSpends, decodeHex(item));
    return key === undefined ? undefined : asInvoiceId(`inv_${encodeHex(key)}`);
  }

  /** Binds a transaction or a nullifier to a challenge. */
  bind(batch: StoreBatch, item: string, id: InvoiceId): void {
    batch.put(GATEWAY_TABLES.challengeSpends, decodeHex(item), invoiceKey(id));
  }

  /** Gives it back. */
  release(batch: StoreBatch, item: string): void {
    batch.put(GATEWAY_TABLES.challengeSpends, decodeHex(item), null);
  }

  /** Checks all rows, the number of their index rows, and that what is bound is bound to a challenge that has it. */
  audit(tell: TellFlaw): void {
    let [sending, payments] = [0, 0];
    for (const { row } of this.#rows.audit(this.#store, tell)) {
      const isHere = this.payment(row.id) !== undefined;
      if (row.state === "sending" || (row.state === "settled" && isHere)) sending += 1;
      if (isHere) payments += 1;
    }
    for (const [name, table, expected] of [
      ["challenges_sending", GATEWAY_TABLES.challengesSending, sending],
      ["challenge_payments", GATEWAY_TABLES.challengePayments, payments],
      ["challenge_payments_end", GATEWAY_TABLES.challengePaymentsEnd, payments],
    ] as const) {
      tellCounts(tell, name, { found: countOf(this.#store, table), expected });
    }
    for (const { key, value } of this.#pairsOf(GATEWAY_TABLES.challengeSpends)) {
      const bound = this.#sound(value)?.payment ?? null;
      const item = encodeHex(key);
      const isBound = bound?.txid === item || bound?.nullifiers.some((one) => one === item);
      if (isBound !== true) tell("challenge_spends", "a row without a payment that has it");
    }
    for (const { key } of this.#pairsOf(GATEWAY_TABLES.challengesEnd)) {
      if (this.#sound(key.subarray(-INVOICE_KEY_BYTES)) === undefined) {
        tell("challenges_end", "a row without a challenge");
      }
    }
  }

  #pairsOf(table: number): Generator<KvPair, void> {
    return pairsFrom(this.#store, table, Uint8Array.of());
  }

  /** A challenge that reads; a damaged one was told of. */
  #sound(key: Uint8Array): ChallengeRow | undefined {
    try {
      return this.#rows.get(this.#store, key);
    } catch {
      return undefined;
    }
  }

  /** At most `limit` challenges whose payments go out, or are out and kept, from behind one on; null for the first. */
  sending(after: InvoiceId | null, limit: number): readonly InvoiceId[] {
    const { from, to } = keysFrom(Uint8Array.of());
    const range = { from: after === null ? from : keyAfter(invoiceKey(after)), to };
    const table = GATEWAY_TABLES.challengesSending;
    return this.#store.range({ table, ...range, limit }).map(({ key }) => invoiceAtEnd(key));
  }
}

/** Stands for a caller without an idempotency key. */
export const NO_CALLER: Hash32 = asHash32("0".repeat(64));
