/**
 * A daemon that spends, for tests: its real store, lanes, open wallets and spending service, over a model of a chain, with fakes of
 * the core's keys, proofs and signatures. It can be stopped and started over the same disk.
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
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import { askTip } from "@svc/shared/wallet/sync/walletSync.ts";
import {
  EPOCH_POLICY,
  freshWallet,
  type ChainModel,
} from "@svc/shared/wallet/testkit/chainModel.ts";
import { FoldTree, ModelNode } from "@svc/shared/wallet/testkit/ports.ts";
import { SimClock } from "@svc/shared/wallet/testkit/simClock.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { HeldPayment } from "../../proving/proverThread.ts";
import type { Kv } from "../../storage/kv.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { ViewingKeys } from "../keys/viewingKeys.ts";
import type { WalletFacts } from "../keys/walletFile.ts";
import type { WalletChange } from "../keys/walletFolder.ts";
import { asWalletToken, type WalletToken } from "../keys/walletToken.ts";
import { ProofQueue, type QueuedProver } from "../spend/proofQueue.ts";
import { SpendService } from "../spend/spendService.ts";
import { WalletStore } from "../store/walletStore.ts";
import { putPayments } from "../wallets/laneCommits.ts";
import { Lanes, type LanesParts } from "../wallets/lanes.ts";
import { LaneTree } from "../wallets/laneTree.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import { OpenWallets } from "../wallets/openWallets.ts";
import { SnapshotWriter } from "../wallets/snapshotWriter.ts";
import { keyOfAddress, ModelKeyScan } from "./modelKeyScan.ts";

/** Silent. */
export const NO_LOG: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

function fail(message: string): never {
  throw new Error(message);
}

const ADDRESS_BYTES = 43;
const PREFIX = "test:";

