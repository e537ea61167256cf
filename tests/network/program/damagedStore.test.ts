/**
 * The program started on a damaged folder: it ends with a sentence that names the file and what to do, and a status of its
 * own, or it runs on what is whole. It never ends by a signal, never hangs, and shows nobody what is not the chain.
 */
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXIT_STATUS } from "@svc/node-server/app/program/exitStatus.ts";
import { HOST_TABLE } from "@svc/node-server/storage/hostTable.ts";
import { KEYS_END, type KvPair } from "@svc/node-server/storage/kv.ts";
import {
  consensusTable,
  CONSENSUS_LAYOUT,
  META_LAYOUT,
  META_TABLES,
  type DatabaseLayout,
} from "@svc/node-server/storage/layout.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { readTipAnswer, type TipAnswer } from "@svc/shared/protocol/facts/tipFacts.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { flipBits } from "@svc/shared/base/testkit/flipBits.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { noise, PAGE, rootPage, zeroPages } from "../../contract/lmdb/lmdbPages.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { simnet } from "../../integration/engine/engineFixture.ts";
import { networkFolderOf, storeOf } from "../../integration/engine/verifyFixture.ts";
import { genesisHashOf } from "../testkit/nodeStore.ts";
import { programEnd, type ProgramEnd } from "../testkit/programEnd.ts";
import { startOutcome, type StartOutcome } from "../testkit/startedNode.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

/** Key of the setting that says whether bodies are kept. */
const ARCHIVAL = new TextEncoder().encode("archival");
const random = seededRandom("damaged stores");

let made: TemporaryFolder;
let profileFile: string;
let chain: Shown;
beforeAll(async () => {
  made = temporaryFolder();
  profileFile = join(made.path, "network.json");
  writeFileSync(profileFile, simnet);
  await storeOf(made.path, readPaymentFixture().trunk);
  // Once run, it has both databases.
  const { said } = await startIn(made.path, (shown) => {
    chain = shown;
  });
  expect(chain.records?.length).toBeGreaterThan(PAGE);
  expect(said).toContain("the store is clean");
});
afterAll(() => made.remove());

/** What a node that serves shows of its chain. */
type Shown = {
  readonly tip: TipAnswer;
  /** Its blocks from genesis on with their scan records, which lie in segment files; `null` when it refuses. */
  readonly records: Buffer | null;
};

/** Starts a node on a data folder; `hear` gets what it shows when it serves. */
function startIn(appdir: string, hear: (shown: Shown) => void): Promise<StartOutcome> {
  const ask = async (http: string): Promise<void> => {
    const tip = readTipAnswer(await (await fetch(`${http}/v1/tip`)).text());
    const question = `${http}/v1/blocks?after=${genesisHashOf(simnet)}`;
    // A node that meets damage may end before it answers.
    const answer = await fetch(question).catch(() => null);
    const records = answer?.ok === true ? Buffer.from(await answer.arrayBuffer()) : null;
    hear({ tip, records });
  };
  return startOutcome({ profileFile, appdir, limitMs: STEP_HANG_MS, ask });
}

/** A copy of the folder of databases. */
class Copy {
  readonly #folder = temporaryFolder();

  constructor() {
    cpSync(networkFolderOf(made.path), this.root, { recursive: true });
  }

  get root(): string {
    return networkFolderOf(this.#folder.path);
  }

  path(...names: readonly string[]): string {
    return join(this.root, ...names);
  }

  /** What comes of a start; what it shows when it serves must be the chain's. */
  async start(): Promise<StartOutcome & { readonly refusedRecords: boolean }> {
    let refusedRecords = false;
    const outcome = await startIn(this.#folder.path, ({ tip, records }) => {
      expect(tip.sink).toBe(chain.tip.sink);
      if (records !== null) expect(chain.records?.equals(records)).toBe(true);
      refusedRecords = records === null;
    });
    expect(outcome.signal, outcome.said).toBeNull();
    return { ...outcome, refusedRecords };
  }

