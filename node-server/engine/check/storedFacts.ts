/** Consistency check of a store's summary records: the selected chain, counts, tips. */
import { ByteReader } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { consensusTable } from "../../storage/layout.ts";
import type { CheckedStores } from "./checkPage.ts";
import type { CheckedSide } from "./checkTables.ts";
import {
  difference,
  readingAt,
  recordDifference,
  requireSame,
  sameBytes,
  storedRecord,
  type RecordPlace,
} from "./storeDifference.ts";
import { readCounters, readPruning, readStatus, type CountersRecord } from "./storedRecords.ts";

const META = consensusTable("meta");
const STATUS = consensusTable("status");
const BY_INDEX = consensusTable("chain_by_index");
const BY_HASH = consensusTable("chain_by_hash");
const PRUNING_POINTS = consensusTable("pruning_points");
const CHAIN_STATE = consensusTable("chain_state");
const HASH_BYTES = 32;
const U64_BYTES = 8;
const PENDING = 3;
const VALID = 4;

/** The place of the record of an index of the selected chain. */
export function indexPlace(index: bigint): RecordPlace {
  const key = new Uint8Array(U64_BYTES);
  new DataView(key.buffer).setBigUint64(0, index);
  return { table: BY_INDEX, key };
}

/** The place of a record of the meta table. */
export function metaPlace(name: string): RecordPlace {
  return { table: META, key: new TextEncoder().encode(name) };
}

/** A block of the selected chain, the one before it, and its selected parent. */
export type ChainStep = {
  readonly hash: string;
  readonly parent: string;
  readonly found: string;
};

/** Reads and checks the summary records; every call may fail with `verify/difference`. */
export class StoredFacts {
  readonly #stores: CheckedStores;

  constructor(stores: CheckedStores) {
    this.#stores = stores;
  }

