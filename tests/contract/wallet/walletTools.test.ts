/** The offline commands over real wallet folders and real databases: diagnose, graft, doctor. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { openFolder, SECRET_TEXT, TOKEN } from "@svc/node-server/walletd/keys/testkit/keysScene.ts";
import {
  asWalletToken,
  walletLabel,
  type WalletToken,
} from "@svc/node-server/walletd/keys/walletToken.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import {
  STORE_TABLES,
  WALLET_STORE_LAYOUT,
} from "@svc/node-server/walletd/store/walletStoreLayout.ts";
import {
  diagnose,
  diagnosisLine,
  snapshotFacts,
  type Diagnosis,
} from "@svc/node-server/walletd/tools/diagnose.ts";
import { examineFolder } from "@svc/node-server/walletd/tools/examineFolder.ts";
import { inspectFiles } from "@svc/node-server/walletd/tools/inspectFiles.ts";
import { worstOf } from "@svc/node-server/walletd/tools/finding.ts";
import { graft, type GraftReport } from "@svc/node-server/walletd/tools/graft.ts";
import {
  withOfflineFolder,
  type OfflineFolder,
} from "@svc/node-server/walletd/tools/offlineFolder.ts";
import { offlineParts } from "@svc/node-server/walletd/tools/testkit/offlineParts.ts";
import { readSnapshot } from "@svc/node-server/walletd/tools/readSnapshot.ts";
import { WALLETD_LIMITS } from "@svc/node-server/walletd/walletdLimits.ts";
import { encodeSnapshot } from "@svc/node-server/walletd/wallets/walletSnapshot.ts";
import { asDaaScore, asSompi } from "@svc/shared/base/brand.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { applyFacts } from "@svc/shared/wallet/reduce/applyFacts.ts";
import { cursorOf, newWallet, type WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "@svc/shared/wallet/testkit/chainModel.ts";
import {
  blockOf,
  deliveryOf,
  eventOf,
  hashOf,
  jobOf,
  leavesOf,
  paymentOf,
  scopedTokenOf,
} from "./walletStoreFixtures.ts";

const SECOND = asWalletToken("second");
const BIRTHDAY = { birthday: asDaaScore(20n) };

/** A chain with a note of ten for the wallet in each of 30 blocks. */
function chain(): ChainModel {
  const model = new ChainModel();
  for (let block = 0; block < 30; block += 1) model.add({ mined: [10n] });
  return model;
}

/** The state of a wallet that has scanned blocks of it. */
function scanned(from: number, to: number): WalletState {
  const model = chain();
  const fresh = freshWallet();
  const before = from === 0 ? fresh : applyFacts(fresh, model.page(1, from), TEST_POLICY);
  const begun = newWallet({ ...fresh.account, birthday: cursorOf(before) });
  return applyFacts(begun, model.page(from + 1, to), TEST_POLICY);
}

const offline = <T>(path: string, work: (open: OfflineFolder) => Promise<T>): Promise<T> =>
  withOfflineFolder(offlineParts(path), work);

/** Makes a wallet with a snapshot of a state, as a daemon does. */
async function fill(path: string, token: WalletToken, state: WalletState | null): Promise<void> {
  const folder = await openFolder(path);
  const store = await WalletStore.open(path, folder.rowSeal());
  if ((await folder.facts(token)) === null) {
    await folder.importSeed(token, new Secret(new Uint8Array(32).fill(1)), BIRTHDAY);
  }
  if (state !== null) {
    const { hash, chainIndex } = cursorOf(state);
    store.commit((batch) =>
      store.cursors.put(batch, token, { snapshotSequence: 0n, hash, chainIndex }),
    );
    const { keys } = await folder.openKeys(token);
    const account = { ...state.account, defaultAddress: keys.address.raw };
    const snapshot = { sequence: store.sequence, state: { ...state, account } };
    await folder.writeScan(token, encodeSnapshot(snapshot));
  }
  await store.close();
  folder.close();
}

async function withTree(path: string, base: bigint): Promise<void> {
  await offline(path, async ({ store }) => {
    const { leafEnd } = blockOf(Number(base));
    store?.commit((batch) => store.tree.reset(batch, Uint8Array.of(1), leafEnd));
  });
}

async function diagnosed(path: string): Promise<readonly Diagnosis[]> {
  return await offline(path, async (open) => {
    const all: Diagnosis[] = [];
    for await (const one of diagnose(open, (token) => token)) all.push(one);
    return all;
  });
}

