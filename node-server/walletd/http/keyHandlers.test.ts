/** Keys that are registered again: what stays of a wallet, over real files and a real database, while the node is away. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { asBlockHash, asDaaScore, asHash32, asTimestampMs } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { cursorOf } from "@svc/shared/wallet/state/walletState.ts";
import { ChainModel, freshWallet } from "@svc/shared/wallet/testkit/chainModel.ts";
import { ModelNode } from "@svc/shared/wallet/testkit/ports.ts";
import type { NodeTip } from "@svc/shared/wallet/state/ports.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { systemClock } from "../../platform/time/clock.ts";
import { openFolder, TEST_NETWORK, TOKEN } from "../keys/testkit/keysScene.ts";
import type { WalletFolder } from "../keys/walletFolder.ts";
import { WalletStore } from "../store/walletStore.ts";
import { settledPayment } from "../testkit/settledPayment.ts";
import { NO_LOG } from "../testkit/spendScene.ts";
import { WalletDaemon } from "../walletDaemon.ts";
import { encodeSnapshot } from "../wallets/walletSnapshot.ts";
import { DaemonWallets } from "./daemonWallets.ts";
import { keyHandlers } from "./keyHandlers.ts";

const core = await loadCoreFile();
const profileJson = core.builtInProfile(TEST_NETWORK.network);
const SEED = "01".repeat(32);
const FVK = encodeHex(core.fullViewingKey(new Uint8Array(32).fill(1)));
const OTHER = "02".repeat(32);
const BIRTHDAY = asDaaScore(500n);
const PAYMENT = settledPayment(1, true);

class AwayNode extends ModelNode {
  override tip(): Promise<NodeTip> {
    return Promise.reject(new SvcError("wallet/node-unreachable", { url: "test" }));
  }
}

async function setUp() {
  const path = join(folderOfTest(), "wallets");
  const folder = await openFolder(path);
  const store = await WalletStore.open(path, folder.rowSeal());
  const daemon = new WalletDaemon({
    core,
    profileJson,
    folder,
    store,
    node: new AwayNode(new ChainModel()),
    scan: { scan: () => Promise.reject(new SvcError("run/aborted", {})) },
    clock: systemClock,
    log: NO_LOG,
    settings: { lanes: 1, opening: 1, most: 10, idleMs: 60_000n },
  });
  onTestFinished(async () => {
    await daemon.stop();
    await store.close();
    folder.close();
  });
  const parts = { core, profileJson, folder, store, daemon, clock: systemClock };
  const handlers = keyHandlers(parts, new DaemonWallets(parts));
  const { signal } = new AbortController();
  const call = { token: TOKEN, scoped: null, params: {}, query: {}, idempotencyKey: null, signal };
  return {
    path,
    folder,
    store,
    daemon,
    watch: (more: Registered = {}) =>
      handlers.watch({ ...call, body: { fvk_hex: FVK, birthday: null, replace: null, ...more } }),
    create: () => handlers.create({ ...call, body: {} }),
    importSeed: (more: Registered & { seed_hex?: string } = {}) =>
      handlers.import({
        ...call,
        body: { seed_hex: SEED, birthday: null, replace: null, ...more },
      }),
    scanned: () => daemon.wallets.whileClosed(TOKEN, () => putScan(folder, store)),
    /** Stores a payment of the wallet, and a call that names it. */
    pay: () =>
      store.commit((batch) => {
        store.payments.put(batch, TOKEN, PAYMENT);
        const use = { token: TOKEN, key: "order-1" };
        store.idempotency.claim(batch, use, asHash32("ab".repeat(32)), asTimestampMs(1n));
      }),
    /** How many rows of it there are, and its key for a call. */
    rows: () => [
      [...store.payments.ofWallet(TOKEN)].length,
      store.idempotency.get({ token: TOKEN, key: "order-1" }) === undefined ? 0 : 1,
    ],
  };
}

/** Puts a snapshot of the wallet beside its file; the wallet is closed. */
async function putScan(folder: WalletFolder, store: WalletStore): Promise<Uint8Array> {
  const { keys } = await folder.openKeys(TOKEN);
  const { account, ...rest } = freshWallet();
  const genesis = asBlockHash(core.genesisHash(profileJson));
  const profileDigest = core.profileDigest(profileJson);
  const own = { ...account, genesis, profileDigest, defaultAddress: keys.address.raw };
  const state = { ...rest, account: own };
  const { hash, chainIndex } = cursorOf(state);
  const { sequence } = store;
  const snapshot = encodeSnapshot({ sequence, state });
  const cursor = { snapshotSequence: sequence, hash, chainIndex };
  store.commit((batch) => store.cursors.put(batch, TOKEN, cursor));
  await folder.writeScan(TOKEN, snapshot);
  return snapshot;
}

type Registered = { readonly birthday?: typeof BIRTHDAY | null; readonly replace?: boolean };

