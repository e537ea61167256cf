/**
 * Deliveries of feed entries to the webhook: one for each entry that was written while there was a webhook. A wallet's entries go
 * out in order, so only the first that is not done is ever due; a dead letter that somebody asks for again is due beside it.
 */
import * as v from "valibot";
import { asTimestampMs, type TimestampMs } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import { errorSchema } from "@svc/shared/wallet/state/paymentSchema.ts";
import { KEYS_END } from "../../storage/kv.ts";
import { STORAGE_LIMITS } from "../../storage/storageLimits.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import { tellCounts, type TellFlaw } from "../../storage/rows/storeFlaw.ts";
import {
  countOf,
  keyAfter,
  keysFrom,
  numberKey,
  pairsFrom,
  pairsIn,
  readNumberKey,
  readNameKey,
  nameKey,
  type StoreReader,
} from "../../storage/rows/storeKeys.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

/** A delivery. */
export type DeliveryRow = {
  /** Names the event to the receiver: `evt_` and 40 hex digits, the cursor among them. */
  readonly id: string;
  readonly state: "waiting" | "delivered" | "dead";
  /** Tries that have failed since it was made, or asked for again. */
  readonly attempts: number;
  /** When it was made, or asked for again. */
  readonly createdMs: TimestampMs;
  /** When it is tried next. */
  readonly dueMs: TimestampMs;
  /** Why the last try failed; null when none did. */
  readonly error: ErrorJson | null;
};

/** The place of a delivery: the wallet, and the cursor of the feed's entry. */
export type DeliveryPlace = { readonly token: string; readonly cursor: bigint };

/** A delivery and its place. */
export type PlacedDelivery = DeliveryPlace & { readonly row: DeliveryRow };

const schema: v.GenericSchema<unknown, DeliveryRow> = v.object({
  id: v.pipe(v.string(), v.regex(/^evt_[0-9a-f]{40}$/)),
  state: v.picklist(["waiting", "delivered", "dead"]),
  attempts: fields.u32,
  createdMs: fields.timestampMs,
  dueMs: fields.timestampMs,
  error: v.nullable(errorSchema),
});

/** An index row has no content; its version is there for what may come. */
const INDEXED = Uint8Array.of(1);
const TIME_BYTES = 8;

