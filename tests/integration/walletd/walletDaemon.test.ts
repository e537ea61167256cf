/** The wallet daemon over a real node: real scan threads, files and database. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { GrpcNode } from "@svc/node-server/client/grpcNode.ts";
import { RpcNode } from "@svc/node-server/client/rpcNode.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { readMetrics } from "@svc/node-server/platform/testkit/readMetrics.ts";
import { systemClock, type Clock } from "@svc/node-server/platform/time/clock.ts";
import { DaemonWallets } from "@svc/node-server/walletd/http/daemonWallets.ts";
import { statusHandlers } from "@svc/node-server/walletd/http/statusHandlers.ts";
import { WalletMetrics } from "@svc/node-server/walletd/http/walletMetrics.ts";
import { ScanThreads, type KeyScanPort } from "@svc/node-server/scanning/scanThreads.ts";
import { WalletFolder } from "@svc/node-server/walletd/keys/walletFolder.ts";
import {
  asWalletToken,
  walletLabel,
  type WalletToken,
} from "@svc/node-server/walletd/keys/walletToken.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import { WalletDaemon } from "@svc/node-server/walletd/walletDaemon.ts";
import type { OpenWallet } from "@svc/node-server/walletd/wallets/openWallet.ts";
import { decodeSnapshot } from "@svc/node-server/walletd/wallets/walletSnapshot.ts";
import {
  asAddressText,
  asDaaScore,
  asSompi,
  asTimestampMs,
  type BlockHash,
} from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { draftPayment, type Payment } from "@svc/shared/wallet/state/payment.ts";
import { cursorOf, type WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { encodeWalletState } from "@svc/shared/wallet/state/walletStateCodec.ts";
import { WalletKit, walletClock } from "../../demo/walletKit.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { core, simnet } from "../engine/engineFixture.ts";
import { mineOn, never, runningClock, startTestNode, tipOf } from "../node/nodeFixture.ts";
import { startParentNode } from "../rpc/parentNode.ts";
import { untilFound } from "../node/untilFound.ts";

const fixture = readPaymentFixture();
const { alice, bob } = fixture.owners;
const ALICE = asWalletToken("alice");
const BOB = asWalletToken("bob");
const GENESIS = { birthday: asDaaScore(0n) };
/** A wallet that nobody asks for stays so long: longer than any test takes. */
const IDLE_MS = 1_800_000n;

const CALL = {
  token: null,
  scoped: null,
  params: {},
  query: {},
  body: null,
  idempotencyKey: null,
};

let node: RunningNode;
let folderOfTest: TemporaryFolder;
let path: string;
const running: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folderOfTest = temporaryFolder();
  path = folderOfTest.path;
  node = await startTestNode(null);
  await extend(fixture.trunk.slice(0, fixture.forkIndex));
});
afterEach(async () => {
  for (const stop of running.splice(0).toReversed()) await stop();
  await node.stop();
  folderOfTest.remove();
});

async function extend(blocks: readonly Uint8Array[]): Promise<void> {
  for (const raw of blocks) await node.api.submitBlock(raw, never);
}

function openFolder(): Promise<WalletFolder> {
  const nowUnix = () => 1_700_000_000;
  return WalletFolder.open({ path, network: "simnet", hrp: "svcsim", core, secret: null, nowUnix });
}

/** Where the node is asked, or what a node of the parent network would answer in its place. */
async function addressFor(isParent: boolean): Promise<string> {
  const address = node.grpcAddress ?? "";
  if (!isParent) return address;
  const parent = await startParentNode(address);
  running.push(async () => parent.close());
  return parent.address;
}

