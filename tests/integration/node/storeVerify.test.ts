/** `svc verify` over real stores: sound ones, and ones with a record changed, removed or added. */
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { verifyHere } from "@svc/node-server/app/verify/verifyHere.ts";
import { verifyStore, type VerifyOptions } from "@svc/node-server/app/verify/verifyStore.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { acquireLock } from "@svc/node-server/platform/files/lockFile.ts";
import { KEYS_END, type Kv } from "@svc/node-server/storage/kv.ts";
import { CONSENSUS_LAYOUT, consensusTable, tableName } from "@svc/node-server/storage/layout.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { encodeRawHeaders } from "@svc/shared/protocol/raw/rawHeaders.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { BlockMaker, core, NOW_MS, recipient, simnet } from "../engine/engineFixture.ts";
import { never } from "./nodeFixture.ts";
import {
  changed,
  changeStore,
  firstRow,
  networkFolderOf,
  storeOf,
  trust,
  verifyOptions,
} from "../engine/verifyFixture.ts";

const fixture = readPaymentFixture();
const text = (name: string): Uint8Array => new TextEncoder().encode(name);

let folder: TemporaryFolder;
let made: TemporaryFolder;
let raws: readonly Uint8Array[];
beforeAll(async () => {
  raws = blocks();
  folder = temporaryFolder();
  await makeStore(raws);
  made = folder;
});
afterAll(() => made.remove());
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** The store of `blocks()`, for this test to change. */
function copyStore(): void {
  cpSync(made.path, folder.path, { recursive: true });
}

/** Blocks with payments, merged blocks, and a branch beside the chain; returns how many with genesis. */
function blocks(): Uint8Array[] {
  const [left, right] = [new BlockMaker(), new BlockMaker()];
  const made: Uint8Array[] = [...fixture.trunk];
  for (const raw of fixture.trunk) for (const maker of [left, right]) trust(maker, raw);
  for (let round = 0; round < 4; round += 1) {
    const pair = [left.next(recipient(1)), right.next(recipient(2))] as const;
    right.take(pair[0]);
    left.take(pair[1]);
    made.push(...pair);
  }
  for (let count = 0; count < 3; count += 1) made.push(left.next(recipient(1)));
  // Two blocks that nobody merges.
  for (let count = 0; count < 2; count += 1) made.push(right.next(recipient(2)));
  return made;
}

const networkFolder = (): string => networkFolderOf(folder.path);
const withStore = (change: (store: Kv) => void) => changeStore(folder.path, change);
const makeStore = (raws: readonly Uint8Array[]) => storeOf(folder.path, raws);
const options = (over: Partial<VerifyOptions> = {}) => verifyOptions(folder.path, over);

/** Table, key and sides of the first difference. */
async function differenceOf(over: Partial<VerifyOptions> = {}) {
  const failure = await verifyStore(options(over)).then(
    () => null,
    (error: unknown) => SvcError.from(error),
  );
  expect(existsSync(join(networkFolder(), "verify"))).toBe(false);
  if (failure !== null && failure.code !== "verify/difference") throw failure;
  return failure?.data ?? null;
}

/** A store of another network or layout is refused before anything is compared. */
const JUDGED = [
  ...["status", "acceptance", "chain_state", "nullifier_diffs", "lane_diffs", "scan_records"],
  ...["chain_evidence", "openings"],
];
const EXPECTED: ReadonlySet<string> = new Set([
  ...["same", "verify/difference", "store/version", "store/profile-mismatch"],
]);

/** `same`, or the code of what ended the check. */
function outcomeOf(): Promise<string> {
  return rejectionCode(verifyStore(options()), "same");
}

