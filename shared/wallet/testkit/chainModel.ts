/**
 * A model of a chain for tests of the reducers: hashes are counters, notes belong to the wallet under test. The model checks
 * nothing; the test decides what is in it.
 */
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asHash32,
  asLeafPosition,
  asNoteCommitment,
  asNullifier,
  asRawAddress,
  asSompi,
  asTimestampMs,
  asTxId,
  type BlockHash,
  type NoteCommitment,
  type Nullifier,
  type RawAddress,
  type TxId,
} from "../../base/brand.ts";
import { decodeHex } from "../../base/hex.ts";
import {
  ACTION_LENGTH,
  encodeContainer,
  readContainer,
  type RecordAction,
  type ScanRecord,
} from "../../protocol/http/recordContainer.ts";
import { modelMultiply } from "./modelLedger.ts";
import type { ScannedPage } from "../reduce/applyFacts.ts";
import type { ScanFacts, ScannedBlock, ScannedNote, SentOutput } from "../state/scanFacts.ts";
import { newWallet, type ChainBlock, type WalletState } from "../state/walletState.ts";
import { walletPolicy, type WalletPolicy } from "../state/walletPolicy.ts";

/** The wallet's parameters in these tests: those of a small private network. */
export const TEST_POLICY: WalletPolicy = walletPolicy(
  {
    hrp: "test",
    shieldedAnchorDepth: 10,
    maxShieldedAnchorAge: 100,
    targetTimePerBlockMs: 1_000,
    skipProofOfWork: false,
    wallet: { slack: 2, grid: 4, settleDepth: 5 },
  },
  { maxSpends: 10, knowsWork: true },
);

/** The same parameters with epochs that a short chain has several of. */
export const EPOCH_POLICY: WalletPolicy = { ...TEST_POLICY, epochBlocks: 4n, birthdayEpochs: 1n };

/** What the ciphertexts of a veiled block are filled with. */
export const VEIL = 0xee;

/** Address 0 of the wallet under test, another of its addresses, and somebody else's. */
export const OWN_ADDRESS: RawAddress = asRawAddress("0a".repeat(43));
export const OWN_SECOND: RawAddress = asRawAddress("0b".repeat(43));
export const FOREIGN_ADDRESS: RawAddress = asRawAddress("0f".repeat(43));

const GENESIS: ChainBlock = {
  hash: asBlockHash("00".repeat(32)),
  chainIndex: asChainIndex(0n),
  blueScore: asBlueScore(0n),
  daaScore: asDaaScore(0n),
  timestamp: asTimestampMs(0n),
  leafEnd: asLeafPosition(0n),
};

/** A wallet that has seen genesis only. */
export function freshWallet(): WalletState {
  return newWallet({
    profileDigest: "d1".repeat(32),
    genesis: GENESIS.hash,
    defaultAddress: OWN_ADDRESS,
    nextAddressIndex: 1,
    birthday: GENESIS,
    bornOn: null,
    historyMissing: false,
  });
}

/** An output of a transaction to the wallet under test. */
export type ModelOutput = {
  readonly value: bigint;
  readonly recipient?: RawAddress;
  readonly memo?: string;
};

/** A transaction of a model block. */
export type ModelTx = {
  readonly txid: TxId;
  /** Nullifiers of own notes; foreign ones fill the transaction up to two actions. */
  readonly spends?: readonly Nullifier[];
  readonly outputs?: readonly ModelOutput[];
  /** Outputs to others that the wallet's outgoing viewing key reads back. */
  readonly readBack?: readonly Omit<SentOutput, "txid" | "outputIndex">[];
};

/** The content of a model block. */
export type ModelBlock = {
  /** Values of coinbase notes for the wallet. */
  readonly mined?: readonly bigint[];
  readonly txs?: readonly ModelTx[];
  /** Leaves of other people. */
  readonly foreignLeaves?: number;
  /** By how much the blue score grows. */
  readonly blue?: bigint;
};