/** A daemon on the folder. `stop` ends it in good order; `kill` leaves everything as it lies. */
async function startDaemon(over: { clock?: Clock; isParent?: boolean } = {}) {
  const folder = await openFolder();
  const store = await WalletStore.open(path, null);
  const port = new RpcNode(await addressFor(over.isParent === true), {
    core,
    profileJson: simnet,
  });
  const log = createLog("silent");
  const threads = new ScanThreads({ profileJson: simnet, threads: 1, log });
  const metrics = new WalletMetrics(systemClock);
  const { done, scan } = watched(metrics.countScans(threads), port);
  const settings = { lanes: 2, opening: 2, most: 100, idleMs: IDLE_MS };
  const parts = { core, profileJson: simnet, folder, store, scan, log, settings };
  const { clock = systemClock } = over;
  const daemon = new WalletDaemon({ ...parts, node: port, clock });
  const endNews = port.onNews(() => daemon.wake());
  daemon.start();
  const end = async (stopping: Promise<void>): Promise<void> => {
    endNews();
    await stopping;
    await threads.stop();
    port.close();
    await store.close();
    folder.close();
  };
  let ended: Promise<void> | null = null;
  const stop = () => (ended ??= end(daemon.stop()));
  // What is not written then is lost: the lanes end, and no wallet is saved.
  const kill = () => (ended ??= end(daemon.lanes.stop()));
  running.push(stop);
  metrics.watch({ daemon, store, proofs: null, webhooks: null });
  return { daemon, folder, store, metrics, done, stop, kill };
}

/** What a daemon did. */
type Done = {
  /** Chain indices at which it asked its node where a scan can begin. */
  readonly starts: bigint[];
  /** Chain indices of the first blocks of the pages that it scanned. */
  readonly scanned: bigint[];
  /** Awaited before it scans a page. */
  gate: Promise<void>;
};

