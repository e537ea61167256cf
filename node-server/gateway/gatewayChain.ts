/** The gateway's eyes: one scan of the chain and one of the pool for all viewing keys. Whoever starts them takes what they find. */
import { asBlockHash, asTimestampMs, type ViewingKeyId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { CoreReceipts } from "@svc/shared/light/coreReceipts.ts";
import { CoreJudge } from "@svc/shared/light/coreJudge.ts";
import type { EvidencePort } from "@svc/shared/light/evidencePort.ts";
import type { ChainDepth } from "@svc/shared/light/workLadder.ts";
import { CoreTree } from "@svc/shared/wallet/state/coreTree.ts";
import { genesisStart } from "@svc/shared/wallet/state/genesisStart.ts";
import type { NodePort, NodeTip } from "@svc/shared/wallet/state/ports.ts";
import { walletPolicy, type WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import type { ChainView } from "@svc/shared/wallet/state/chainView.ts";
import { startBelow } from "@svc/shared/wallet/sync/birthday.ts";
import { askTip } from "@svc/shared/wallet/sync/walletSync.ts";
import { asChainIndex, asLeafPosition } from "@svc/shared/base/brand.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";
import type { Log } from "../platform/log/log.ts";
import type { Clock } from "../platform/time/clock.ts";
import { FollowLoop } from "../scanning/followLoop.ts";
import { KeySets } from "../scanning/keySets.ts";
import { PoolScan, type PooledPayment } from "../scanning/poolScan.ts";
import type { IncomingScanPort, KeyScanPort } from "../scanning/scanThreads.ts";
import type { WaitingNotes } from "../scanning/waitingNotes.ts";
import type { IncomingNote } from "@svc/shared/wallet/state/incomingFacts.ts";
import { GATEWAY_LIMITS } from "./gatewayLimits.ts";
import { ChainProver } from "./proof/chainProver.ts";
import type { NetworkWork } from "./proof/networkWork.ts";
import type { ProofTable } from "./proof/proofTable.ts";
import { ReceiptPress } from "./receipts/receiptPress.ts";
import type { ReceiptTable } from "./receipts/receiptTable.ts";
import { ChainScan, type ScanStep } from "./scan/chainScan.ts";
import { poolFacts } from "./scan/poolFacts.ts";
import type { ScannedKey } from "./scan/scannedKey.ts";

/** Dependencies. It closes none of them. */
export type GatewayChainParts = {
  readonly core: CoreGlue;
  /** Canonical JSON of the network profile. */
  readonly profileJson: string;
  readonly node: NodePort &
    Pick<EvidencePort, "opening" | "run"> & {
      readonly pool: (signal: AbortSignal) => Promise<readonly PooledPayment[]>;
    };
  readonly scan: IncomingScanPort & KeyScanPort;
  /** The node is the operator's own: no evidence is asked for, and depth alone decides. */
  readonly trustsNode: boolean;
  /** Work of the network as the program knows it. */
  readonly work: NetworkWork;
  /** The blocks that an earlier start remembered; none for a scan that begins. */
  readonly view: ChainView;
  /** What was proved of them. */
  readonly proof: Pick<ProofTable, "read" | "leaves">;
  /** The payments that receipts are made of. */
  readonly receipts: Pick<ReceiptTable, "open">;
  /** Makes a step durable, and remembers at most so many blocks. Throws the store's error, and then nothing has happened. */
  readonly commit: (step: ScanStep, recentBlocks: number) => void;
  /** Takes what came to the pool and left it. Nothing is lost with what is not written down: a block tells it again. */
  readonly takePool: (facts: readonly PaymentFact[]) => Promise<void>;
  /** The pool was read through, and what was found told, with the scan at the tip once since the start. */
  readonly endPoolLook: () => Promise<void>;
  /** What was proved is about to be another chain's: this is left of it. */
  readonly onCut: (depth: ChainDepth) => void;
  /** The scan came to a tip: its block, and where payments are deep. */
  readonly onTip: (depth: ChainDepth, block: ChainBlock) => void;
  readonly clock: Clock;
  readonly log: Log;
};

/** Both scans, and the keys that they look for payments with. */
export class GatewayChain {
  readonly #parts: GatewayChainParts;
  readonly #policy: WalletPolicy;
  readonly #keys: KeySets<ScannedKey>;
  readonly #known = new Map<ViewingKeyId, ScannedKey>();
  readonly #prover: ChainProver | null;
  readonly #scan: ChainScan;
  readonly #loop: FollowLoop;
  readonly #pool: PoolScan<ScannedKey, readonly IncomingNote[], WaitingNotes>;
  readonly #stop = new AbortController();
  #run: Promise<void> | null = null;
  /** When the scan last came to what the node said of its tip. */
  #atTipMs: bigint | null = null;

  constructor(parts: GatewayChainParts) {
    this.#parts = parts;
    this.#policy = walletPolicy(readProfile(parts.profileJson));
    const sets = { keyOf: ({ ivk }: ScannedKey) => ivk, keysPerSet: GATEWAY_LIMITS.keysPerSet };
    this.#keys = new KeySets<ScannedKey>(sets);
    this.#prover = parts.trustsNode ? null : this.#makeProver();
    this.#scan = this.#makeScan(genesisBlock(parts));
    this.#loop = new FollowLoop(
      { scan: this.#scan, follow: (signal) => this.#scan.follow(signal) },
      clockOf(parts.clock),
    );
    this.#pool = this.#makePool(new KeySets<ScannedKey>(sets));
  }

  /** What keeps the gateway from seeing payments, or from believing what it sees; null for nothing. */
  get problem(): SvcError | null {
    return this.#loop.problem ?? this.#prover?.problem ?? null;
  }

  /**
   * Why the node is not believed; null where it showed all that it was asked for, or is believed without. Undefined while that is not
   * known.
   */
  get verdict(): SvcError | null | undefined {
    return this.#prover === null ? null : this.#prover.verdict;
  }

  /** How many viewing keys payments are looked for with. */
  get keyCount(): number {
    return this.#known.size;
  }

  /** ms since the scan was last at the tip; null while it never was. */
  get lagMs(): bigint | null {
    return this.#atTipMs === null ? null : this.#parts.clock.steadyMs() - this.#atTipMs;
  }

  /** A viewing key that payments are looked for with, or undefined. */
  keyOf(id: ViewingKeyId): ScannedKey | undefined {
    return this.#known.get(id);
  }

  /** Looks for payments with these viewing keys too. One that it has already is passed over. */
  add(keys: readonly ScannedKey[]): void {
    const fresh = keys.filter(({ id }) => !this.#known.has(id));
    for (const key of fresh) this.#known.set(key.id, key);
    if (fresh.length > 0) this.#keys.add(fresh);
  }

  /** Begins to follow chain and pool. */
  start(): void {
    this.#run ??= this.#loop.run(this.#stop.signal);
    this.#pool.start();
  }

  /** There is news: look at the node now. */
  wake(): void {
    this.#loop.wake();
    this.#pool.wake();
  }

  /** Ends; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all([this.#run, this.#pool.stop()]);
    await this.#scan.close();
  }

  #makeScan(genesis: ChainBlock): ChainScan {
    const { core, node, scan, view, commit, clock, profileJson } = this.#parts;
    const network = {
      genesis: asBlockHash(callCore(() => core.genesisHash(profileJson))),
      profileDigest: callCore(() => core.profileDigest(profileJson)),
    };
    const makeTree = (bytes: Uint8Array) => new CoreTree(core, bytes);
    const start = { node, policy: this.#policy, makeTree };
    const { recentBlocks } = this.#policy;
    return new ChainScan(
      {
        policy: this.#policy,
        node,
        scan,
        clock: clockOf(clock),
        keys: this.#keys,
        askTip: (signal) => askTip(node, network, signal),
        prover: this.#prover,
        onCut: () => {
          if (this.#prover !== null) this.#parts.onCut(this.#depth(null));
        },
        startAgain: (tip, signal) => startBelow(start, tip.daaScore, tip, signal),
        commit: (step) => commit(step, recentBlocks),
        onTip: (tip) => this.#takeTip(tip),
      },
      view,
      genesis,
    );
  }

  #makeProver(): ChainProver {
    const { core, profileJson, work, node, clock, proof, view, commit } = this.#parts;
    const { recentBlocks } = this.#policy;
    return new ChainProver({
      ...{ core, node, recentBlocks, clock: clockOf(clock) },
      network: work,
      judge: new CoreJudge(core, profileJson),
      stored: { proof: proof.read(), leaves: proof.leaves(), tip: view.at(-1) ?? null },
      receipts: new ReceiptPress({
        receipts: new CoreReceipts(core, profileJson),
        payments: this.#parts.receipts,
        onFault: (err) => this.#parts.log.warn({ err }, "no receipt was made of a payment"),
      }),
      commit: (proved, { chainIndex }, receipts) => {
        const covered = { leaves: [], proof: proved };
        commit({ common: chainIndex, blocks: [], found: [], covered, receipts }, recentBlocks);
      },
    });
  }

  /** Where payments are deep; `told` is what the node says of its tip. */
  #depth(told: NodeTip | null): ChainDepth {
    return this.#prover?.depth ?? { tip: told?.sinkBlueScore ?? null, ladder: null };
  }

  #makePool(
    sets: KeySets<ScannedKey>,
  ): PoolScan<ScannedKey, readonly IncomingNote[], WaitingNotes> {
    const { node, scan, clock, log } = this.#parts;
    return new PoolScan({
      node,
      sets,
      scan: (page, asked, signal) => scan.scanIncoming(page, asked, signal),
      clock,
      log,
      owners: () => [...this.#known.values()],
      listen: (key) => poolFacts(key, (facts) => this.#keepPool(() => this.#parts.takePool(facts))),
      onLooked: () => {
        if (this.#atTipMs !== null) this.#keepPool(() => this.#parts.endPoolLook());
      },
    });
  }

  #keepPool(keep: () => Promise<void>): void {
    keep().catch((thrown: unknown) =>
      this.#parts.log.error(
        { err: SvcError.from(thrown) },
        "waiting payments were not written down",
      ),
    );
  }

  #takeTip(tip: NodeTip): void {
    this.#atTipMs = this.#parts.clock.steadyMs();
    this.#parts.onTip(this.#depth(tip), this.#scan.tip);
  }
}

function clockOf(clock: Clock) {
  return {
    nowMs: () => asTimestampMs(clock.nowMs()),
    sleep: (ms: number, signal: AbortSignal) => clock.sleep(ms, signal),
  };
}

/** Stands for the blocks of a scan that has not begun. */
function genesisBlock({
  core,
  profileJson,
}: Pick<GatewayChainParts, "core" | "profileJson">): ChainBlock {
  const hash = asBlockHash(callCore(() => core.genesisHash(profileJson)));
  const { blueScore, daaScore, timestamp } = genesisStart(hash);
  return {
    hash,
    chainIndex: asChainIndex(0n),
    blueScore,
    daaScore,
    timestamp,
    leafEnd: asLeafPosition(0n),
  };
}