/** Numbers of read outputs do not matter to a wallet; they stand behind those to itself. */
function sentOf({ txs = [] }: ModelBlock): Pick<ScannedBlock, "sent"> {
  const sent = txs.flatMap(({ txid, outputs = [], readBack = [] }) =>
    readBack.map((output, at) => ({ ...output, txid, outputIndex: outputs.length + at })),
  );
  return sent.length === 0 ? {} : { sent };
}

/** A record's product follows from the nullifiers that are told in it. */
function withSpent(block: ScannedBlock): ScannedBlock {
  return { ...block, spent: modelMultiply(block.txs.flatMap(({ nullifiers }) => nullifiers)) };
}

/** The model of a chain. Index 0 is genesis. */
export class ChainModel {
  readonly #blocks: ScannedBlock[] = [];
  readonly #cmx: string[] = [];
  #counter = 1;
  /** Chain indexes of blocks whose ciphertexts somebody changed. */
  readonly veiled = new Set<number>();

  /** The last block's hash. */
  get tip(): BlockHash {
    return this.#blocks.at(-1)?.hash ?? GENESIS.hash;
  }

  /** Blocks after genesis. */
  get length(): number {
    return this.#blocks.length;
  }

  /** A hash that was not given out before. */
  fresh(): string {
    this.#counter += 1;
    return this.#counter.toString(16).padStart(64, "0");
  }

  /** A transaction identity that was not given out before. */
  txid(): TxId {
    return asTxId(this.fresh());
  }