describe("a sound store", () => {
  test("has no difference, in whatever order its blocks came", async () => {
    copyStore();
    const expected = { blocks: raws.length + 1, notes: [] };
    expect(await verifyStore(options())).toEqual(expected);
    expect(await verifyStore(options({ assumeProofs: true }))).toEqual(expected);
    folder.remove();
    folder = temporaryFolder();
    // The branch first, so that its blocks were judged; and each pair the other way round.
    const branch = fixture.branch.slice(0, 3);
    const start = fixture.trunk.slice(0, fixture.forkIndex);
    const rest = fixture.trunk.slice(fixture.forkIndex);
    await makeStore([...start, ...branch, ...rest, ...raws.slice(fixture.trunk.length)]);
    expect(await verifyStore(options())).toEqual({
      ...expected,
      blocks: raws.length + 1 + branch.length,
    });
  });

  test("may hold headers whose bodies have not come", async () => {
    copyStore();
    const source = new BlockMaker();
    for (const raw of raws) trust(source, raw);
    const ahead = Array.from({ length: 3 }, () => source.next(recipient(3)));
    await withStore((store) => {
      const engine = new core.Engine(kvHostStore(store), simnet);
      const headers = ahead.map((raw) => ({ header: decodeRawBlock(raw).header }));
      const outcomes = engine.insertHeaders(encodeRawHeaders(headers), NOW_MS);
      expect(outcomes.match(/"accepted"/g)?.length).toBe(3);
      engine.free();
    });
    expect(await verifyStore(options())).toEqual({ blocks: raws.length + 1, notes: [] });
  });

  test("a folder without a database, one in use, and one of another layout are told apart", async () => {
    await expect(verifyStore(options())).rejects.toThrow("verify/no-store");
    await makeStore(fixture.trunk.slice(0, 3));
    const lock = acquireLock(join(networkFolder(), "lock"));
    await expect(verifyStore(options())).rejects.toThrow("node/already-running");
    lock.release();
    await withStore((store) => {
      const value = Uint8Array.of(1, 0, 0, 0);
      store.commit([{ table: consensusTable("meta"), key: text("version"), value }]);
    });
    await expect(verifyStore(options())).rejects.toThrow("store/version");
  });

  test("is checked until Ctrl-C, which leaves nothing behind", async () => {
    copyStore();
    const stop = new AbortController();
    const interrupted = verifyStore(options({ signal: stop.signal, progress: () => stop.abort() }));
    await expect(interrupted).rejects.toThrow("run/aborted");
    expect(existsSync(join(networkFolder(), "verify"))).toBe(false);
    // What a killed check left is in nobody's way.
    mkdirSync(join(networkFolder(), "verify", "consensus"), { recursive: true });
    expect(await differenceOf()).toBeNull();
  });
});