it("a key that is registered again without a birthday keeps its own", async () => {
  for (const name of ["watch", "importSeed"] as const) {
    const { [name]: register, folder, daemon } = await setUp();
    await register({ birthday: BIRTHDAY });
    const open = await daemon.wallets.open(TOKEN);
    await register();
    await register({ birthday: asDaaScore(700n) });
    expect((await folder.facts(TOKEN))?.birthday).toBe(BIRTHDAY);
    await register({ birthday: asDaaScore(100n) });
    expect((await folder.facts(TOKEN))?.birthday).toBe(100n);
    await register({ birthday: asDaaScore(0n) });
    expect((await folder.facts(TOKEN))?.birthday).toBe(0n);
    expect(daemon.wallets.peek(TOKEN)).toBe(open);
  }
});

it("a key that is new begins with the chain where no birthday is given", async () => {
  const { watch, folder } = await setUp();
  await watch();
  expect((await folder.facts(TOKEN))?.birthday).toBe(0n);
});

it("the seed of a viewing key takes its place, and keeps payments, scan and birthday", async () => {
  const { watch, importSeed, folder, daemon, pay, rows, path, scanned } = await setUp();
  const { address } = await watch({ birthday: BIRTHDAY });
  pay();
  await folder.update(TOKEN, { addresses: [7], recoverableHistory: true });
  const snapshot = await scanned();
  const before = await folder.facts(TOKEN);
  expect(await rejectionCode(importSeed())).toBe("wallet/exists");
  await importSeed({ replace: true });
  expect(await folder.facts(TOKEN)).toEqual({ ...before, kind: "seed" });
  expect(encodeHex((await folder.openSeed(TOKEN)).reveal((bytes) => bytes.slice()))).toBe(SEED);
  expect((await folder.openKeys(TOKEN)).addresses).toEqual([7]);
  expect(rows()).toEqual([1, 1]);
  expect(await folder.readScan(TOKEN)).toEqual(snapshot);
  const { keys, wallet } = await daemon.wallets.open(TOKEN);
  expect([keys.address.text, wallet.isBegun]).toEqual([address, true]);
  expect(existsSync(join(path, `${TOKEN}.json.bak`))).toBe(true);

  await watch({ replace: true, birthday: asDaaScore(300n) });
  expect(await folder.facts(TOKEN)).toEqual({ ...before, birthday: 300n });
  expect(await rejectionCode(folder.openSeed(TOKEN))).toBe("wallet/watch-only");
  expect(rows()).toEqual([1, 1]);
});

it("another key takes nothing over from the wallet that it replaces", async () => {
  const { watch, importSeed, folder, pay, rows } = await setUp();
  await watch({ birthday: BIRTHDAY });
  pay();
  await importSeed({ replace: true, seed_hex: OTHER });
  expect(rows()).toEqual([0, 0]);
  expect(await folder.facts(TOKEN)).toMatchObject({ kind: "seed", birthday: 0n });
});

it("the key of a file that somebody put over that of another key is taken with replace, and forgets the rows", async () => {
  for (const name of ["watch", "importSeed"] as const) {
    const { importSeed, [name]: register, folder, store, daemon, pay, rows } = await setUp();
    await importSeed();
    pay();
    store.commit((batch) => store.owners.put(batch, TOKEN, asHash32("cd".repeat(32))));
    await daemon.wallets.drop(TOKEN);
    if (name === "watch") await folder.changeKind(TOKEN, "watch", new Secret(decodeHex(FVK)));
    expect(await rejectionCode(register())).toBe("wallet/file-key");
    expect(rows()).toEqual([1, 1]);
    await register({ replace: true });
    expect(rows()).toEqual([0, 0]);
    expect((await daemon.wallets.open(TOKEN)).rowsLost).toBe(false);
  }
});

it("a wallet whose file goes in the moment that it is found is not made beside its rows", async () => {
  const { create, importSeed, folder, store, path, pay, rows } = await setUp();
  await importSeed();
  pay();
  const { facts } = folder;
  const file = join(path, `${TOKEN}.json`);
  const bytes = readFileSync(file);
  folder.facts = async (token) => {
    const found = await facts.call(folder, token);
    rmSync(file, { force: true });
    return found;
  };
  expect(await rejectionCode(create())).toBe("wallet/exists");
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, bytes);
  folder.facts = facts;
  // The same for a seed that finds the file of another one.
  const { openKeys } = folder;
  folder.openKeys = async (token) => {
    const found = await openKeys.call(folder, token);
    folder.facts = async () => {
      rmSync(file, { force: true });
      return found.facts;
    };
    return found;
  };
  expect(await rejectionCode(importSeed({ seed_hex: OTHER }))).toBe("wallet/exists");
  expect(existsSync(file)).toBe(false);
  expect(rows()).toEqual([1, 1]);
  expect(store.owners.find(TOKEN, core.fullViewingKey(new Uint8Array(32).fill(1)))).toBe("same");
});