  /** A record of the meta table. */
  meta(name: string): Uint8Array | undefined {
    return storedRecord(this.#stores.stored, META, metaPlace(name).key);
  }

  /** The first hash of a record of the meta table. */
  hashAt(name: string): string {
    const bytes = this.meta(name);
    if (bytes === undefined || bytes.length < HASH_BYTES) {
      throw recordDifference(metaPlace(name), bytes, undefined);
    }
    return encodeHex(bytes.subarray(0, HASH_BYTES));
  }

  /** A store of another layout is first brought up to date by a node. Errors: `store/version`. */
  requireLayout(): void {
    const own = this.#own(metaPlace("version"));
    const found = this.meta("version");
    if (sameBytes(found, own)) return;
    const number = (bytes: Uint8Array | undefined): number =>
      bytes?.length === 4 ? new ByteReader(bytes).u32() : 0;
    throw new SvcError("store/version", { expected: number(own), found: number(found) });
  }

  /** How many headers and bodies the store says it has. */
  counters(): CountersRecord {
    const place = metaPlace("counters");
    const bytes = this.meta("counters");
    if (bytes === undefined) throw recordDifference(place, bytes, undefined);
    return readingAt(place, () => readCounters(bytes));
  }

  /** The block at an index of the selected chain. */
  chainAt(index: bigint): string {
    const place = indexPlace(index);
    const bytes = storedRecord(this.#stores.stored, BY_INDEX, place.key);
    if (bytes?.length === HASH_BYTES) return encodeHex(bytes);
    throw recordDifference(place, bytes, undefined);
  }

  /** The index of the sink. */
  indexOf(sink: string): bigint {
    const place = { table: BY_HASH, key: decodeHex(sink) };
    const bytes = storedRecord(this.#stores.stored, BY_HASH, place.key);
    if (bytes?.length === U64_BYTES) return new ByteReader(bytes).u64();
    throw difference(place, { stored: "nothing", computed: "the index of the sink" });
  }

  /** The blocks of the selected chain are genesis and then each the selected child of the one before. */
  requireChild(index: bigint, { hash, parent, found }: ChainStep): void {
    const { computed } = this.#stores;
    const isGenesis = callCore(() => computed.chainHashAt(0n)) === hash;
    if (index === 0n ? isGenesis : found === parent) return;
    const wanted = index === 0n ? "genesis" : `a block whose selected parent is ${parent}`;
    throw difference(indexPlace(index), { stored: hash, computed: wanted });
  }

  /** Stage of a block; 0 where nothing is known of it. */
  stage(key: Uint8Array): number {
    const bytes = storedRecord(this.#stores.stored, STATUS, key);
    const place = { table: STATUS, key };
    return bytes === undefined ? 0 : readingAt(place, () => readStatus(bytes).stage);
  }

  /** Whether one side alone has judged a block that the other had no reason to: that depends on the order of arrival. */
  isJudgedOnlyIn(side: CheckedSide, key: Uint8Array): boolean {
    const own = this.#own({ table: STATUS, key });
    if (own === undefined) return false;
    const stages = { stored: this.stage(key), computed: readStatus(own).stage };
    const other = side === "stored" ? stages.computed : stages.stored;
    return stages[side] === VALID && other === PENDING;
  }

  /** Whether a row root, block that one side has for itself tells what that block's state says. */
  isProducer(side: CheckedSide, key: Uint8Array): boolean {
    const block = key.subarray(HASH_BYTES);
    if (key.length !== 2 * HASH_BYTES || !this.isJudgedOnlyIn(side, block)) return false;
    if (side === "computed") return true;
    const facts: unknown = readingAt({ table: CHAIN_STATE, key: block }, () =>
      JSON.parse(callCore(() => this.#stores.stored.shieldedFacts(encodeHex(block)))),
    );
    const root = encodeHex(key.subarray(0, HASH_BYTES));
    return typeof facts === "object" && facts !== null && "root" in facts && facts.root === root;
  }

  /** The number of headers is what the store says. */
  requireHeaders(count: bigint): void {
    const { headers } = this.counters();
    if (headers === count) return;
    const sides = { stored: `${headers} headers`, computed: `${count} headers` };
    throw difference(metaPlace("counters"), sides);
  }

  /** Whether pruning points are those that the chain comes to, with all scan records; a node may be behind by some. */
  requirePruningPoints(): boolean {
    const place = metaPlace("pruning");
    const [stored, own] = [this.meta("pruning"), this.#own(place)];
    if (stored === undefined || own === undefined) throw recordDifference(place, stored, own);
    const there = readingAt(place, () => readPruning(stored));
    const here = readPruning(own);
    const isFromGenesis =
      there.historyBase === here.historyBase && there.isStateMissing === here.isStateMissing;
    if (!isFromGenesis || there.index > here.index) throw recordDifference(place, stored, own);
    for (let index = 0n; index <= there.index; index += 1n) {
      const row = { table: PRUNING_POINTS, key: indexPlace(index).key };
      const found = storedRecord(this.#stores.stored, PRUNING_POINTS, row.key);
      requireSame(row, found, this.#own(row));
      const isLast = index === there.index;
      if (isLast && (found === undefined || encodeHex(found) !== there.point)) {
        throw recordDifference(place, stored, own);
      }
    }
    const beyond = { table: PRUNING_POINTS, key: indexPlace(there.index + 1n).key };
    requireSame(beyond, storedRecord(this.#stores.stored, PRUNING_POINTS, beyond.key), undefined);
    return there.index === here.index;
  }

  /** Number of bodies, tips, and the parents a block built now would have. */
  checkCounts(): void {
    const isUpToDate = this.requirePruningPoints();
    const own = this.#own(metaPlace("counters"));
    const { bodies } = this.counters();
    if (own === undefined || readCounters(own).bodies !== bodies) {
      throw recordDifference(metaPlace("counters"), this.meta("counters"), own);
    }
    // Tips that a new pruning point leaves behind are dropped with it.
    if (isUpToDate) requireSame(metaPlace("tips"), this.meta("tips"), this.#own(metaPlace("tips")));
    const virtual = this.meta("virtual") ?? new Uint8Array();
    for (let at = HASH_BYTES; at < virtual.length; at += HASH_BYTES) {
      if (this.stage(virtual.subarray(at, at + HASH_BYTES)) >= PENDING) continue;
      const computed = "parents that are accepted blocks";
      throw difference(metaPlace("virtual"), { stored: encodeHex(virtual.subarray(at)), computed });
    }
  }

  #own({ table, key }: RecordPlace): Uint8Array | undefined {
    return callCore(() => this.#stores.computed.storedRecord(table, key));
  }
}