describe("a planted difference is named", () => {
  /** One value of the last row but `skip` of each table. */
  const flipped = [
    "headers",
    "bodies",
    "ghostdag",
    "depths",
    "status",
    "reachability",
    "children",
    "acceptance",
    "chain_state",
    "lane_diffs",
    "scan_records",
    "lanes",
    "lane_nodes",
    "nullifier_diffs",
    "chain_evidence",
    "openings",
  ];
  /** Tables that may have one row only. */
  const short = ["lanes", "lane_nodes", "nullifier_diffs", "openings"];

  test.each(flipped)("a changed byte in %s", async (name) => {
    copyStore();
    let key = "";
    await withStore((store) => {
      const row = firstRow(store, name, short.includes(name) ? 0 : 3);
      key = encodeHex(row.key);
      store.commit([{ table: consensusTable(name), key: row.key, value: changed(row.value) }]);
    });
    const found = await differenceOf();
    expect(found).not.toBeNull();
    expect([found?.["table"], found?.["key"]]).toEqual([name, key]);
  });

  test.each([
    "headers",
    "bodies",
    "ghostdag",
    "status",
    "daa_excluded",
    "reachability",
    "acceptance",
    "chain_state",
    "nullifiers",
    "nullifier_diffs",
    "anchor_producers",
    "lanes",
    "lane_nodes",
    "lane_expiry",
    "lane_diffs",
    "scan_records",
    "chain_by_index",
    "pruning_points",
    "chain_evidence",
    "openings",
  ])("a missing row of %s", async (name) => {
    copyStore();
    await withStore((store) => {
      const { key } = firstRow(store, name);
      store.commit([{ table: consensusTable(name), key, value: null }]);
    });
    expect((await differenceOf())?.["table"]).toBe(name);
  });

  test.each([
    ["nullifiers", 32],
    ["anchor_producers", 64],
    ["lane_expiry", 40],
    ["headers", 32],
    ["acceptance", 32],
    ["chain_by_index", 8],
    ["chain_evidence", 32],
    ["openings", 32],
  ])("a row too many in %s", async (name, length) => {
    copyStore();
    const key = new Uint8Array(length).fill(0xee);
    await withStore((store) => {
      const value = new Uint8Array(name === "chain_by_index" ? 32 : 0);
      store.commit([{ table: consensusTable(name), key, value }]);
    });
    const found = await differenceOf();
    expect([found?.["table"], found?.["computed"]]).toEqual([name, "nothing"]);
  });

  test("a wrong verdict on a proof, when the proof is judged for real and when it is assumed", async () => {
    copyStore();
    const { spawnVerifier: _, ...judging } = options();
    expect(await verifyStore(judging)).toEqual({ blocks: raws.length + 1, notes: [] });
    const status = consensusTable("status");
    let key = new Uint8Array();
    await withStore((store) => {
      const all = { table: status, from: new Uint8Array(), to: KEYS_END, limit: 1_000 };
      // Version, stage, number of verdicts, verdicts, length of the reason.
      const row = store.range(all).find(({ value }) => value[2] === 1);
      if (row === undefined) throw new Error("no block with a payment");
      key = new Uint8Array(row.key);
      const value = row.value.slice();
      value[6] = 2;
      store.commit([{ table: status, key, value }]);
    });
    expect(await differenceOf()).toMatchObject({ table: "status", key: encodeHex(key) });
    expect(await differenceOf({ assumeProofs: true })).not.toBeNull();
  });

  test("a tip and a count", async () => {
    const meta = consensusTable("meta");
    copyStore();
    let counters = new Uint8Array();
    await withStore((store) => {
      const found = store.get(meta, text("counters")) ?? new Uint8Array();
      counters = new Uint8Array(found);
      store.commit([{ table: meta, key: text("counters"), value: changed(counters, 8) }]);
    });
    expect(await differenceOf()).toMatchObject({ table: "meta", key: "counters" });
    await withStore((store) => {
      const tips = store.get(meta, text("tips")) ?? new Uint8Array();
      store.commit([
        { table: meta, key: text("counters"), value: counters },
        { table: meta, key: text("tips"), value: tips.subarray(32) },
      ]);
    });
    expect(await differenceOf()).toMatchObject({ table: "meta", key: "tips" });
  });

  test("whatever byte is damaged, the check ends, and names it unless nothing depends on it", async () => {
    const random = seededRandom("damaged stores");
    const rows: { table: number; key: Uint8Array; value: Uint8Array }[] = [];
    copyStore();
    const chain = new Set<string>();
    await withStore((store) => {
      for (const { number } of CONSENSUS_LAYOUT.tables) {
        const all = { table: number, from: new Uint8Array(), to: KEYS_END, limit: 1_000 };
        for (const row of store.range(all)) rows.push({ table: number, ...row });
        if (tableName(number) !== "chain_by_hash") continue;
        for (const { key } of store.range(all)) chain.add(encodeHex(key));
      }
    });
    // Numbers of intervals may be others as long as they say the same, facts may be told by arrival, and whether a
    // block beside the chain was judged is by arrival too.
    const mayDiffer = ({ table, key }: { readonly table: number; readonly key: Uint8Array }) =>
      ["reachability", "meta"].includes(tableName(table)) ||
      (JUDGED.includes(tableName(table)) && !chain.has(encodeHex(key)));
    const reads = new Set<string>();
    for (let round = 0; round < (IS_FULL ? 1_000 : 40); round += 1) {
      const row = rows[random.below(rows.length)];
      if (row === undefined || row.value.length === 0) continue;
      const value = changed(row.value, random.below(row.value.length));
      // oxlint-disable-next-line no-await-in-loop -- one store, changed and put right again
      await withStore((store) => store.commit([{ ...row, value }]));
      const name = tableName(row.table);
      // oxlint-disable-next-line no-await-in-loop
      const found = await outcomeOf();
      const note = `round ${round}, ${name} ${encodeHex(row.key)}`;
      if (found === "same") expect(mayDiffer(row), note).toBe(true);
      reads.add(found);
      // oxlint-disable-next-line no-await-in-loop
      await withStore((store) => store.commit([row]));
    }
    expect([...reads].filter((code) => !EXPECTED.has(code))).toEqual([]);
  });

  test("a pruned store is held against itself, and the check says so", async () => {
    copyStore();
    const meta = consensusTable("meta");
    const nullifiers = consensusTable("nullifiers");
    await withStore((store) => {
      const point = firstRow(store, "pruning_points").value;
      // Version, point, its number; blocks are being deleted above a floor and a segment that nobody asks for.
      const value = Uint8Array.from([1, ...point, ...new Uint8Array(8), 4, ...new Uint8Array(40)]);
      store.commit([{ table: meta, key: text("pruningPlan"), value }]);
    });
    const { blocks: count, notes } = await verifyStore(options());
    expect([count, notes.map(({ code }) => code)]).toEqual([0, ["verify/pruned"]]);
    for (const name of ["chain_evidence", "openings"]) {
      const { promise, resolve } = Promise.withResolvers<ReturnType<typeof firstRow>>();
      // oxlint-disable-next-line no-await-in-loop -- one store, changed and put right again
      await withStore((store) => resolve(firstRow(store, name)));
      // oxlint-disable-next-line no-await-in-loop
      const row = { table: consensusTable(name), ...(await promise) };
      for (const value of [changed(row.value), null]) {
        // oxlint-disable-next-line no-await-in-loop
        await withStore((store) => store.commit([{ ...row, value }]));
        // oxlint-disable-next-line no-await-in-loop
        expect(await differenceOf()).toMatchObject({ table: name });
      }
      // oxlint-disable-next-line no-await-in-loop
      await withStore((store) => store.commit([row]));
    }
    await withStore((store) => {
      const { key } = firstRow(store, "nullifiers");
      store.commit([{ table: nullifiers, key, value: null }]);
    });
    expect(await differenceOf()).toMatchObject({ table: "nullifiers" });
  });

  test("a damaged pruning record is named, and does not turn the check off", async () => {
    const meta = consensusTable("meta");
    const key = text("pruning");
    copyStore();
    const { promise: found, resolve } = Promise.withResolvers<Uint8Array>();
    await withStore((store) => resolve(new Uint8Array(store.get(meta, key) ?? [])));
    const record = await found;
    // The point, its number, what is swept, the lowest scan record, flags.
    expect(record.length).toBe(105);
    const all = Array.from({ length: record.length - 40 }, (_, index) => 40 + index);
    const places = IS_FULL ? all : all.filter((place) => place % 8 === 0);
    for (const place of places) {
      // oxlint-disable-next-line no-await-in-loop -- one store, changed and put right again
      await withStore((store) =>
        store.commit([{ table: meta, key, value: changed(record, place) }]),
      );
      // oxlint-disable-next-line no-await-in-loop
      const failure = await differenceOf({ assumeProofs: true });
      expect(failure, `byte ${place}`).toMatchObject({ table: "meta", key: "pruning" });
    }
    await withStore((store) => {
      store.commit([
        { table: meta, key, value: record },
        { table: meta, key: text("pruningPlan"), value: Uint8Array.of(1) },
      ]);
    });
    expect(await differenceOf()).toMatchObject({ table: "meta", key: "pruningPlan" });
  });

  test("nullifiers and lanes of a node that was killed in the middle of a move are held against its state", async () => {
    copyStore();
    const meta = consensusTable("meta");
    await withStore((store) => {
      const sink = (store.get(meta, text("virtual")) ?? new Uint8Array()).subarray(0, 32);
      store.commit([{ table: meta, key: text("moving"), value: sink }]);
    });
    const { blocks: count, notes } = await verifyStore(options());
    expect([count, notes.map(({ code }) => code)]).toEqual([
      raws.length + 1,
      ["verify/unfinished"],
    ]);
    await withStore((store) => {
      const { key } = firstRow(store, "lane_expiry");
      store.commit([{ table: consensusTable("lane_expiry"), key, value: null }]);
    });
    expect(await differenceOf()).toMatchObject({ table: "lane_expiry" });
  });

  test("the command prints it, as sentences and as one line", async () => {
    copyStore();
    const lines: string[] = [];
    const run = (...args: string[]) =>
      verifyHere({
        args: ["--simnet", `--appdir=${folder.path}`, "--assume-proofs", ...args],
        environment: {},
        print: (line) => void lines.push(line),
        signal: never,
      });
    expect([await run(), lines.splice(0)]).toEqual([0, [expect.stringContaining("every record")]]);
    expect([await run("--json"), JSON.parse(lines.splice(0).join("\n"))]).toEqual([
      0,
      { result: "same", blocks: raws.length + 1, notes: [] },
    ]);
    await withStore((store) => {
      const { key } = firstRow(store, "nullifiers");
      store.commit([{ table: consensusTable("nullifiers"), key, value: null }]);
    });
    expect([await run(), lines.splice(0).join("\n")]).toEqual([
      1,
      expect.stringContaining("table nullifiers"),
    ]);
    expect([await run("--json"), JSON.parse(lines.splice(0).join("\n"))]).toEqual([
      1,
      expect.objectContaining({ result: "different", table: "nullifiers", stored: "nothing" }),
    ]);
  });
});
