/** Migration fixtures: data folders as nodes of older builds left them, made from stored rows. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, gunzipSync } from "node:zlib";
import * as v from "valibot";
import { HOST_TABLE, NEXT_SEGMENT_KEY, VERSION_KEY } from "@svc/node-server/storage/hostTable.ts";
import type { KvChange } from "@svc/node-server/storage/kv.ts";
import {
  consensusTable,
  CONSENSUS_LAYOUT,
  largeTables,
  META_LAYOUT,
} from "@svc/node-server/storage/layout.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { inlineRow, locatedRow } from "@svc/node-server/storage/segmentLocator.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { consensusFolders } from "../../contract/kv/hostFixture.ts";

const STORES = new URL("../../fixtures/stores/", import.meta.url);
const LARGE = largeTables(CONSENSUS_LAYOUT);
/** Bytes before each value in a segment file: its length and its checksum. */
const HEADER_BYTES = 8;
/** Values above it went to segment files. That was 1 KiB; a chain without payments has no such values. */
const INLINE_BYTES = 100;
/** Of the one file that layout 1 began with. */
const FIRST_SEGMENT = 1;

const bytes = v.pipe(v.string(), v.transform(decodeHex));
const row = v.object({ table: v.number(), key: bytes, value: bytes });
const head = v.object({ origin: v.string(), profile: v.looseObject({ networkName: v.string() }) });
const metaLine = v.union([v.strictObject({ origin: v.string() }), v.strictObject({ stored: row })]);

type Row = v.InferOutput<typeof row>;

/** Layouts of the engine that a fixture is there of. */
export type OldLayout = 1 | 2;

/** The chain of a fixture, as its own rows have it. */
export type OldChain = {
  readonly layout: OldLayout;
  /** JSON of the profile. */
  readonly profile: string;
  /** Where the databases lie below a data folder. */
  readonly networkName: string;
  readonly blocks: bigint;
  readonly sink: string;
  readonly rows: readonly Row[];
};

/** Reads the fixture of an engine's layout. */
export function oldChain(layout: OldLayout): OldChain {
  const packed = readFileSync(new URL(`layout-${layout}.jsonl.gz`, STORES));
  const [first = "", ...lines] = gunzipSync(packed).toString().trimEnd().split("\n");
  const { profile } = v.parse(head, JSON.parse(first));
  const rows = lines.map((text) => v.parse(row, JSON.parse(text)));
  const rowsOf = (name: string): Row[] =>
    rows.filter(({ table }) => table === consensusTable(name));
  return {
    layout,
    profile: JSON.stringify(profile),
    networkName: profile.networkName,
    blocks: BigInt(rowsOf("bodies").length),
    sink: encodeHex(rowsOf("chain_by_index").at(-1)?.value ?? new Uint8Array()),
    rows,
  };
}

/** Writes the folder of a node with this chain; its databases have the layouts of the same day. */
export async function writeOldFolder(appdir: string, chain: OldChain): Promise<void> {
  const root = join(appdir, chain.networkName);
  mkdirSync(root, { recursive: true });
  await (chain.layout === 1 ? writeOneStream : writePresentStreams)(root, chain.rows);
  await writeOldMeta(root);
}

/** Host layout 1: large values of all tables in one stream of files, whose tail is a row. */
async function writeOneStream(root: string, rows: readonly Row[]): Promise<void> {
  const { path, segments } = consensusFolders(root);
  const records: Buffer[] = [];
  let length = 0;
  const stored = rows.map((entry): KvChange => {
    const { table, value } = entry;
    if (!LARGE.has(table)) return entry;
    if (value.length <= INLINE_BYTES) return { ...entry, value: inlineRow(value) };
    const record = recordOf(value);
    const offset = length + HEADER_BYTES;
    records.push(record);
    length += record.length;
    const place = { segment: FIRST_SEGMENT, offset, length: value.length };
    return { ...entry, value: locatedRow(place) };
  });
  const tail = Buffer.concat([u32(FIRST_SEGMENT), u32(length)]);
  const host = [
    { table: HOST_TABLE, key: VERSION_KEY, value: u32(1) },
    { table: HOST_TABLE, key: NEXT_SEGMENT_KEY, value: tail },
  ];
  await writeRows(path, [...stored, ...host]);
  mkdirSync(segments);
  writeFileSync(join(segments, "00000001.seg"), Buffer.concat(records));
}

/** Host layout 2, which has not changed since. */
async function writePresentStreams(root: string, rows: readonly Row[]): Promise<void> {
  const { store } = await openStore(root, CONSENSUS_LAYOUT);
  store.commit(rows);
  await store.close();
}

async function writeOldMeta(root: string): Promise<void> {
  const lines = readFileSync(new URL("meta-1.jsonl", STORES), "utf8").trimEnd().split("\n");
  const rows = lines.map((text) => v.parse(metaLine, JSON.parse(text)));
  const stored = rows.flatMap((entry) => ("stored" in entry ? [entry.stored] : []));
  await writeRows(join(root, META_LAYOUT.name), stored);
}

async function writeRows(path: string, rows: readonly KvChange[]): Promise<void> {
  const store = new LmdbKv({ path });
  store.commit(rows);
  await store.close();
}

function recordOf(value: Uint8Array): Buffer {
  return Buffer.concat([u32(value.length), u32(crc32(value)), value]);
}

/** A number as the stores have it. */
export function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
}
