/**
 * The feeds of all wallets. A feed's cursors are 1, 2, 3, … without a gap, and only grow.
 *
 * What happened is the key of an event: a block that is scanned again finds it and writes nothing. Credits that were not
 * reversed are listed by their blocks, so that a scan which comes past a block again can tell what it no longer finds there.
 */
import * as v from "valibot";
import { concatBytes, equalBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { depositKey, depositSchema, undoneKeys, type DepositEvent } from "./depositEvent.ts";
import type { RowSeal } from "../../storage/rows/rowSeal.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { TellFlaw } from "../../storage/rows/storeFlaw.ts";
import {
  keysFrom,
  numberKey,
  pairsFrom,
  pairsIn,
  readNumberKey,
  readNameKey,
  textKey,
  nameKey,
  type StoreReader,
} from "../../storage/rows/storeKeys.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { sealedTable } from "./sealedTable.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

/** An event with its place in the feed. */
export type FeedEntry = { readonly cursor: bigint; readonly event: DepositEvent };

const CURSOR_BYTES = 8;
const CURSOR_MOST = 0xffff_ffff_ffff_ffffn;

const place = jsonCodec<{ readonly cursor: bigint }>(v.object({ cursor: fields.u64 }));

/** The events by wallet and cursor. Reads throw as those of `RowTable` do. */
export class EventTable {
  readonly #store: StoreReader;
  readonly #rows: RowTable<DepositEvent>;
  readonly #keys: RowTable<{ readonly cursor: bigint }>;
  readonly #heads: RowTable<{ readonly cursor: bigint }>;
  readonly #credits: RowTable<{ readonly cursor: bigint }>;

  constructor(store: StoreReader, seal: RowSeal | null) {
    this.#store = store;
    const { eventKeys, eventHeads, credits } = STORE_TABLES;
    this.#rows = sealedTable("events", jsonCodec(depositSchema), seal);
    this.#keys = new RowTable({ table: eventKeys, name: "event_keys", codec: place, seal: null });
    this.#heads = new RowTable({
      table: eventHeads,
      name: "event_heads",
      codec: place,
      seal: null,
    });
    this.#credits = new RowTable({ table: credits, name: "credits", codec: place, seal: null });
  }

  /** The last cursor of a wallet's feed; 0 for an empty one. */
  head(token: string, reader: StoreReader = this.#store): bigint {
    return this.#heads.get(reader, nameKey(token))?.cursor ?? 0n;
  }

  /** Appends an event and returns its cursor; null when it is there already, and for a reversal of what is not credited. */
  append(batch: StoreBatch, token: string, event: DepositEvent): bigint | null {
    const wallet = nameKey(token);
    const keyOf = (text: string) => concatBytes(wallet, textKey(text));
    const key = keyOf(depositKey(event));
    if (this.#keys.get(batch, key) !== undefined) return null;
    const credit = keyOf(depositKey(event, "credited"));
    if (event.kind === "reversed" && this.#keys.get(batch, credit) === undefined) return null;
    const cursor = this.head(token, batch) + 1n;
    this.#rows.put(batch, concatBytes(wallet, numberKey(cursor)), event);
    this.#keys.put(batch, key, { cursor });
    this.#heads.put(batch, wallet, { cursor });
    for (const undone of undoneKeys(event)) this.#keys.delete(batch, keyOf(undone));
    this.#listCredit(batch, wallet, event, cursor);
    return cursor;
  }

  /** The credits that stand, of blocks above one chain index and up to another, in the order of their blocks. */
  *standing(
    token: string,
    above: bigint,
    upTo: bigint,
    reader: StoreReader = this.#store,
  ): Generator<DepositEvent, void> {
    const wallet = nameKey(token);
    const [from, to] = [above + 1n, upTo + 1n].map((index) =>
      concatBytes(wallet, numberKey(index)),
    );
    if (from === undefined || to === undefined || above >= upTo) return;
    const pairs = pairsIn(reader, { table: STORE_TABLES.credits, from, to });
    for (const { key } of pairs) {
      const cursor = this.#credits.get(reader, key)?.cursor;
      const row =
        cursor === undefined
          ? undefined
          : this.#rows.get(reader, concatBytes(wallet, numberKey(cursor)));
      if (row === undefined) throw this.#credits.corrupt("a credit without its event");
      yield row;
    }
  }

  /** The credit of an output that stands, whatever its block; undefined for none. */
  creditOf(
    token: string,
    output: Pick<DepositEvent, "txid" | "outputIndex">,
    reader: StoreReader = this.#store,
  ): DepositEvent | undefined {
    const wallet = nameKey(token);
    const found = this.#keys.get(reader, concatBytes(wallet, textKey(outputKey(output))));
    return found === undefined ? undefined : this.at(token, found.cursor, reader);
  }

  /** The chain index of the highest block with a credit that stands; null for none. */
  highestCredit(token: string, reader: StoreReader = this.#store): bigint | null {
    const wallet = nameKey(token);
    const { from, to } = keysFrom(wallet);
    const [last] = reader.range({ table: STORE_TABLES.credits, from, to, limit: 1, reverse: true });
    return last === undefined ? null : readNumberKey(last.key.subarray(wallet.length));
  }

  #listCredit(batch: StoreBatch, wallet: Uint8Array, event: DepositEvent, cursor: bigint): void {
    if (event.chainIndex === null || (event.kind !== "credited" && event.kind !== "reversed"))
      return;
    const what = textKey(depositKey(event, "credited"));
    const key = concatBytes(wallet, numberKey(event.chainIndex), what);
    const output = concatBytes(wallet, textKey(outputKey(event)));
    if (event.kind === "credited") {
      this.#credits.put(batch, key, { cursor });
      this.#keys.put(batch, output, { cursor });
      return;
    }
    this.#credits.delete(batch, key);
    this.#keys.delete(batch, output);
  }

  /** The events after a cursor, at most `limit` and at most `storeEventPage`; a limit below 1 counts as 1. */
  after(
    token: string,
    cursor: bigint,
    limit: number,
    reader: StoreReader = this.#store,
  ): readonly FeedEntry[] {
    if (cursor >= CURSOR_MOST) return [];
    const wallet = nameKey(token);
    const from = concatBytes(wallet, numberKey(cursor < 0n ? 0n : cursor + 1n));
    const count = Math.min(Math.max(1, limit), WALLETD_LIMITS.storeEventPage);
    const rows = this.#rows.page(reader, { from, to: keysFrom(wallet).to, limit: count });
    return rows.map(({ key, row }) => {
      const found = readNumberKey(key.subarray(-CURSOR_BYTES));
      if (found === null) throw this.#rows.corrupt("key");
      return { cursor: found, event: row };
    });
  }

  /** Checks all rows: that no cursor is missing, and that heads and keys name events that are there. */
  audit(tell: TellFlaw): void {
    const counts = new Map<string, bigint>();
    for (const { key } of this.#rows.audit(this.#store, tell)) {
      const token = readNameKey(key)?.name ?? "";
      const expected = (counts.get(token) ?? 0n) + 1n;
      const found = readNumberKey(key.subarray(-CURSOR_BYTES));
      if (found !== expected) tell("events", `event ${expected} of a feed is missing`);
      counts.set(token, found ?? expected);
    }
    for (const { key, row } of this.#heads.audit(this.#store, tell)) {
      const token = readNameKey(key)?.name ?? "";
      const found = counts.get(token) ?? 0n;
      if (row.cursor !== found) tell("event_heads", `${row.cursor} for a feed of ${found} events`);
      counts.delete(token);
    }
    if (counts.size > 0) tell("event_heads", `${counts.size} feeds have no head`);
    for (const { key, row } of this.#keys.audit(this.#store, tell)) {
      if (!this.#isKeyOf(key, row.cursor)) tell("event_keys", "a key of no event");
    }
  }

  /** Whether a key stands for what the event at this cursor tells. One that does not read was told of already. */
  #isKeyOf(key: Uint8Array, cursor: bigint): boolean {
    const token = readNameKey(key)?.name ?? "";
    if (token === "") return false;
    const wallet = nameKey(token);
    let event: DepositEvent | undefined;
    try {
      event = this.#rows.get(this.#store, concatBytes(wallet, numberKey(cursor)));
    } catch {
      return true;
    }
    if (event === undefined) return false;
    const texts = [depositKey(event), outputKey(event)];
    return texts.some((text) => equalBytes(key, concatBytes(wallet, textKey(text))));
  }

  /** The event at a cursor, or undefined. */
  at(token: string, cursor: bigint, reader: StoreReader = this.#store): DepositEvent | undefined {
    if (cursor < 1n || cursor > CURSOR_MOST) return undefined;
    return this.#rows.get(reader, concatBytes(nameKey(token), numberKey(cursor)));
  }

  /** Forgets the committed feed of a wallet that is deleted. */
  deleteWallet(batch: StoreBatch, token: string): void {
    const wallet = nameKey(token);
    for (const table of [STORE_TABLES.events, STORE_TABLES.eventKeys, STORE_TABLES.credits]) {
      for (const { key } of pairsFrom(this.#store, table, wallet)) batch.put(table, key, null);
    }
    this.#heads.delete(batch, wallet);
  }
}

/** What a transaction pays once, in whichever block. */
function outputKey({ txid, outputIndex }: Pick<DepositEvent, "txid" | "outputIndex">): string {
  return `credit:${txid}:${outputIndex}`;
}