  /** What `svc verify` ends with. */
  verify(): Promise<ProgramEnd> {
    const where = [`--profile=${profileFile}`, `--appdir=${this.#folder.path}`];
    return programEnd(["verify", "--json", "--assume-proofs", ...where]);
  }

  /** The segment files. */
  segments(): readonly string[] {
    const folder = this.path(CONSENSUS_LAYOUT.name, "segments");
    return readdirSync(folder).map((name) => join(folder, name));
  }

  /** Writes other bytes into rows, as an engine of LMDB would. */
  async change(
    layout: DatabaseLayout,
    change: (row: KvPair) => Uint8Array,
    table: number,
  ): Promise<void> {
    const store = new LmdbKv({ path: this.path(layout.name) });
    const all = { table, from: new Uint8Array(), to: KEYS_END, limit: 1_000 };
    const rows = store.range(all);
    // The node writes settings when they change.
    if (table === META_TABLES.settings) rows.push({ key: ARCHIVAL, value: Uint8Array.of(1, 1) });
    expect(rows.length).toBeGreaterThan(0);
    store.commit(rows.map((row) => ({ table, key: row.key, value: change(row) })));
    await store.close();
  }

  remove(): void {
    this.#folder.remove();
  }
}

async function withCopy(run: (copy: Copy) => Promise<void>): Promise<void> {
  const copy = new Copy();
  try {
    await run(copy);
  } finally {
    copy.remove();
  }
}

function expectRefused(outcome: StartOutcome, file: string, reason: RegExp): void {
  const { served, status, signal, said } = outcome;
  expect({ served, status, signal }, said).toEqual({
    served: false,
    status: EXIT_STATUS.damaged,
    signal: null,
  });
  const last = said.split("\n").at(-1);
  expect(last).toMatch(/\[store\/damaged\]$/);
  expect(last).toContain(`${file} is damaged: `);
  expect(last).toMatch(reason);
  expect(last).toContain("remove that folder and start again");
}

const zero = (file: string, ...pages: readonly number[]): void => {
  const bytes = readFileSync(file);
  zeroPages(bytes, pages);
  writeFileSync(file, bytes);
};

type Damage = readonly [title: string, damage: (file: string) => void, reason: RegExp];

const DAMAGES: readonly Damage[] = [
  ["cut to nothing", (file) => truncateSync(file, 0), /it is empty/],
  ["cut within the first page", (file) => truncateSync(file, 100), /meta page 0/],
  ["cut behind the meta pages", (file) => truncateSync(file, 2 * PAGE), /cut short/],
  [
    "cut in the middle",
    (file) => truncateSync(file, readFileSync(file).length >> 1),
    /cut short|behind the end/,
  ],
  ["with its first meta page zeroed", (file) => zero(file, 0), /meta page 0 is zeroed/],
  ["with its second meta page zeroed", (file) => zero(file, 1), /meta page 1 is zeroed/],
  ["with both meta pages zeroed", (file) => zero(file, 0, 1), /meta page 0 is zeroed/],
  [
    "with the root of the data zeroed",
    (file) => zero(file, rootPage(readFileSync(file))),
    /page \d+ is no/,
  ],
  [
    "with the root of the data overwritten",
    (file) => {
      const bytes = readFileSync(file);
      bytes.set(noise(random, PAGE), rootPage(bytes) * PAGE);
      writeFileSync(file, bytes);
    },
    /page \d+ (is no|has|does)/,
  ],
  ["replaced by a text", (file) => writeFileSync(file, "no database\n".repeat(900)), /not one of/],
  ["lost", (file) => rmSync(file), /it is missing/],
];

/** Those of a reduced run; `tests/contract/lmdb/lmdbCheck.test.ts` has all of them without a program. */
const USUAL: ReadonlySet<string> = new Set([
  "cut behind the meta pages",
  "with its second meta page zeroed",
  "with the root of the data overwritten",
  "lost",
]);

