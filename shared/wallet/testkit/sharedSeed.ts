/** Two wallets of one seed over one chain, for tests, and nodes with mempools that refuse a note which is spent already. */
import { asTxId, type TxId } from "../../base/brand.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { openWallet } from "../run/openWallet.ts";
import type { ProvedPayment, ProverPort } from "../state/ports.ts";
import type { ProvePlan } from "../state/provePlan.ts";
import type { SendParts } from "../send/sendPayment.ts";
import { unspentNotes, type OwnNote } from "../state/walletState.ts";
import { freshWallet, TEST_POLICY, type ChainModel } from "./chainModel.ts";
import { FoldTree, ManualClock, MemoryStore, ModelNode, ModelScan } from "./ports.ts";

const never = new AbortController().signal;

/** Which notes each transaction of the test spends. */
type Spends = Map<TxId, readonly OwnNote[]>;

/** A node whose pool holds one transaction for each note. */
class PoolNode extends ModelNode {
  readonly pool = new Set<TxId>();
  readonly #spends: Spends;
  readonly #spent: ReadonlySet<string>;

  constructor(model: ChainModel, spends: Spends, spent: ReadonlySet<string>) {
    super(model);
    this.#spends = spends;
    this.#spent = spent;
  }

  override async submit(raw: Uint8Array): Promise<TxId> {
    const txid = asTxId(encodeHex(raw.subarray(0, 32)));
    if (this.pool.has(txid)) throw new SvcError("mempool/duplicate", { txid });
    for (const { nullifier } of this.#spends.get(txid) ?? []) {
      if (this.#spent.has(nullifier)) throw new SvcError("tx/nullifier-spent", { nullifier });
      if (this.#waits(nullifier)) throw new SvcError("mempool/nullifier-conflict", { nullifier });
    }
    await super.submit(raw);
    this.pool.add(txid);
    return txid;
  }

  #waits(nullifier: string): boolean {
    const waiting = [...this.pool].flatMap((txid) => this.#spends.get(txid) ?? []);
    return waiting.some((note) => note.nullifier === nullifier);
  }
}

/** Makes transactions with identities of their own; `pause` may hold a proof up. */
class CountingProver implements ProverPort {
  readonly #model: ChainModel;
  readonly #proved: (plan: ProvePlan, txid: TxId) => void;
  readonly plans: ProvePlan[] = [];
  /** Awaited by each proof with the signal that ends it. */
  pause: (signal: AbortSignal) => Promise<void> = async () => undefined;

  constructor(model: ChainModel, proved: (plan: ProvePlan, txid: TxId) => void) {
    this.#model = model;
    this.#proved = proved;
  }

  async prove(plan: ProvePlan, _: unknown, signal: AbortSignal): Promise<ProvedPayment> {
    this.plans.push(plan);
    await this.pause(signal);
    const txid = this.#model.txid();
    this.#proved(plan, txid);
    const finalize = async (): Promise<Uint8Array> => decodeHex(txid);
    return { bundle: new Uint8Array(), disclosure: "[]", alphas: "[]", finalize };
  }
}

/** One of the two wallets. */
export type SeedWallet = Awaited<ReturnType<SharedSeed["open"]>>;

/** The chain, and what its transactions spend. */
export class SharedSeed {
  readonly model: ChainModel;
  readonly #spends: Spends = new Map();
  readonly #spent = new Set<string>();

  constructor(model: ChainModel) {
    this.model = model;
  }

  /** One more node on the chain, with a pool of its own. */
  node(): PoolNode {
    return new PoolNode(this.model, this.#spends, this.#spent);
  }

  /** A wallet of the seed that has caught up with this node. */
  async open(node: PoolNode) {
    const policy = TEST_POLICY;
    const clock = new ManualClock();
    const store = new MemoryStore();
    const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
    const parts = { policy, node, scan: new ModelScan(this.model), store, makeTree, clock };
    const sync = await openWallet(parts, freshWallet().account, "genesis", never);
    await sync.catchUp(never);
    const prover = new CountingProver(this.model, ({ spends }, txid) => {
      const positions = new Set(spends.map(({ position }) => BigInt(position)));
      const notes = unspentNotes(sync.state).filter(({ position }) => positions.has(position));
      this.#spends.set(txid, notes);
    });
    const send: SendParts = {
      ...{ sync, policy, node, prover, clock },
      signer: { sign: async () => "" },
      transactionId: (raw) => encodeHex(raw),
      profile: {},
      fvk: "fe".repeat(96),
    };
    return { sync, node, store, clock, prover, send };
  }

  /** A block with what waits in the pool of this node; `change` is what comes back to the wallets. */
  mine({ pool }: PoolNode, change: bigint): void {
    const txs = [...pool].map((txid) => {
      const spends = (this.#spends.get(txid) ?? []).map(({ nullifier }) => nullifier);
      for (const nullifier of spends) this.#spent.add(nullifier);
      return { txid, spends, outputs: [{ value: change }] };
    });
    pool.clear();
    this.model.add({ txs });
  }
}