describe("diagnose", () => {
  test("tells of each scan in the order of tokens, and of notes below the tree", async () => {
    await inTemporaryFolder(async (path) => {
      await fill(path, SECOND, scanned(0, 30));
      await fill(path, TOKEN, scanned(10, 20));
      const untold = (await diagnosed(path)).map(diagnosisLine);
      expect(untold).toEqual([
        `${TOKEN}: notes=10 balance=100 scanned=20 base=none size=40 stranded=0 stranded_value=0`,
        "second: notes=30 balance=300 scanned=30 base=none size=60 stranded=0 stranded_value=0",
      ]);
      await withTree(path, 4n);
      expect(diagnosisLine((await diagnosed(path))[1] ?? expect.unreachable())).toBe(
        "second: notes=30 balance=300 scanned=30 base=4 size=60 stranded=2 stranded_value=20 positions=[0,2]",
      );
    });
  });

  test("goes on after what cannot be read", async () => {
    await inTemporaryFolder(async (path) => {
      await fill(path, SECOND, scanned(0, 30));
      await fill(path, TOKEN, scanned(0, 20));
      await withTree(path, 60n);
      writeFileSync(join(path, "alone.scan"), "svcscan");
      cpSync(join(path, "second.scan"), join(path, `${TOKEN}.scan`));
      const [first, alone, second] = await diagnosed(path);
      expect(first).toMatchObject({ wallet: TOKEN, code: "wallet/file-damaged" });
      expect(alone).toMatchObject({ wallet: "alone", code: "wallet/no-wallet" });
      expect(diagnosisLine(alone ?? expect.unreachable())).toContain("alone: unreadable: ");
      expect(second).toMatchObject({ stranded: 30, strandedValue: 300n });
    });
  });

  test("lists so many positions, and counts all", () => {
    const model = new ChainModel();
    const most = WALLETD_LIMITS.diagnosePositions;
    for (let block = 0; block < most + 5; block += 1) model.add({ mined: [1n] });
    const state = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
    const facts = snapshotFacts(state, cursorOf(state).leafEnd);
    expect(facts.positions).toHaveLength(most);
    expect(facts).toMatchObject({ stranded: most + 5, strandedValue: BigInt(most + 5) });
    expect(diagnosisLine({ wallet: "w", ...facts })).toMatch(/,…\]$/);
  });

  test("is refused beside a daemon, makes no folder, and leaves no database", async () => {
    await inTemporaryFolder(async (path) => {
      const folder = join(path, "wallets");
      expect(await rejectionCode(diagnosed(folder))).toBe("node/bad-folder");
      const daemon = await openFolder(folder);
      expect(await rejectionCode(diagnosed(folder))).toBe("node/already-running");
      daemon.close();
      expect(await diagnosed(folder)).toEqual([]);
      expect(existsSync(join(folder, "walletd"))).toBe(false);
    });
  });
});

