/**
 * Keys that callers send with a call that spends, so that its repetition spends nothing.
 *
 * A key is claimed before notes are chosen. It names its payments for as long as the wallet exists; the answer is kept for a
 * day.
 */
import { createHash } from "node:crypto";
import * as v from "valibot";
import { asHash32, type Hash32, type TimestampMs } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { RowSeal } from "../../storage/rows/rowSeal.ts";
import { jsonCodec, type RowTable } from "../../storage/rows/rowTable.ts";
import { tellCounts, type TellFlaw } from "../../storage/rows/storeFlaw.ts";
import {
  countOf,
  numberKey,
  readNumberKey,
  textKey,
  nameKey,
  type StoreReader,
} from "../../storage/rows/storeKeys.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { sealedTable } from "./sealedTable.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

const schema = v.object({
  bodyHash: fields.hash32,
  paymentIds: v.array(v.string()),
  jobId: v.nullable(v.string()),
  answer: v.nullable(v.string()),
  createdMs: fields.timestampMs,
  answeredMs: v.nullable(fields.timestampMs),
});

/** What a key was used for. */
export type IdempotencyRow = {
  /** `requestHash` of the call that claimed it. */
  readonly bodyHash: Hash32;
  /** The payments that were made for it. */
  readonly paymentIds: readonly string[];
  /** The job that makes them. */
  readonly jobId: string | null;
  /** The answer as it was sent; null before there is one, and when it has been dropped. */
  readonly answer: string | null;
  readonly createdMs: TimestampMs;
  /** Null before there is an answer. */
  readonly answeredMs: TimestampMs | null;
};

/** A use of a key. */
export type KeyUse = { readonly token: string; readonly key: string };

/** The result of a claim: the key is new, or was used for the same call, or for another one. */
export type Claim =
  | { readonly kind: "fresh" | "other" }
  | { readonly kind: "same"; readonly row: IdempotencyRow };

/** An index row has no content; its version is there for what may come. */
const INDEXED = Uint8Array.of(1);
const TIME_BYTES = 8;

/** SHA-256 of a call: the length of the route u32, the route, the body. */
export function requestHash(route: string, body: Uint8Array): Hash32 {
  const name = new TextEncoder().encode(route);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, name.length, true);
  const hash = createHash("sha256").update(length).update(name).update(body);
  return asHash32(hash.digest("hex"));
}

/** The keys by wallet. Reads throw as those of `RowTable` do. */
export class IdempotencyTable {
  readonly #store: StoreReader;
  readonly #rows: RowTable<IdempotencyRow>;

  constructor(store: StoreReader, seal: RowSeal | null) {
    this.#store = store;
    this.#rows = sealedTable("idempotency", jsonCodec<IdempotencyRow>(schema), seal);
  }

  /** What a key was used for, or undefined. */
  get(use: KeyUse, reader: StoreReader = this.#store): IdempotencyRow | undefined {
    return this.#rows.get(reader, keyOf(use));
  }

  /** Claims a key for a call. Only a fresh key changes anything. */
  claim(batch: StoreBatch, use: KeyUse, bodyHash: Hash32, nowMs: TimestampMs): Claim {
    const row = this.get(use, batch);
    if (row !== undefined) {
      return row.bodyHash === bodyHash ? { kind: "same", row } : { kind: "other" };
    }
    this.#rows.put(batch, keyOf(use), {
      bodyHash,
      paymentIds: [],
      jobId: null,
      answer: null,
      createdMs: nowMs,
      answeredMs: null,
    });
    return { kind: "fresh" };
  }

  /** Writes what a claimed key stands for. Throws `internal/unexpected` for a key that nobody claimed. */
  name(
    batch: StoreBatch,
    use: KeyUse,
    names: Partial<Pick<IdempotencyRow, "paymentIds" | "jobId">>,
  ): void {
    this.#rows.put(batch, keyOf(use), { ...this.#claimed(batch, use), ...names });
  }

  /** Keeps the answer to a call. Throws `internal/unexpected` for a key that nobody claimed. */
  answer(batch: StoreBatch, use: KeyUse, answer: string, nowMs: TimestampMs): void {
    const row = this.#claimed(batch, use);
    const key = keyOf(use);
    if (row.answeredMs !== null)
      batch.put(STORE_TABLES.answers, indexKey(row.answeredMs, key), null);
    this.#rows.put(batch, key, { ...row, answer, answeredMs: nowMs });
    batch.put(STORE_TABLES.answers, indexKey(nowMs, key), INDEXED);
  }

  /** Drops answers that are a day old, and returns how many: at most `storeExpiredRows`, after which there may be more. */
  expireAnswers(batch: StoreBatch, nowMs: TimestampMs): number {
    const until = nowMs - WALLETD_LIMITS.storeAnswerMs;
    if (until < 0n) return 0;
    const due = batch.range({
      table: STORE_TABLES.answers,
      from: numberKey(0n),
      to: numberKey(until + 1n),
      limit: WALLETD_LIMITS.storeExpiredRows,
    });
    for (const { key } of due) {
      batch.put(STORE_TABLES.answers, key, null);
      const row = this.#rows.get(batch, key.subarray(TIME_BYTES));
      const isThisOne = row?.answeredMs === readNumberKey(key);
      if (row !== undefined && isThisOne) {
        this.#rows.put(batch, key.subarray(TIME_BYTES), { ...row, answer: null });
      }
    }
    return due.length;
  }

  /** Checks all rows, and that the index of answers agrees with them. */
  audit(tell: TellFlaw): void {
    let expected = 0;
    for (const { key, row } of this.#rows.audit(this.#store, tell)) {
      if (row.answer === null) continue;
      expected += 1;
      const place = row.answeredMs === null ? null : indexKey(row.answeredMs, key);
      const isIndexed = place !== null && this.#store.get(STORE_TABLES.answers, place);
      if (!isIndexed) tell("answers", "an answer that would be kept for ever");
    }
    const found = countOf(this.#store, STORE_TABLES.answers);
    tellCounts(tell, "answers", { found, expected });
  }

  /** Forgets the committed keys of a wallet that is deleted. */
  deleteWallet(batch: StoreBatch, token: string): void {
    for (const { key, row } of this.#rows.from(this.#store, nameKey(token))) {
      if (row.answeredMs !== null)
        batch.put(STORE_TABLES.answers, indexKey(row.answeredMs, key), null);
      this.#rows.delete(batch, key);
    }
  }

  #claimed(batch: StoreBatch, use: KeyUse): IdempotencyRow {
    const row = this.get(use, batch);
    if (row === undefined) {
      throw new SvcError("internal/unexpected", { message: "the idempotency key is not claimed" });
    }
    return row;
  }
}

function keyOf({ token, key }: KeyUse): Uint8Array {
  return concatBytes(nameKey(token), textKey(key));
}

function indexKey(answeredMs: TimestampMs, key: Uint8Array): Uint8Array {
  return concatBytes(numberKey(answeredMs), key);
}
