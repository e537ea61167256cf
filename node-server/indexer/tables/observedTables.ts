/**
 * The observed tables of sightings: when blocks and transactions first came, and who delivered blocks first, by masked subnetwork. They
 * cannot be made anew, so a damaged row is left out and the others are kept.
 */
import { asTimestampMs, type Hash32, type TimestampMs } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { nameKey, numberKey, readNameKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { getRow, openPair, putRow, unlessDamaged } from "./checkedRows.ts";
import { OBSERVED_TABLES as TABLES } from "./indexLayout.ts";
import { bytesCodec } from "./rowBytes.ts";

/** What peers of a subnetwork were the first to deliver, in an hour. */
export type RelayRow = {
  readonly blocks: number;
  readonly mergeMined: number;
  /** Of the newest merge-mined one; 0 for none. */
  readonly lastMerged: TimestampMs;
};

const RELAY = bytesCodec<RelayRow>(
  (writer, row) => writer.u32(row.blocks).u32(row.mergeMined).u64(row.lastMerged),
  (reader) => ({
    blocks: reader.u32(),
    mergeMined: reader.u32(),
    lastMerged: asTimestampMs(reader.u64()),
  }),
);

const TIME = bytesCodec<TimestampMs>(
  (writer, t) => writer.u64(t),
  (reader) => asTimestampMs(reader.u64()),
);
const START_KEY = new TextEncoder().encode("start");

/** When this node began to watch; undefined before it did. */
export function watchedSince(reader: StoreReader): TimestampMs | undefined {
  return unlessDamaged(() => getRow(reader, TABLES.state, START_KEY, TIME));
}

/** Notes that watching begins. */
export function putWatchedSince(batch: StoreBatch, t: TimestampMs): void {
  putRow(batch, { table: TABLES.state, key: START_KEY, codec: TIME }, t);
}

/** When a block or transaction was first seen. */
export function firstSeen(reader: StoreReader, hash: Hash32): TimestampMs | undefined {
  return unlessDamaged(() => getRow(reader, TABLES.seen, decodeHex(hash), TIME));
}

/** Writes when a block or transaction was first seen. */
export function putFirstSeen(batch: StoreBatch, hash: Hash32, t: TimestampMs): void {
  putRow(batch, { table: TABLES.seen, key: decodeHex(hash), codec: TIME }, t);
}

function relayKey(hour: bigint, net: string): Uint8Array {
  return concatBytes(numberKey(hour), nameKey(net));
}

/** What a subnetwork delivered in an hour. */
export function relayRow(reader: StoreReader, hour: bigint, net: string): RelayRow | undefined {
  return unlessDamaged(() => getRow(reader, TABLES.relayers, relayKey(hour, net), RELAY));
}

/** Writes what a subnetwork delivered in an hour. */
export function putRelay(batch: StoreBatch, hour: bigint, net: string, row: RelayRow): void {
  putRow(batch, { table: TABLES.relayers, key: relayKey(hour, net), codec: RELAY }, row);
}

/** What subnetworks delivered in an hour. */
export function relaysIn(
  reader: StoreReader,
  hour: bigint,
  limit: number,
): { readonly net: string; readonly row: RelayRow }[] {
  const range = { from: numberKey(hour), to: numberKey(hour + 1n), limit };
  return reader.range({ ...range, table: TABLES.relayers }).flatMap((pair) => {
    const row = unlessDamaged(() => openPair(TABLES.relayers, pair, RELAY));
    const net = readNameKey(pair.key.subarray(8))?.name ?? "";
    return row === undefined ? [] : [{ net, row }];
  });
}