describe("graft", () => {
  /** A wallet that lost what came before block 20, and the file from before. */
  async function withLoss(work: (path: string, older: Uint8Array) => Promise<void>): Promise<void> {
    await inTemporaryFolder(async (path) => {
      await fill(path, TOKEN, scanned(0, 25));
      const older = new Uint8Array(readFileSync(join(path, `${TOKEN}.scan`)));
      await fill(path, TOKEN, scanned(20, 30));
      await work(path, older);
    });
  }
  const run = (path: string, file: Uint8Array): Promise<GraftReport> =>
    offline(path, (open) => graft(open, TOKEN, file));

  test("brings back notes, history and birthday, keeps the file of before, and is done once", async () => {
    await withLoss(async (path, older) => {
      const report = await run(path, older);
      expect(report.before).toMatchObject({ notes: 10, balance: 100n });
      expect(report.after).toMatchObject({ notes: 25, balance: 250n });
      expect(report.restored).toEqual({ notes: 20, history: 20, payments: 0, birthday: true });
      expect(report.scansFrom).toBe(25n);
      expect(existsSync(join(path, `${TOKEN}.scan.bak`))).toBe(true);
      await offline(path, async ({ folder, store, identity }) => {
        const snapshot = await readSnapshot({ folder, identity, token: TOKEN });
        expect(snapshot?.state.notes).toHaveLength(25);
        expect(snapshot?.state.account.birthday.chainIndex).toBe(0n);
        expect((await folder.facts(TOKEN))?.birthday).toBe(0n);
        // What a start reconciles by: the file's number is the store's, and no earlier file has it.
        const cursor = store?.cursors.get(TOKEN);
        expect(cursor?.snapshotSequence).toBe(snapshot?.sequence);
        expect(cursor?.chainIndex).toBe(25n);
      });
      expect(await rejectionCode(run(path, older))).toBe("wallet/graft-refused");
    });
  });

  test("takes the file as it is where the scan is gone or damaged", async () => {
    await withLoss(async (path, older) => {
      writeFileSync(join(path, `${TOKEN}.scan`), "damaged");
      const report = await run(path, older);
      expect(report.before).toBeNull();
      expect(report.after).toMatchObject({ notes: 25 });
      expect(readFileSync(join(path, `${TOKEN}.scan.bak`), "utf8")).toBe("damaged");
    });
  });

  test("of another wallet's file, a changed one, or one that is not older changes nothing", async () => {
    await withLoss(async (path, older) => {
      const present = new Uint8Array(readFileSync(join(path, `${TOKEN}.scan`)));
      await fill(path, SECOND, scanned(0, 30));
      const foreign = new Uint8Array(readFileSync(join(path, "second.scan")));
      const changed = withFlippedBit(older, older.length - 1);
      expect(await rejectionCode(run(path, foreign))).toBe("wallet/file-damaged");
      expect(await rejectionCode(run(path, changed))).toBe("wallet/file-damaged");
      expect(await rejectionCode(run(path, Uint8Array.of()))).toBe("wallet/file-damaged");
      expect(await rejectionCode(run(path, present))).toBe("wallet/graft-refused");
      writeFileSync(join(path, `${TOKEN}.scan`), older);
      expect(await rejectionCode(run(path, present))).toBe("wallet/graft-refused");
      expect(existsSync(join(path, `${TOKEN}.scan.bak`))).toBe(false);
      expect(new Uint8Array(readFileSync(join(path, `${TOKEN}.scan`)))).toEqual(older);
    });
  });

  test("that is killed at any step leaves the scan of before or the new one, and goes on", async () => {
    await withLoss(async (before, older) => {
      const keeper = fileURLToPath(new URL("walletKeeper.ts", import.meta.url));
      const file = join(before, "..", `${basename(before)}.older`);
      writeFileSync(file, older);
      let steps = 0;
      for (let isKilled = true; isKilled; steps += 1) {
        const path = `${file}.${steps}`;
        cpSync(before, path, { recursive: true });
        const args = [keeper, path, "graft", `${steps}`, SECRET_TEXT, file];
        const { signal, status, stdout } = spawnSync(process.execPath, args);
        isKilled = signal === "SIGKILL";
        if (!isKilled) expect([status, String(stdout)]).toEqual([0, "grafted"]);
        const notes = await offline(path, async ({ folder, identity }) => {
          return (await readSnapshot({ folder, identity, token: TOKEN }))?.state.notes.length;
        });
        expect([10, 25]).toContain(notes);
        if (notes === 10) expect((await run(path, older)).after.notes).toBe(25);
        rmSync(path, { recursive: true });
      }
      rmSync(file);
      expect(steps).toBeGreaterThan(5);
    });
  });

  test("beside a database that was put back, or is gone, is refused", async () => {
    await inTemporaryFolder(async (path) => {
      await fill(path, TOKEN, scanned(0, 25));
      cpSync(join(path, "walletd"), join(path, "copy"), { recursive: true });
      const older = new Uint8Array(readFileSync(join(path, `${TOKEN}.scan`)));
      await fill(path, TOKEN, scanned(20, 30));
      rmSync(join(path, "walletd"), { recursive: true });
      expect(await rejectionCode(run(path, older))).toBe("wallet/rows-lost");
      cpSync(join(path, "copy"), join(path, "walletd"), { recursive: true });
      expect(await rejectionCode(run(path, older))).toBe("wallet/rows-lost");
    });
  });
});

