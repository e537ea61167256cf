/**
 * A daemon with prepared sessions, for tests: its real store, lanes and open wallets over a model of a chain, with fakes of the core's
 * keys, proofs and signatures. It can be stopped and started over the same disk.
 */
import {
  asAddressText,
  asDaaScore,
  asRawAddress,
  asTxId,
  type RawAddress,
} from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { NodeTip } from "@svc/shared/wallet/state/ports.ts";
import type { ProvePlan } from "@svc/shared/wallet/state/provePlan.ts";
import { askTip } from "@svc/shared/wallet/sync/walletSync.ts";
import { ChainModel, EPOCH_POLICY, freshWallet } from "@svc/shared/wallet/testkit/chainModel.ts";
import { FoldTree, ModelNode } from "@svc/shared/wallet/testkit/ports.ts";
import { SimClock } from "@svc/shared/wallet/testkit/simClock.ts";
import { createLog } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { HeldPayment } from "../../proving/proverThread.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { PreparedSessions } from "../device/preparedSessions.ts";
import { ViewingKeys } from "../keys/viewingKeys.ts";
import type { WalletFacts } from "../keys/walletFile.ts";
import type { WalletChange } from "../keys/walletFolder.ts";
import { asWalletToken, type WalletToken } from "../keys/walletToken.ts";
import { SpendLimits } from "../spend/tokens/spendLimits.ts";
import { WalletStore } from "../store/walletStore.ts";
import { putPayments } from "../wallets/laneCommits.ts";
import { Lanes } from "../wallets/lanes.ts";
import { LaneTree } from "../wallets/laneTree.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import { OpenWallets } from "../wallets/openWallets.ts";
import type { MovedWallet } from "../wallets/scanLane.ts";
import { SnapshotWriter } from "../wallets/snapshotWriter.ts";
import { keyOfAddress, ModelKeyScan } from "./modelKeyScan.ts";

const ADDRESS_BYTES = 43;
const PREFIX = "test:";
const COUNT_AT = 109;
const ACTION_BYTES = 884;
const SETTINGS = { opening: 4, most: 100, idleMs: 60_000n };
/** A signature that verifies, and one that does not. */
export const GOOD = "01".repeat(64);
export const BAD = "02".repeat(64);

function noWallet(): never {
  throw new SvcError("wallet/no-wallet", {});
}

/** The core's functions that sessions use, where an address is the beginning of its key. */
const FAKE_CORE = {
  addressAt: (fvk: Uint8Array) => {
    if (fvk[ADDRESS_BYTES] !== 0) throw new SvcError("keys/bad-viewing-key", {});
    return fvk.slice(0, ADDRESS_BYTES);
  },
  encodeAddress: (_hrp: string, raw: Uint8Array) => `${PREFIX}${encodeHex(raw)}`,
  fullViewingKey: (seed: Uint8Array) => seed,
  decodeAddress: (_hrp: string, text: string) => {
    if (!text.startsWith(PREFIX)) throw new SvcError("address/missing-prefix", {});
    return decodeHex(text.slice(PREFIX.length));
  },
  addressIndexOf: (fvk: Uint8Array, raw: Uint8Array) =>
    encodeHex(fvk.subarray(0, ADDRESS_BYTES)) === encodeHex(raw) ? 0n : undefined,
  transactionId: (raw: Uint8Array) => encodeHex(raw.subarray(0, 32)),
  genesisHash: () => freshWallet().account.genesis,
  checkPrepared: () => JSON.stringify({ sighash: "5a".repeat(32) }),
};

/** The address of a payee or a wallet that is told by a number. */
export function addressOf(number: number): RawAddress {
  return asRawAddress(number.toString(16).padStart(86, "0"));
}

/** The same as text. */
export function textOf(number: number): string {
  return asAddressText(`${PREFIX}${addressOf(number)}`);
}

/** The viewing key of that address. */
export function keyOf(number: number): Uint8Array {
  return keyOfAddress(addressOf(number));
}

/** A bundle without content that has so many actions and a number of its own. */
function fakeBundle(number: number, actions: number): Uint8Array {
  const bytes = new Uint8Array(COUNT_AT + 4 + ACTION_BYTES * actions + 4 + 64);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, number);
  view.setUint32(COUNT_AT, actions);
  return bytes;
}