describe("the chain's data file", () => {
  test.each(IS_FULL ? DAMAGES : DAMAGES.filter(([title]) => USUAL.has(title)))(
    "%s",
    async (_, damage, reason) => {
      await withCopy(async (copy) => {
        const file = copy.path(CONSENSUS_LAYOUT.name, "data.mdb");
        const whole = readFileSync(file);
        damage(file);
        expectRefused(await copy.start(), file, reason);
        // Nothing else was touched: with the file put right the node goes on.
        writeFileSync(file, whole);
        if (IS_FULL) expect(await copy.start()).toMatchObject({ served: true, status: 0 });
      });
    },
  );
});

describe("the other files", () => {
  test("the data file of the node's own facts, cut short", async () => {
    await withCopy(async (copy) => {
      const file = copy.path(META_LAYOUT.name, "data.mdb");
      truncateSync(file, 2 * PAGE);
      expectRefused(await copy.start(), file, /cut short/);
    });
  });

  test("a segment file lost, and one cut short", async () => {
    await withCopy(async (copy) => {
      const [file = ""] = copy.segments();
      const bytes = readFileSync(file);
      truncateSync(file, bytes.length - 1);
      expectRefused(await copy.start(), file, /it is cut short/);
      rmSync(file);
      expectRefused(await copy.start(), file, /it is missing/);
      writeFileSync(file, bytes);
      expect(await copy.start()).toMatchObject({ served: true, refusedRecords: false, status: 0 });
    });
  });

  test("a segment file with a byte changed in each record: nothing of it is shown, and verify names it", async () => {
    await withCopy(async (copy) => {
      for (const file of copy.segments()) {
        const bytes = readFileSync(file);
        for (let at = 8; at < bytes.length; at += 8 + bytes.readUInt32LE(at - 8)) {
          flipBits(bytes, at + 99);
        }
        writeFileSync(file, bytes);
      }
      const outcome = await copy.start();
      expect(outcome).toMatchObject({ served: true, refusedRecords: true });
      expect(outcome.said).toMatch(/store\/damaged.*segments.*the record at byte \d+ was changed/);
      expect([0, EXIT_STATUS.damaged]).toContain(outcome.status);
      const { status, stdout: said } = await copy.verify();
      expect(status).toBe(1);
      expect(said).toMatch(
        /"result":"different".*segments.*is damaged: the record at byte \d+ was/,
      );
    });
  });

  test("lock files with other bytes do no harm", async () => {
    await withCopy(async (copy) => {
      writeFileSync(copy.path("lock"), noise(random, 50));
      writeFileSync(copy.path(CONSENSUS_LAYOUT.name, "lock.mdb"), noise(random, 9_000));
      writeFileSync(copy.path(META_LAYOUT.name, "lock.mdb"), "");
      expect(await copy.start()).toMatchObject({ served: true, refusedRecords: false, status: 0 });
    });
  });
});

describe("rows", () => {
  test.each([
    ["the chain's own facts", CONSENSUS_LAYOUT, consensusTable("meta")],
    ["its state", CONSENSUS_LAYOUT, consensusTable("chain_state")],
    ["the node's settings", META_LAYOUT, META_TABLES.settings],
    ["the layout", CONSENSUS_LAYOUT, HOST_TABLE],
  ] as const)("of %s, cut short", async (_, layout, table) => {
    await withCopy(async (copy) => {
      await copy.change(layout, ({ value }) => value.subarray(0, value.length >> 1), table);
      const { served, status, said } = await copy.start();
      expect({ served, status }, said).toEqual({ served: false, status: EXIT_STATUS.damaged });
      expect(said.split("\n").at(-1)).toMatch(
        /^svc node: The database is damaged in table .*\[store\/corrupt\]$/,
      );
    });
  });
});

test("after a run that was killed all pages are looked at", async () => {
  await withCopy(async (copy) => {
    writeFileSync(copy.path("lock"), JSON.stringify({ pid: process.pid, started: "0" }));
    const { served, said } = await copy.start();
    expect(served).toBe(true);
    expect(said).toMatch(/"database":"consensus","pages":\d+.*all pages were looked at/);
  });
});