/** The deliveries by wallet and cursor. Reads throw as those of `RowTable` do. */
export class DeliveryTable {
  readonly #store: StoreReader;
  readonly #rows = new RowTable({
    table: STORE_TABLES.deliveries,
    name: "deliveries",
    codec: jsonCodec(schema),
    seal: null,
  });
  readonly #heads = new RowTable({
    table: STORE_TABLES.deliveryHeads,
    name: "delivery_heads",
    codec: jsonCodec<{ readonly cursor: bigint }>(v.object({ cursor: fields.u64 })),
    seal: null,
  });

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** A delivery, or undefined. */
  get(place: DeliveryPlace, reader: StoreReader = this.#store): DeliveryRow | undefined {
    return this.#rows.get(reader, keyOf(place));
  }

  /** Adds the delivery of a new entry, which is due when those before it are done. */
  add(batch: StoreBatch, place: DeliveryPlace, row: DeliveryRow): void {
    this.#rows.put(batch, keyOf(place), row);
    const wallet = nameKey(place.token);
    if (this.#heads.get(batch, wallet) === undefined) this.#lead(batch, place, row);
  }

  /**
   * Writes down how a try ended. The next of the wallet is due when this one is done, and those done long before it are forgotten.
   * Nothing for one that is not there.
   */
  change(batch: StoreBatch, place: DeliveryPlace, row: DeliveryRow): void {
    const before = this.get(place, batch);
    if (before === undefined) return;
    batch.put(STORE_TABLES.deliveriesDue, dueKey(place, before.dueMs), null);
    this.#rows.put(batch, keyOf(place), row);
    if (before.state !== row.state) {
      batch.put(STORE_TABLES.deliveriesDead, keyOf(place), row.state === "dead" ? INDEXED : null);
    }
    if (row.state === "waiting") {
      batch.put(STORE_TABLES.deliveriesDue, dueKey(place, row.dueMs), INDEXED);
      return;
    }
    if (this.#isHead(batch, place)) this.#advance(batch, place);
    this.#forgetOld(batch, place);
  }

  /**
   * Makes a delivery due now, one that is done too, beside the order of the others. False when there is none, or when it waits for
   * one before it.
   */
  again(batch: StoreBatch, place: DeliveryPlace, nowMs: TimestampMs): boolean {
    const before = this.get(place, batch);
    if (before === undefined) return false;
    if (before.state === "waiting" && !this.#isDue(batch, place, before)) return false;
    const createdMs = before.state === "waiting" ? before.createdMs : nowMs;
    const attempts = before.state === "waiting" ? before.attempts : 0;
    this.change(batch, place, { ...before, state: "waiting", attempts, createdMs, dueMs: nowMs });
    return true;
  }

  /** Deliveries that are due, those due longest first. One that is due later than any pause lasts is due: a clock was set back. */
  due(nowMs: TimestampMs, pauseMs: bigint, limit: number): readonly PlacedDelivery[] {
    const table = STORE_TABLES.deliveriesDue;
    const from = numberKey(0n);
    const late = this.#store.range({ table, from, to: numberKey(nowMs + 1n), limit });
    const far = numberKey(nowMs + pauseMs + 1n);
    const odd = this.#store.range({ table, from: far, to: KEYS_END, limit: limit - late.length });
    return [...late, ...odd].map(({ key }) => this.#placed(key.subarray(TIME_BYTES)));
  }

  /** When the next one is due; null for never. */
  nextMs(): TimestampMs | null {
    const range = { table: STORE_TABLES.deliveriesDue, from: numberKey(0n), to: KEYS_END };
    const [first] = this.#store.range({ ...range, limit: 1 });
    const time = first === undefined ? null : readNumberKey(first.key);
    return time === null ? null : asTimestampMs(time);
  }

  /** The deliveries of a wallet after a cursor, at most `limit` and at most `storeEventPage`. */
  after(token: string, cursor: bigint, limit: number): readonly PlacedDelivery[] {
    return this.#rows
      .page(this.#store, behind({ token, cursor }, limit))
      .map(({ key, row }) => ({ token, cursor: this.#cursorIn(key), row }));
  }

  /** The dead letters of a wallet after a cursor, as `after` gives them. */
  deadAfter(token: string, cursor: bigint, limit: number): readonly PlacedDelivery[] {
    const range = { ...behind({ token, cursor }, limit), table: STORE_TABLES.deliveriesDead };
    return this.#store.range(range).map(({ key }) => this.#placed(key));
  }

  /** How many wait in all feeds, and how many are dead letters; each is counted up to `most`. */
  counts(most: number): { readonly waiting: number; readonly dead: number } {
    const all = { from: Uint8Array.of(), to: KEYS_END };
    const dead = pairsIn(this.#store, { ...all, table: STORE_TABLES.deliveriesDead });
    return { waiting: countUpTo(this.#waiting(), most), dead: countUpTo(dead, most) };
  }

  /** Tells what is wrong with the deliveries, and with the indexes over them. */
  audit(tell: TellFlaw): void {
    let expected = 0;
    for (const { key, row } of this.#rows.audit(this.#store, tell)) {
      const isDead = row.state === "dead";
      if (isDead) expected += 1;
      const isListed = this.#store.get(STORE_TABLES.deliveriesDead, key) !== undefined;
      if (isDead !== isListed) tell("deliveries_dead", "it differs from the deliveries");
    }
    const found = countOf(this.#store, STORE_TABLES.deliveriesDead);
    tellCounts(tell, "deliveries_dead", { found, expected });
    for (const { key, row } of this.#heads.audit(this.#store, tell)) {
      // A damaged delivery was told of already.
      const first = this.#read(concatBytes(key, numberKey(row.cursor)));
      const isOpen = first === "damaged" || first?.state === "waiting";
      if (!isOpen) tell("delivery_heads", `${row.cursor} is no delivery that waits`);
    }
    for (const { key } of pairsFrom(this.#store, STORE_TABLES.deliveriesDue, Uint8Array.of())) {
      const due = this.#read(key.subarray(TIME_BYTES));
      const isDue = due === "damaged" || due?.dueMs === readNumberKey(key);
      if (!isDue) tell("deliveries_due", "a time of no delivery");
    }
  }

  #read(key: Uint8Array, reader = this.#store): DeliveryRow | "damaged" | undefined {
    try {
      return this.#rows.get(reader, key);
    } catch {
      return "damaged";
    }
  }

  /** Forgets the committed deliveries of a wallet that is deleted. */
  deleteWallet(batch: StoreBatch, token: string): void {
    for (const { key, row } of this.#rows.from(this.#store, nameKey(token))) {
      const place = { token, cursor: this.#cursorIn(key) };
      batch.put(STORE_TABLES.deliveriesDue, dueKey(place, row.dueMs), null);
      batch.put(STORE_TABLES.deliveriesDead, key, null);
      this.#rows.delete(batch, key);
    }
    this.#heads.delete(batch, nameKey(token));
  }

  /** What is due, and what stands behind the first of each wallet. */
  *#waiting(): Generator<unknown, void> {
    const all = { from: Uint8Array.of(), to: KEYS_END };
    yield* pairsIn(this.#store, { ...all, table: STORE_TABLES.deliveriesDue });
    for (const { key } of pairsIn(this.#store, { ...all, table: STORE_TABLES.deliveryHeads })) {
      const head = this.#heads.get(this.#store, key)?.cursor;
      if (head === undefined) continue;
      const from = keyAfter(concatBytes(key, numberKey(head)));
      const to = keysFrom(key).to;
      yield* pairsIn(this.#store, { table: STORE_TABLES.deliveries, from, to });
    }
  }

  #lead(batch: StoreBatch, place: DeliveryPlace, row: DeliveryRow): void {
    this.#heads.put(batch, nameKey(place.token), { cursor: place.cursor });
    batch.put(STORE_TABLES.deliveriesDue, dueKey(place, row.dueMs), INDEXED);
  }

  #isHead(batch: StoreBatch, { token, cursor }: DeliveryPlace): boolean {
    return this.#heads.get(batch, nameKey(token))?.cursor === cursor;
  }

  #isDue(batch: StoreBatch, place: DeliveryPlace, { dueMs }: DeliveryRow): boolean {
    return batch.get(STORE_TABLES.deliveriesDue, dueKey(place, dueMs)) !== undefined;
  }

  /** Nothing behind the first that is not done is done. */
  #advance(batch: StoreBatch, { token, cursor }: DeliveryPlace): void {
    const wallet = nameKey(token);
    const from = keyAfter(keyOf({ token, cursor }));
    const [next] = this.#rows.page(batch, { from, to: keysFrom(wallet).to, limit: 1 });
    if (next === undefined) this.#heads.delete(batch, wallet);
    else this.#lead(batch, { token, cursor: this.#cursorIn(next.key) }, next.row);
  }

  /**
   * Of what lies more than `webhooksKept` entries of the feed behind, all goes that is not to be sent any more. A damaged row stays for
   * the doctor: it keeps no delivery from being written down.
   */
  #forgetOld(batch: StoreBatch, { token, cursor }: DeliveryPlace): void {
    const end = cursor - WALLETD_LIMITS.webhooksKept;
    if (end <= 0n) return;
    const [from, to] = [keyOf({ token, cursor: 0n }), keyOf({ token, cursor: end + 1n })];
    const limit = STORAGE_LIMITS.storePageRows;
    for (const { key } of batch.range({ table: STORE_TABLES.deliveries, from, to, limit })) {
      const row = this.#read(key, batch);
      if (row === undefined || row === "damaged" || row.state === "waiting") continue;
      batch.put(STORE_TABLES.deliveriesDead, key, null);
      this.#rows.delete(batch, key);
    }
  }

  /** The delivery that a key names. */
  #placed(key: Uint8Array): PlacedDelivery {
    const wallet = readNameKey(key);
    const cursor = wallet === null ? null : readNumberKey(wallet.rest);
    if (wallet === null || cursor === null) throw this.#rows.corrupt("key");
    const place = { token: wallet.name, cursor };
    const row = this.get(place);
    if (row === undefined) throw this.#rows.corrupt(`no delivery ${cursor}`);
    return { ...place, row };
  }

  #cursorIn(key: Uint8Array): bigint {
    const cursor = readNumberKey(key.subarray(-TIME_BYTES));
    if (cursor === null) throw this.#rows.corrupt("key");
    return cursor;
  }
}

/** The range of a wallet's deliveries behind a place. */
function behind(place: DeliveryPlace, limit: number) {
  const count = Math.min(Math.max(1, limit), WALLETD_LIMITS.storeEventPage);
  return { from: keyAfter(keyOf(place)), to: keysFrom(nameKey(place.token)).to, limit: count };
}

function countUpTo(things: Iterable<unknown>, most: number): number {
  let count = 0;
  for (const _thing of things) {
    if (count >= most) break;
    count += 1;
  }
  return count;
}

function keyOf({ token, cursor }: DeliveryPlace): Uint8Array {
  return concatBytes(nameKey(token), numberKey(cursor));
}

function dueKey(place: DeliveryPlace, dueMs: TimestampMs): Uint8Array {
  return concatBytes(numberKey(dueMs), keyOf(place));
}