/** A prover whose proofs take one signature for each spend, and tell what was dropped. */
export class FakeProver {
  readonly plans: ProvePlan[] = [];
  readonly dropped: number[] = [];
  /** Awaited before each proof begins, and before it is made. */
  queue: (signal: AbortSignal) => Promise<void> = async () => undefined;
  gate: (signal: AbortSignal) => Promise<void> = async () => undefined;
  /** Thrown by the next `finalize`. */
  fault: SvcError | null = null;

  async prove(
    plan: ProvePlan,
    progress: (stage: string, fraction: number) => void,
    signal: AbortSignal,
  ): Promise<HeldPayment> {
    await this.queue(signal);
    progress("building", 0);
    const number = this.plans.push(plan);
    await this.gate(signal);
    const entry = { spendValue: "0", outRseed: "33".repeat(32), rcv: "44".repeat(32) };
    const disclosure = plan.outputs.map(({ address, value }) => ({
      ...entry,
      outValue: value,
      outRecipient: address,
    }));
    const alphas = plan.spends.map((_, index) => ({ index, alpha: "55".repeat(32) }));
    return {
      bundle: fakeBundle(number, 2),
      disclosure: JSON.stringify(disclosure),
      alphas: JSON.stringify(alphas),
      finalize: (signatures) => this.#finalize(number, plan, signatures),
      drop: () => void this.dropped.push(number),
    };
  }

  async #finalize(number: number, plan: ProvePlan, signatures: string): Promise<Uint8Array> {
    const { fault } = this;
    this.fault = null;
    if (fault !== null) throw fault;
    const list: { index: number; sig: string }[] = JSON.parse(signatures);
    const bad = list.find(({ sig }) => sig !== GOOD);
    if (bad !== undefined) {
      throw new SvcError("shielded/spend-signature-invalid", { action: bad.index });
    }
    const txid = decodeHex(number.toString(16).padStart(64, "f"));
    return concatBytes(txid, new TextEncoder().encode(JSON.stringify(plan.spends)));
  }
}

/** What outlives a program: the database, the scan files, the wallets' facts, and the world around it. */
export class SceneDisk {
  readonly kv = new MemoryKv();
  readonly scans = new Map<string, Uint8Array>();
  /** Snapshots that were kept beside those in use, in their order. */
  readonly keptScans: Uint8Array[] = [];
  readonly wallets = new Map<string, { address: RawAddress; facts: WalletFacts }>();
  readonly model: ChainModel;
  readonly node: ModelNode;
  readonly sim = new SimClock(1_000_000n);
  readonly prover = new FakeProver();
  #ids = 0;

  /** Wallets by the number of their address, each with mature notes of these values. */
  constructor(wallets: Readonly<Record<number, readonly bigint[]>>) {
    this.model = new ChainModel();
    this.node = new ModelNode(this.model);
    for (const [number, values] of Object.entries(wallets)) {
      const recipient = addressOf(Number(number));
      const outputs = values.map((value) => ({ value, recipient }));
      this.model.add({ txs: [{ txid: asTxId(this.model.fresh()), outputs }] });
      this.#add(`wallet-${number}`, recipient);
    }
    this.model.addEmpty(20);
  }

  /** An id that was not given before. */
  nextId(): string {
    this.#ids += 1;
    return this.#ids.toString(16).padStart(32, "0");
  }

  #add(name: string, address: RawAddress): void {
    const facts: WalletFacts = {
      id: "ab".repeat(16),
      network: "test",
      kind: "watch",
      birthday: asDaaScore(0n),
      bornOn: null,
      recoverableHistory: false,
      createdUnix: 0,
    };
    this.wallets.set(name, { address, facts });
  }
}

/** The token of a wallet that is told by its number. */
export function tokenOf(number: number): WalletToken {
  return asWalletToken(`wallet-${number}`);
}