/** A scanner whose pages are written down, and a node whose starts are. */
function watched(scan: KeyScanPort, port: RpcNode) {
  const done: Done = { starts: [], scanned: [], gate: Promise.resolve() };
  const start = port.start.bind(port);
  port.start = (index, signal) => {
    done.starts.push(index);
    return start(index, signal);
  };
  const watching: KeyScanPort = {
    scan: async (page, sets, signal) => {
      done.scanned.push(page.firstIndex);
      await Promise.race([done.gate, whenAborted(signal)]);
      return scan.scan(page, sets, signal);
    },
  };
  return { done, scan: watching };
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

/** That no block was scanned but those above these states, and some of them. */
function expectOnlyAbove({ starts, scanned }: Done, states: readonly WalletState[]): void {
  expect(starts).toEqual([]);
  expect(scanned.length).toBeGreaterThan(0);
  for (const state of states) {
    const { chainIndex } = cursorOf(state);
    expect(chainIndex).toBe(BigInt(fixture.forkIndex));
    expect(scanned.filter((index) => index <= chainIndex)).toEqual([]);
  }
}

/** Resolves when the wallet has scanned the node's chain to its end. */
async function untilAtTip(daemon: WalletDaemon, token: WalletToken): Promise<OpenWallet> {
  return untilFound(async () => {
    const open = await daemon.wallets.open(token);
    const { sink } = await tipOf(node);
    return open.isAtTip && cursorOf(open.state).hash === sink && open;
  });
}

/** Resolves when snapshots are on disk that hold all up to this block. */
async function untilWritten(
  store: WalletStore,
  tokens: readonly WalletToken[],
  { hash }: { readonly hash: BlockHash },
): Promise<void> {
  const isWritten = (token: WalletToken): boolean => {
    const cursor = store.cursors.get(token);
    return cursor?.hash === hash && cursor.snapshotSequence > 0n;
  };
  await untilFound(() => tokens.every(isWritten));
}

/** A recorded payment of Alice to Bob, as her wallet would have it right after it was broadcast. */
function paymentOf(name: string, { notes }: WalletState): Payment {
  const { txid, raw, amount, fee, memo, nullifier } = fixture.payment(name);
  const note = notes.find((one) => one.nullifier === nullifier) ?? expect.unreachable();
  const now = asTimestampMs(1n);
  const payee = {
    address: asAddressText(bob.address),
    recipient: bob.recipient,
    value: amount,
    memo: encodeHex(new TextEncoder().encode(memo)),
    own: false,
  };
  return {
    ...draftPayment(`${name}:0`, now, [payee]),
    fee,
    change: asSompi(note.value - amount - fee),
    reserved: [{ position: note.position, nullifier, value: note.value }],
    txid,
    raw: encodeHex(raw),
    outputs: [],
    status: { state: "mempool", attempts: 1, lastAttemptMs: now, lastError: null },
  };
}

/** The state of a wallet that is scanned for alone, as the browser does. */
async function alone(seed: string): Promise<string> {
  const prover = { prove: () => Promise.reject(new SvcError("wallet/cancelled", {})) };
  const parts = { core, profileJson: simnet, prover, clock: walletClock(systemClock) };
  const kit = new WalletKit(parts, new Secret(decodeHex(seed)));
  const port = new GrpcNode(node.grpcAddress ?? "");
  try {
    const sync = await kit.open(port, never);
    await sync.catchUp(never);
    return comparable(sync.state);
  } finally {
    await kit.close();
    port.close();
  }
}

function comparable(state: WalletState): string {
  const { account } = state;
  return encodeWalletState({
    ...state,
    account: { ...account, bornOn: null },
    blocks: [cursorOf(state)],
  });
}

function withoutMemos(state: string): string {
  return state.replaceAll(/"memo":"[0-9a-f]*"/gu, '"memo":""').replaceAll('"memoKnown":false,', "");
}

async function importWallets(folder: WalletFolder): Promise<void> {
  await folder.importSeed(ALICE, new Secret(decodeHex(alice.seed)), GENESIS);
  const fvk = core.fullViewingKey(decodeHex(bob.seed));
  await folder.watch(BOB, fvk, GENESIS);
}

describe("a wallet daemon", () => {
  it("scans for all its wallets at once, each as if it were alone", async () => {
    const { daemon, folder } = await startDaemon();
    await importWallets(folder);
    const [first, second] = await Promise.all([untilAtTip(daemon, ALICE), untilAtTip(daemon, BOB)]);
    expect(first.state.notes.length).toBeGreaterThan(0);
    expect(comparable(first.state)).toBe(await alone(alice.seed));
    expect(comparable(second.state)).toBe(await alone(bob.seed));
    await extend(fixture.trunk.slice(fixture.forkIndex));
    await mineOn(node, decodeHex(bob.recipient));
    await untilAtTip(daemon, ALICE);
    await untilAtTip(daemon, BOB);
    expect(comparable(first.state)).toBe(await alone(alice.seed));
    expect(comparable(second.state)).toBe(await alone(bob.seed));
  });

  it("follows a reorganisation", async () => {
    const { daemon, folder } = await startDaemon();
    await importWallets(folder);
    await extend(fixture.trunk.slice(fixture.forkIndex));
    await untilAtTip(daemon, ALICE);
    const { sink } = await tipOf(node);
    await extend(fixture.branch);
    expect((await tipOf(node)).sink).not.toBe(sink);
    const open = await untilAtTip(daemon, ALICE);
    expect(comparable(open.state)).toBe(await alone(alice.seed));
  });

  it.each(["stop", "kill"] as const)(
    "goes on after a %s, and scans only what is new",
    async (end) => {
      const first = await startDaemon();
      await importWallets(first.folder);
      const { state: aliceThen } = await untilAtTip(first.daemon, ALICE);
      const { state: bobThen } = await untilAtTip(first.daemon, BOB);
      // Nobody stops it: it writes its wallets by itself every few seconds.
      if (end === "kill") await untilWritten(first.store, [ALICE, BOB], cursorOf(aliceThen));
      await first[end]();
      await extend(fixture.trunk.slice(fixture.forkIndex));
      const second = await startDaemon();
      const open = await untilAtTip(second.daemon, ALICE);
      expect(comparable(open.state)).toBe(await alone(alice.seed));
      const watched = await untilAtTip(second.daemon, BOB);
      expect(comparable(watched.state)).toBe(await alone(bob.seed));
      expect(watched.rowsLost).toBe(false);
      expectOnlyAbove(second.done, [aliceThen, bobThen]);
    },
  );

  it("scans at a node of the parent network all but the memos, and goes on at one of this program", async () => {
    await extend(fixture.trunk.slice(fixture.forkIndex));
    const first = await startDaemon({ isParent: true });
    await importWallets(first.folder);
    await untilAtTip(first.daemon, ALICE);
    const { state } = await untilAtTip(first.daemon, BOB);
    expect(state.history).toMatchObject([{ kind: "received", memo: "", memoKnown: false }]);
    expect(withoutMemos(comparable(state))).toBe(withoutMemos(await alone(bob.seed)));
    await first.stop();
    await mineOn(node, decodeHex(bob.recipient));
    await mineOn(node, decodeHex(bob.recipient));
    const second = await startDaemon();
    const watched = await untilAtTip(second.daemon, BOB);
    expect(watched.state.history[0]).toMatchObject({ memoKnown: false });
    expect(withoutMemos(comparable(watched.state))).toBe(withoutMemos(await alone(bob.seed)));
    await second.daemon.wallets.rescan(watched, never);
    await untilAtTip(second.daemon, BOB);
    expect(comparable(watched.state)).toBe(await alone(bob.seed));
  });

  it("does not spend from a wallet whose database somebody put back", async () => {
    const first = await startDaemon();
    await importWallets(first.folder);
    await untilAtTip(first.daemon, ALICE);
    await first.stop();
    rmSync(join(path, "walletd"), { recursive: true });
    const second = await startDaemon();
    const open = await untilAtTip(second.daemon, ALICE);
    expect(open.rowsLost).toBe(true);
    expect(open.fault?.code).toBe("wallet/rows-lost");
  });

  it("drops a wallet that nobody asks for, and scans it again from where it stood", async () => {
    let laterMs = 0n;
    const clock: Clock = { ...systemClock, steadyMs: () => runningClock.steadyMs() + laterMs };
    const { daemon, folder, done } = await startDaemon({ clock });
    await importWallets(folder);
    const first = await untilAtTip(daemon, ALICE);
    await daemon.wallets.dropIdle();
    expect(first.isClosed).toBe(false);
    laterMs += IDLE_MS;
    await untilFound(() => daemon.wallets.all.length === 0);
    expect(first.isClosed).toBe(true);
    done.starts.length = 0;
    done.scanned.length = 0;
    await extend(fixture.trunk.slice(fixture.forkIndex));
    const open = await untilAtTip(daemon, ALICE);
    expect(comparable(open.state)).toBe(await alone(alice.seed));
    expectOnlyAbove(done, [first.state]);
  });

  it("scans again from the birthday when it is asked to, and keeps the payments", async () => {
    const { daemon, folder, store, done } = await startDaemon();
    await importWallets(folder);
    const open = await untilAtTip(daemon, ALICE);
    const payments = ["plain", "waiting"].map((name) => paymentOf(name, open.state));
    await open.update((state) => ({ ...state, outbox: payments }));
    await extend(fixture.trunk.slice(fixture.forkIndex));
    for (let block = 0; block < 12; block += 1) await mineOn(node, decodeHex(bob.recipient));
    await untilAtTip(daemon, ALICE);
    const before = open.state;
    expect(before.outbox.map(({ status }) => status.state)).toEqual(["settled", "mempool"]);
    expect(before.history.find(({ kind }) => kind === "sent")).toMatchObject({
      fee: fixture.payment("plain").fee,
    });
    done.starts.length = 0;
    await daemon.wallets.rescan(open, never, { byOwner: true });
    await untilAtTip(daemon, ALICE);
    expect(done.starts).toContain(0n);
    expect(open.state.outbox).toEqual(before.outbox);
    expect(comparable(open.state)).toBe(comparable(before));
    for (const payment of before.outbox) {
      expect(store.payments.get(ALICE, payment.id)).toEqual(payment);
    }
    const kept = new Uint8Array(readFileSync(join(path, `${ALICE}.scan.bak`)));
    const { state } = decodeSnapshot(await folder.openScan(ALICE, kept));
    expect(comparable(state)).toBe(comparable(before));
  });

  it("says when a wallet was last up to date, also while it is scanned again", async () => {
    const { daemon, folder, store, done } = await startDaemon();
    await importWallets(folder);
    const parts = { core, profileJson: simnet, folder, store, daemon, clock: systemClock };
    const { status } = statusHandlers(parts, new DaemonWallets(parts));
    const ask = () => status({ ...CALL, token: ALICE, signal: never });
    const { promise, resolve } = Promise.withResolvers<void>();
    done.gate = promise;
    const open = await daemon.wallets.open(ALICE);
    await untilFound(() => open.wallet.isBegun);
    expect(await ask()).toMatchObject({ synced: false, updated_unix: 0 });
    resolve();
    await untilAtTip(daemon, ALICE);
    await untilFound(() => open.syncedUnix > 0);
    const second = Promise.withResolvers<void>();
    done.gate = second.promise;
    const { syncedUnix } = open;
    await daemon.wallets.rescan(open, never);
    expect(open.isAtTip).toBe(false);
    const { synced, updated_unix } = await ask();
    expect([synced, updated_unix]).toEqual([false, open.syncedUnix]);
    expect(updated_unix).toBeGreaterThanOrEqual(syncedUnix);
    second.resolve();
    await untilAtTip(daemon, ALICE);
  });

  it("opens wallets without a node, and finds it when it comes", async () => {
    const first = await startDaemon();
    await importWallets(first.folder);
    await untilAtTip(first.daemon, ALICE);
    await first.stop();
    await node.stop();
    const second = await startDaemon();
    const open = await second.daemon.wallets.open(ALICE);
    expect(open.state.notes.length).toBeGreaterThan(0);
    expect(open.isAtTip).toBe(true);
    expect(second.daemon.tip).toBe(null);
  });

  it("tells a monitor how far it is, and of no wallet by name", async () => {
    const { daemon, folder, store, metrics } = await startDaemon();
    await importWallets(folder);
    const { state } = await untilAtTip(daemon, ALICE);
    await untilAtTip(daemon, BOB);
    const text = metrics.text();
    const told = new Map(readMetrics(text).map(({ name, value }) => [name, value]));
    const { chainIndex } = cursorOf(state);
    expect(told.get("svc_walletd_scan_blocks_total")).toBeGreaterThanOrEqual(Number(chainIndex));
    expect(told.get("svc_walletd_notes")).toBeGreaterThan(0);
    expect(told.get("svc_walletd_store_sequence")).toBeGreaterThan(0);
    expect(Object.fromEntries(told)).toMatchObject({
      svc_walletd_wallets_open: 2,
      svc_walletd_wallets_behind: 0,
      svc_walletd_lane_blocks_behind: 0,
      svc_walletd_lane_faulty: 0,
    });
    const parts = { core, profileJson: simnet, folder, store, daemon, clock: systemClock };
    const { ready } = statusHandlers(parts, new DaemonWallets(parts));
    const readiness = await ready({ ...CALL, signal: never });
    expect(readiness).toMatchObject({
      ready: true,
      wallets: [ALICE, BOB].map((token) => ({ wallet: walletLabel(token), synced: true })),
    });
    for (const secret of [ALICE, BOB, alice.recipient, "svcsim"]) {
      expect(text).not.toContain(secret);
      expect(JSON.stringify(readiness)).not.toContain(secret);
    }
  });
});