describe("doctor", () => {
  const examine = async (path: string) => {
    const { wallets, findings } = await examineFolder(offlineParts(path));
    const told = findings.map(
      ({ level, about, code, text }) => `${level} ${about} ${code ?? text}`,
    );
    return { wallets, told, worst: worstOf(findings), findings };
  };

  test("finds nothing in a folder that is well", async () => {
    await inTemporaryFolder(async (root) => {
      const path = join(root, "wallets");
      await fill(path, TOKEN, scanned(0, 30));
      await offline(path, async ({ store }) => {
        store?.commit((batch) => {
          store.payments.put(batch, TOKEN, paymentOf("p"));
          store.jobs.put(batch, jobOf(1, { token: TOKEN }));
          store.events.append(batch, TOKEN, eventOf("seen", 1, null));
          store.events.append(batch, SECOND, eventOf("credited", 1, 5));
          store.events.append(batch, SECOND, eventOf("reversed", 1, 5));
          store.tree.reset(batch, Uint8Array.of(1), blockOf(5).leafEnd);
          store.tree.append(batch, leavesOf(5, 3));
          store.tokens.put(batch, hashOf(1), scopedTokenOf(TOKEN));
          const charge = { hash: hashOf(1), day: 1n, sompi: asSompi(1n) };
          store.charges.set(batch, TOKEN, "job", charge);
          store.deliveries.add(batch, { token: TOKEN, cursor: 1n }, deliveryOf(1));
          store.deliveries.add(batch, { token: TOKEN, cursor: 2n }, deliveryOf(2));
          const dead = deliveryOf(1, { state: "dead" });
          store.deliveries.change(batch, { token: TOKEN, cursor: 1n }, dead);
          store.view.change(batch, { common: null, blocks: [blockOf(8)], most: 9 });
        });
      });
      expect(await examine(path)).toMatchObject({ wallets: 1, told: [], worst: null });
      expect(await examine(path)).toMatchObject({ told: [] });
    });
  });

  test("tells of modes, links, leftovers, lost headers and kept files, and names no token", async () => {
    await inTemporaryFolder(async (root) => {
      const path = join(root, "wallets");
      await fill(path, TOKEN, scanned(0, 30));
      chmodSync(path, 0o755);
      chmodSync(join(path, `${TOKEN}.json`), 0o644);
      writeFileSync(join(path, `.${"ab".repeat(16)}.new`), "", { mode: 0o600 });
      cpSync(join(path, `${TOKEN}.scan`), join(path, `${TOKEN}.scan.bak`));
      writeFileSync(join(path, "alone.scan"), "", { mode: 0o600 });
      const { told, worst, findings } = await examine(path);
      const label = walletLabel(TOKEN);
      expect(told).toEqual([
        "warning folder other users of this machine can open it",
        "warning folder other users may read 1 of its files",
        "note folder 1 unfinished files of a killed process were removed",
        `note ${label} 1 earlier files (.bak) lie beside it`,
        `warning ${walletLabel(asWalletToken("alone"))} there is a scan file and no wallet file`,
      ]);
      expect(worst).toBe("warning");
      expect(JSON.stringify(findings)).not.toContain(TOKEN);
      expect(existsSync(join(path, `.${"ab".repeat(16)}.new`))).toBe(false);
    });
  });

  test("tells of a disk that is nearly full, and how many earlier files there may be", async () => {
    await inTemporaryFolder(async (root) => {
      const path = join(root, "wallets");
      await fill(path, TOKEN, null);
      const [low] = inspectFiles(path, () => 5 * 1024 * 1024);
      expect(low).toMatchObject({ level: "warning", text: "its disk has 5 MiB left" });
      const name = join(path, `${TOKEN}.json`);
      for (let number = 0; number < WALLETD_LIMITS.walletBackups; number += 1) {
        cpSync(name, number === 0 ? `${name}.bak` : `${name}.bak.${number}`);
      }
      expect(inspectFiles(path, () => 1e12)).toMatchObject([{ level: "warning" }]);
    });
  });

  test("tells of wallets, scans and databases that are damaged or do not belong together", async () => {
    await inTemporaryFolder(async (root) => {
      const path = join(root, "wallets");
      await fill(path, TOKEN, scanned(0, 30));
      await fill(path, SECOND, scanned(0, 30));
      cpSync(join(path, "second.json"), join(path, "moved.json"));
      writeFileSync(join(path, "second.scan"), "x", { mode: 0o600 });
      rmSync(join(path, "walletd"), { recursive: true });
      const { told, worst, wallets } = await examine(path);
      expect(wallets).toBe(3);
      expect(told).toEqual([
        "note database there is none yet",
        `damage ${walletLabel(asWalletToken("moved"))} wallet/file-damaged`,
        `damage ${walletLabel(TOKEN)} wallet/rows-lost`,
        `damage ${walletLabel(SECOND)} wallet/file-damaged`,
      ]);
      expect(worst).toBe("damage");
    });
  });

  test("tells of a wallet file that lies where the database has the rows of another key", async () => {
    await inTemporaryFolder(async (root) => {
      const path = join(root, "wallets");
      await fill(path, TOKEN, null);
      await fill(path, SECOND, null);
      await offline(path, async ({ store }) => {
        store?.own(TOKEN, new Uint8Array(96).fill(9));
        store?.commit((batch) => store.payments.put(batch, TOKEN, paymentOf("p")));
      });
      expect((await examine(path)).told).toEqual([`damage ${walletLabel(TOKEN)} wallet/file-key`]);
      await offline(path, async ({ store }) => {
        expect([...(store?.payments.ofWallet(TOKEN) ?? [])]).toHaveLength(1);
      });
    });
  });

  test("reads every row and every index of the database", async () => {
    await inTemporaryFolder(async (root) => {
      const path = join(root, "wallets");
      await fill(path, TOKEN, null);
      await offline(path, async ({ store }) => {
        store?.commit((batch) => {
          store.payments.put(batch, TOKEN, paymentOf("p"));
          store.payments.put(batch, TOKEN, paymentOf("q"));
          for (const number of [1, 2]) store.jobs.put(batch, jobOf(number, { token: TOKEN }));
          for (const number of [1, 2])
            store.events.append(batch, TOKEN, eventOf("seen", number, null));
          store.tree.reset(batch, Uint8Array.of(1), blockOf(5).leafEnd);
          store.view.change(batch, { common: null, blocks: [blockOf(8)], most: 9 });
        });
      });
      const { store } = await openStore(path, WALLET_STORE_LAYOUT);
      const [from, to] = [Uint8Array.of(), new Uint8Array(200).fill(255)];
      const first = (table: number) =>
        store.range({ table, from, to, limit: 1 })[0] ?? expect.unreachable();
      const { payments, jobsByWallet, jobsByState, events, eventHeads } = STORE_TABLES;
      store.commit([
        { table: payments, key: first(payments).key, value: first(payments).value.subarray(1) },
        { table: jobsByWallet, key: first(jobsByWallet).key, value: null },
        { table: jobsByState, key: Uint8Array.of(9), value: Uint8Array.of(1) },
        { table: events, key: first(events).key, value: null },
        { table: eventHeads, key: first(eventHeads).key, value: null },
      ]);
      await store.close();
      const { told, worst } = await examine(path);
      const job = jobOf(1).id;
      expect(told).toEqual(
        [
          "table payments: unknown version.",
          `table jobs: job ${job} is missing in an index.`,
          "table jobs_by_wallet: 1 rows where 2 follow from the rows that they index.",
          "table jobs_by_state: 3 rows where 2 follow from the rows that they index.",
          "table events: event 1 of a feed is missing.",
          "table event_heads: 1 feeds have no head.",
          "table event_keys: a key of no event.",
          "table tree: it has 5 leaves, and the last block ends at 8.",
        ].map((text) => `damage database ${text}`),
      );
      expect(worst).toBe("damage");
    });
  });

  test("shows so many flaws, and counts the others", async () => {
    await inTemporaryFolder(async (root) => {
      const path = join(root, "wallets");
      await fill(path, TOKEN, null);
      const { store } = await openStore(path, WALLET_STORE_LAYOUT);
      const most = WALLETD_LIMITS.doctorFlaws;
      const table = STORE_TABLES.payments;
      store.commit(
        Array.from({ length: most + 7 }, (_, number) => {
          return { table, key: Uint8Array.of(number), value: Uint8Array.of(1) };
        }),
      );
      await store.close();
      const { told } = await examine(path);
      expect(told).toHaveLength(most + 1);
      expect(told.at(-1)).toBe("damage database 7 more rows are damaged");
    });
  });

  test("tells of a header that was lost, and of the rows that need it", async () => {
    await inTemporaryFolder(async (root) => {
      const path = join(root, "wallets");
      await fill(path, TOKEN, null);
      rmSync(join(path, ".sealing.json"));
      const { told, findings } = await examine(path);
      expect(told).toEqual([
        "warning folder its header .sealing.json was missing and is written anew",
        "damage database wallet/rows-sealed",
      ]);
      expect(findings[1]).toMatchObject({ advice: null });
    });
  });

  test("finds a database whose file is cut, and refuses beside a daemon", async () => {
    await inTemporaryFolder(async (root) => {
      const path = join(root, "wallets");
      await fill(path, TOKEN, null);
      const file = join(path, "walletd", "data.mdb");
      writeFileSync(file, readFileSync(file).subarray(0, 5_000));
      expect((await examine(path)).told).toEqual(["damage database store/damaged"]);
      const daemon = await openFolder(path);
      expect(await rejectionCode(examineFolder(offlineParts(path)))).toBe("node/already-running");
      daemon.close();
      expect(await rejectionCode(examineFolder(offlineParts(path, "wrong")))).toBe(
        "wallet/wrong-secret",
      );
      expect(await rejectionCode(examineFolder(offlineParts(join(root, "none"))))).toBe(
        "node/bad-folder",
      );
    });
  });
});