/** Starts a daemon over a disk. */
export function startDaemon(disk: SceneDisk) {
  const { model, node, sim, prover } = disk;
  const policy = { ...EPOCH_POLICY, recentBlocks: 200, maxSpends: 38 };
  const sleep: Clock["sleep"] = (ms, signal) => sim.sleep(ms, signal);
  const port = { nowMs: () => sim.nowMs(), steadyMs: (): bigint => sim.nowMs(), sleep };
  const clock: Clock = { ...port, bootMs: () => sim.nowMs() };
  const store = new WalletStore(disk.kv, null);
  const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
  const { genesis, profileDigest, birthday } = freshWallet().account;
  const ask = (signal: AbortSignal) => askTip(node, { genesis, profileDigest }, signal);
  const begin = { block: birthday, tree: new Uint8Array(), historyMissing: false };
  const start = { bytes: begin.tree, base: birthday.leafEnd };
  let tip: NodeTip | null = null;
  const lanes: Lanes = new Lanes(
    {
      policy,
      node,
      clock: port,
      scan: new ModelKeyScan(model),
      makeTree,
      most: 2,
      askTip: ask,
      startAtTip: async () => begin,
      commit: ({ moved }) => commitMoved(store, moved),
      onLost: (lost) => void wallets.replace(lost),
      onTip: (now) => {
        tip = now;
      },
    },
    { view: [birthday], tree: new LaneTree(makeTree(begin.tree), start, false) },
  );
  const folder = folderOf(disk);
  const log = createLog("silent");
  const wallets = new OpenWallets({
    folder,
    load: { folder, store, network: { genesis, profileDigest }, view: () => lanes.main.view, log },
    shared: { store, lanes, incoming: () => [], tip: () => tip },
    start: { node, policy, makeTree },
    askTip: ask,
    writer: new SnapshotWriter({ folder, store, clock, log }),
    clock,
    log,
    ...SETTINGS,
  });
  const limits = new SpendLimits(store, clock);
  const sessions = new PreparedSessions({
    limits,
    core: FAKE_CORE,
    profileJson: JSON.stringify({ hrp: "test" }),
    wallets,
    store,
    proverFor: () => prover,
    node,
    policy,
    clock: port,
    newId: () => disk.nextId(),
  });
  lanes.start();
  return { store, lanes, wallets, sessions, sim, prover, node };
}

function commitMoved(store: WalletStore, moved: readonly MovedWallet[]): void {
  store.commit((batch) => {
    for (const { wallet, before, after } of moved) {
      putPayments(store, batch, wallet.keys.token, [before.outbox, after.outbox]);
    }
  });
}

/** A daemon of a test. */
export type SceneDaemon = ReturnType<typeof startDaemon>;

function folderOf({ wallets, scans, keptScans }: SceneDisk) {
  const fileOf = (token: WalletToken) => wallets.get(token) ?? noWallet();
  return {
    openKeys: async (token: WalletToken) => {
      const { address, facts } = fileOf(token);
      const keys = new ViewingKeys(FAKE_CORE, "test", keyOfAddress(address));
      return { keys, facts, addresses: [], isFinal: true };
    },
    readScan: async (token: WalletToken) => scans.get(token) ?? null,
    writeScan: async (token: WalletToken, bytes: Uint8Array) => void scans.set(token, bytes),
    retireScan: async (token: WalletToken) => scans.delete(token),
    update: async (token: WalletToken, { birthday }: Pick<WalletChange, "birthday">) => {
      const file = fileOf(token);
      const facts = { ...file.facts, ...(birthday !== undefined && { birthday }) };
      wallets.set(token, { ...file, facts });
      return facts;
    },
    keepScan: async (token: WalletToken) => {
      const bytes = scans.get(token);
      if (bytes !== undefined) keptScans.push(bytes);
      return bytes !== undefined;
    },
  };
}

/** The wallet, open and at the tip. */
export async function opened(
  { wallets, lanes, sim }: SceneDaemon,
  number: number,
): Promise<OpenWallet> {
  const open = await wallets.open(tokenOf(number));
  for (let second = 0; second < 30; second += 1) {
    lanes.wake();
    await sim.run(2_000);
    if (open.wallet.isBegun && open.isAtTip) return open;
  }
  throw new Error("the wallet did not come to the tip");
}