/** The core's functions for addresses, where an address is the beginning of its key. */
export const FAKE_CORE = {
  addressAt: (fvk: Uint8Array, index: number) => {
    const raw = fvk.slice(0, ADDRESS_BYTES);
    if (index > 0) raw[ADDRESS_BYTES - 1] = index;
    return raw;
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
};

/** The address of a payee or a wallet that is told by a number. */
export function addressOf(number: number): RawAddress {
  return asRawAddress(number.toString(16).padStart(86, "0"));
}

/** The same as text. */
export function textOf(number: number): string {
  return asAddressText(`${PREFIX}${addressOf(number)}`);
}

/** The content of a fake transaction. */
export type FakeTransaction = Pick<ProvePlan, "spends" | "outputs" | "fee">;

/** What a fake transaction does. */
export function readTransaction(raw: string): FakeTransaction {
  return JSON.parse(new TextDecoder().decode(decodeHex(raw).subarray(32)));
}

/** A prover whose proofs hold what they prove; every one of them is another transaction. */
export class FakeProver implements QueuedProver {
  readonly plans: ProvePlan[] = [];
  /** Awaited before each proof. */
  gate: (plan: ProvePlan, signal: AbortSignal) => Promise<void> = async () => undefined;
  dropped = 0;
  warmed = 0;
  readonly #txid: () => string;

  constructor(txid: () => string) {
    this.#txid = txid;
  }

  async prove(
    plan: ProvePlan,
    progress: (stage: string, fraction: number) => void,
    signal: AbortSignal,
  ): Promise<HeldPayment> {
    this.plans.push(plan);
    progress("proving", 0.5);
    await this.gate(plan, signal);
    const { spends, outputs, fee } = plan;
    const content = new TextEncoder().encode(JSON.stringify({ spends, outputs, fee }));
    const raw = concatBytes(decodeHex(this.#txid()), content);
    return {
      bundle: new Uint8Array(),
      disclosure: "[]",
      alphas: "[]",
      finalize: async () => raw,
      drop: () => {
        this.dropped += 1;
      },
    };
  }

  async warm(): Promise<void> {
    this.warmed += 1;
  }

  async stop(): Promise<void> {}
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
  #ids = 0;

  constructor(model: ChainModel) {
    this.model = model;
    this.node = new ModelNode(model);
  }

  /** Makes a wallet of an address. */
  add(name: string, address: RawAddress, kind: "seed" | "watch" = "seed"): WalletToken {
    const facts: WalletFacts = {
      id: "ab".repeat(16),
      network: "test",
      kind,
      birthday: asDaaScore(0n),
      bornOn: null,
      recoverableHistory: false,
      createdUnix: 0,
    };
    this.wallets.set(name, { address, facts });
    return asWalletToken(name);
  }

  /** An id that was not given before. */
  nextId(): string {
    this.#ids += 1;
    return this.#ids.toString(16).padStart(32, "0");
  }
}

/** How a daemon is started. */
export type SceneOptions = {
  readonly kv?: Kv;
  readonly node?: ModelNode;
  /** The clock; that of the disk when left out. */
  readonly sim?: SimClock;
  readonly provers?: readonly QueuedProver[];
  readonly policy?: Partial<WalletPolicy>;
  readonly consolidateAbove?: number | null;
  /** Wallets in memory at most; 100 when left out. */
  readonly most?: number;
  /** Silent when left out. */
  readonly log?: Log;
};

/** What the parts of a daemon have in common. */
type Common = {
  readonly disk: SceneDisk;
  readonly node: ModelNode;
  readonly clock: Clock;
  readonly policy: WalletPolicy;
  readonly store: WalletStore;
  readonly makeTree: (bytes: Uint8Array) => FoldTree;
  readonly askTip: (signal: AbortSignal) => Promise<NodeTip>;
};

/** Starts a daemon over a disk. */
export function startDaemon(disk: SceneDisk, options: SceneOptions = {}) {
  const sim = options.sim ?? disk.sim;
  const node = options.node ?? disk.node;
  const policy: WalletPolicy = { ...EPOCH_POLICY, recentBlocks: 200, ...options.policy };
  const now = (): bigint => sim.nowMs();
  const sleep: Clock["sleep"] = (ms, signal) => sim.sleep(ms, signal);
  const clock: Clock = { nowMs: now, steadyMs: now, bootMs: now, sleep };
  const store = new WalletStore(options.kv ?? disk.kv, null);
  const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
  const ask = (signal: AbortSignal) => askTip(node, freshWallet().account, signal);
  const common: Common = { disk, node, clock, policy, store, makeTree, askTip: ask };
  let tip: NodeTip | null = null;
  const lanes = lanesOf(common, {
    onLost: (lost) => void open.replace(lost),
    onTip: (told) => {
      tip = told;
    },
  });
  const folder = folderOf(disk);
  const writer = new SnapshotWriter({ folder, store, clock, log: NO_LOG });
  const most = options.most ?? 100;
  const log = options.log ?? NO_LOG;
  const open = walletsOf(common, { lanes, folder, writer, tip: () => tip, most, log });
  const prover = new FakeProver(() => disk.model.fresh());
  const proofs = new ProofQueue({ provers: options.provers ?? [prover], clock });
  const service = new SpendService({
    store,
    wallets: open,
    folder,
    proofs,
    signerFor: () => ({ sign: async () => "aa" }),
    node,
    core: FAKE_CORE,
    policy,
    profile: { networkName: "test" },
    clock,
    log,
    newId: () => disk.nextId(),
    consolidateAbove: options.consolidateAbove ?? null,
  });
  lanes.start();
  return { store, folder, lanes, open, writer, prover, proofs, service, sim, policy };
}

/** Lanes that begin at genesis; the chain itself is not stored. */
function lanesOf(
  { disk, node, clock, policy, store, makeTree, askTip: ask }: Common,
  { onLost, onTip }: Pick<LanesParts, "onLost" | "onTip">,
): Lanes {
  const { birthday } = freshWallet().account;
  const begin = { block: birthday, tree: new Uint8Array(), historyMissing: false };
  const parts: LanesParts = {
    policy,
    node,
    clock: { nowMs: () => disk.sim.nowMs(), sleep: (ms, signal) => clock.sleep(ms, signal) },
    scan: new ModelKeyScan(disk.model),
    makeTree,
    most: 2,
    askTip: ask,
    startAtTip: async () => begin,
    commit: ({ moved }) =>
      store.commit((batch) => {
        for (const { wallet, before, after } of moved) {
          putPayments(store, batch, wallet.keys.token, [before.outbox, after.outbox]);
        }
      }),
    onLost,
    onTip,
  };
  const start = { bytes: begin.tree, base: birthday.leafEnd };
  const tree = new LaneTree(makeTree(begin.tree), start, false);
  return new Lanes(parts, { view: [birthday], tree });
}

function folderOf({ wallets, scans, keptScans }: SceneDisk) {
  return {
    list: async () => [...wallets.keys()].map((name) => asWalletToken(name)),
    openKeys: async (token: WalletToken) => {
      const found = wallets.get(token);
      if (found === undefined) throw new SvcError("wallet/no-wallet", {});
      const { address, facts } = found;
      const keys = new ViewingKeys(FAKE_CORE, "test", keyOfAddress(address));
      return { keys, facts, addresses: [], isFinal: true };
    },
    readScan: async (token: WalletToken) => scans.get(token) ?? null,
    writeScan: async (token: WalletToken, bytes: Uint8Array) => void scans.set(token, bytes),
    retireScan: async (token: WalletToken) => scans.delete(token),
    update: async (token: WalletToken, { birthday }: Pick<WalletChange, "birthday">) => {
      const file = wallets.get(token) ?? fail("no such wallet");
      const facts = { ...file.facts, ...(birthday !== undefined && { birthday }) };
      wallets.set(token, { ...file, facts });
      return facts;
    },
    keepScan: async (token: WalletToken, _how?: { readonly rotates?: boolean }) => {
      const bytes = scans.get(token);
      if (bytes !== undefined) keptScans.push(bytes);
      return bytes !== undefined;
    },
  };
}

function walletsOf(
  { node, clock, policy, store, makeTree, askTip: ask }: Common,
  parts: {
    readonly lanes: Lanes;
    readonly folder: ReturnType<typeof folderOf>;
    readonly writer: SnapshotWriter;
    readonly tip: () => NodeTip | null;
    readonly most: number;
    readonly log: Log;
  },
): OpenWallets {
  const { lanes, folder, writer, tip, most, log } = parts;
  const { genesis, profileDigest } = freshWallet().account;
  const network = { genesis, profileDigest };
  return new OpenWallets({
    folder,
    load: { folder, store, network, view: () => lanes.main.view, log },
    shared: { store, lanes, tip, incoming: () => [] },
    start: { node, policy, makeTree },
    askTip: ask,
    writer,
    clock,
    log,
    opening: 4,
    most,
    idleMs: 60_000n,
  });
}

/** A daemon of a test. */
export type SceneDaemon = ReturnType<typeof startDaemon>;

/** The wallet, open and at the tip. */
export async function opened(daemon: SceneDaemon, token: WalletToken): Promise<OpenWallet> {
  const open = await daemon.open.open(token);
  for (let second = 0; second < 30; second += 1) {
    daemon.lanes.wake();
    await daemon.sim.run(2_000);
    if (open.wallet.isBegun && open.isAtTip) return open;
  }
  throw new Error("the wallet did not come to the tip");
}

/** Mines what the node was given since this many submissions, in one block; returns how many there are now. */
export function mine({ model, node }: SceneDisk, since: number, owner: RawAddress): number {
  const notes = new Map(
    model
      .page(1)
      .facts.blocks.flatMap((block) =>
        block.notes.map((note) => [String(note.position), note] as const),
      ),
  );
  const raws = [...new Set(node.submitted)].slice(since);
  const txs = raws.map((raw) => {
    const { spends, outputs, fee } = readTransaction(raw);
    const spent = spends.map(({ position }) => notes.get(position) ?? fail("there is none"));
    const paid = outputs.reduce((sum, { value }) => sum + BigInt(value), BigInt(fee));
    const change = spent.reduce((sum, { value }) => sum + value, 0n) - paid;
    const own = outputs.filter(({ address }) => address === owner);
    return {
      txid: asTxId(FAKE_CORE.transactionId(decodeHex(raw))),
      spends: spent.map(({ nullifier }) => nullifier),
      outputs: [
        ...own.map(({ value }) => ({ value: BigInt(value), recipient: owner })),
        ...(change > 0n ? [{ value: change, recipient: owner }] : []),
      ],
    };
  });
  model.add({ txs });
  return since + raws.length;
}