  /** Appends a block. */
  add(content: ModelBlock = {}): ScannedBlock {
    const last = this.#blocks.at(-1);
    const first = last === undefined ? 0n : last.firstLeaf + BigInt(last.leaves);
    const coinbaseTxid = this.txid();
    const notes: ScannedNote[] = [];
    const leaf = (note: ModelOutput, kind: ScannedNote["kind"], txid: TxId) => {
      notes.push(this.#note(note, { kind, txid, position: first + BigInt(notes.length) }));
    };
    for (const value of content.mined ?? []) leaf({ value }, "coinbase", coinbaseTxid);
    const txs = (content.txs ?? []).map((tx) => {
      for (const output of tx.outputs ?? []) leaf(output, "received", tx.txid);
      const nullifiers = [...(tx.spends ?? [])];
      while (nullifiers.length < 2) nullifiers.push(asNullifier(this.fresh()));
      return { txid: tx.txid, nullifiers };
    });
    const leaves = notes.length + (content.foreignLeaves ?? 1);
    const block: ScannedBlock = {
      hash: asBlockHash(this.fresh()),
      index: null,
      blueScore: asBlueScore((last?.blueScore ?? 0n) + (content.blue ?? 1n)),
      daaScore: asDaaScore((last?.daaScore ?? 0n) + 1n),
      timestamp: asTimestampMs(1_000_000n + BigInt(this.#blocks.length) * 1_000n),
      firstLeaf: asLeafPosition(first),
      leaves,
      notes,
      ...sentOf(content),
      refused: 0,
      txs,
      minted: (content.mined ?? []).reduce((sum, value) => sum + value, 0n),
      spent: modelMultiply(txs.flatMap(({ nullifiers }) => nullifiers)),
    };
    this.#blocks.push(block);
    const own = notes.map(({ cmx }) => cmx).join("");
    const others = Array.from({ length: leaves - notes.length }, () => this.fresh()).join("");
    this.#cmx.push(own + others);
    return block;
  }

  /** Appends so many blocks without anything of ours. */
  addEmpty(count: number): void {
    for (let i = 0; i < count; i += 1) this.add();
  }

  /** Drops the blocks above this chain index; what is added then is another branch. */
  cut(index: number): void {
    this.#blocks.splice(index);
    this.#cmx.splice(index);
  }

  /** The same chain as somebody tells it who changes what is in the blocks; `change` also gets the chain index. */
  retold(change: (block: ScannedBlock, index: number) => ScannedBlock): ChainModel {
    const told = new ChainModel();
    const retold = this.#blocks.map((block, offset) => change(block, offset + 1));
    told.#blocks.push(...retold.map(withSpent));
    told.#cmx.push(...this.#cmx);
    told.#counter = this.#counter + 1_000_000;
    return told;
  }

  /** Puts another leaf in the place of the first one of a block. */
  swapLeaf(index: number, leaf: string): void {
    const leaves = this.#cmx[index - 1];
    if (leaves !== undefined) this.#cmx[index - 1] = leaf + leaves.slice(leaf.length);
  }

  /** Chain index of a block, or undefined when it is not on the chain. */
  indexOf(hash: string): number | undefined {
    if (hash === GENESIS.hash) return 0;
    const found = this.#blocks.findIndex((block) => block.hash === hash);
    return found < 0 ? undefined : found + 1;
  }

  /** The block at a chain index above 0. */
  at(index: number): ScannedBlock | undefined {
    return this.#blocks[index - 1];
  }

  /** All leaves up to and including a chain index, as hex. */
  leavesUpTo(index: number): string {
    return this.#cmx.slice(0, index).join("");
  }

  /** The body of a page with these blocks: everything about them that is public. */
  body(from: number, to: number): Uint8Array {
    const records = this.#blocks
      .slice(from - 1, to)
      .map((block, offset) => this.#record(block, from + offset));
    const page = encodeContainer(asChainIndex(BigInt(from)), records);
    return readContainer(page, records.length).body;
  }

  /** The blocks at chain indexes `from` to `to`, both included. */
  page(from: number, to: number = this.length): ScannedPage {
    const facts: ScanFacts = {
      blocks: this.#blocks.slice(from - 1, to),
      cmx: this.#cmx.slice(from - 1, to).join(""),
    };
    return { firstIndex: BigInt(from), facts };
  }

  /** A block with payments has an action for each nullifier as far as its leaves go; all other leaves are outputs. */
  #record(block: ScannedBlock, index: number): ScanRecord {
    const digits = this.#cmx[index - 1] ?? "";
    const leaves = Array.from({ length: block.leaves }, (_, leaf) =>
      asNoteCommitment(digits.slice(leaf * 64, leaf * 64 + 64)),
    );
    const mined = block.notes.filter(({ kind }) => kind === "coinbase").length;
    const nullifiers = block.txs.flatMap((tx) => tx.nullifiers);
    const actions = leaves.splice(Math.max(mined, leaves.length - nullifiers.length));
    const transactions = block.txs.map((tx) => ({
      txid: tx.txid,
      actions: tx.nullifiers.flatMap((nullifier) => {
        const cmx = actions.shift();
        return cmx === undefined ? [] : [this.#action(nullifier, cmx, index)];
      }),
    }));
    const outputs = leaves.map((cmx) => ({ recipient: FOREIGN_ADDRESS, value: asSompi(0n), cmx }));
    const { hash, blueScore, daaScore, timestamp, firstLeaf } = block;
    const place = { hash, blueScore, daaScore, timestamp, firstLeaf };
    return { ...place, coinbaseTxid: asTxId(hash), outputs, transactions };
  }

  #action(nullifier: Nullifier, cmx: NoteCommitment, index: number): RecordAction {
    const bytes = new Uint8Array(ACTION_LENGTH).fill(this.veiled.has(index) ? VEIL : 0);
    bytes.set(decodeHex(nullifier, 32), 0);
    bytes.set(decodeHex(cmx, 32), 32);
    return { nullifier, cmx, bytes };
  }

  #note(
    output: ModelOutput,
    place: { readonly kind: ScannedNote["kind"]; readonly txid: TxId; readonly position: bigint },
  ): ScannedNote {
    const recipient = output.recipient ?? OWN_ADDRESS;
    return {
      kind: place.kind,
      position: asLeafPosition(place.position),
      value: asSompi(output.value),
      recipient,
      addressIndex: recipient === OWN_ADDRESS ? 0 : 7,
      rho: asHash32(this.fresh()),
      rseed: asHash32(this.fresh()),
      cmx: asNoteCommitment(this.fresh()),
      nullifier: asNullifier(this.fresh()),
      txid: place.txid,
      outputIndex: 0,
      memo: output.memo ?? "",
    };
  }
}
