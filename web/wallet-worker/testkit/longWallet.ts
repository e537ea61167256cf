/** A wallet with very many notes over the browser's store, and how long it takes to open it and to take in a block. */
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
} from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { EMPTY_TREE } from "@svc/shared/protocol/raw/treeState.ts";
import { newLedger } from "@svc/shared/wallet/proof/walletLedger.ts";
import { applyFacts } from "@svc/shared/wallet/reduce/applyFacts.ts";
import { readyNoteIndex } from "@svc/shared/wallet/reduce/noteIndex.ts";
import { CoreTree } from "@svc/shared/wallet/state/coreTree.ts";
import type { NoteTree } from "@svc/shared/wallet/state/noteTree.ts";
import type { ScannedBlock } from "@svc/shared/wallet/state/scanFacts.ts";
import { walletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import {
  cursorOf,
  newWallet,
  type ChainBlock,
  type HistoryRow,
  type OwnNote,
  type WalletState,
} from "@svc/shared/wallet/state/walletState.ts";
import { storedTree } from "@svc/shared/wallet/sync/walletSync.ts";
import { deleteDatabase, FIRST_DATABASE, type Database } from "../store/database.ts";
import { WalletStore } from "../store/walletStore.ts";
import { NO_LABELS } from "@svc/shared/wallet/view/labelledRows.ts";
import { walletView } from "../walletView.ts";
import { openTestDatabase, testKey } from "./storeRules.ts";

const LEAF_BYTES = 32;
const LEAVES_PER_BLOCK = 2;
/** Above the last note of the wallet, so that all may be spent. */
const EMPTY_BLOCKS = 64;
const ADDRESS = asRawAddress("0a".repeat(43));
const POLICY = walletPolicy({
  hrp: "test",
  shieldedAnchorDepth: 10,
  maxShieldedAnchorAge: 27_000,
  targetTimePerBlockMs: 1_000,
  skipProofOfWork: false,
  wallet: { slack: 2, grid: 4, settleDepth: 60 },
});
/** A sum of the public network, no rounder than there. */
const VALUE = 4_750_000_123n;

/** Milliseconds of the parts of opening. */
export type OpenTimes = { readonly load: number; readonly tree: number; readonly view: number };

/** Milliseconds of the parts of a block. */
export type BlockTimes = { readonly apply: number; readonly store: number; readonly view: number };

/** The wallet. Its chain is made up, its tree is the core's. */
export class LongWallet {
  readonly #core: CoreGlue;
  #database: Database | null = null;
  #store: WalletStore | null = null;
  #state: WalletState | null = null;
  #tree: NoteTree | null = null;

  constructor(core: CoreGlue) {
    this.#core = core;
  }

  /** Makes the wallet with so many notes, and stores it. */
  async fill(notes: number): Promise<void> {
    await deleteDatabase(FIRST_DATABASE);
    const tree = new CoreTree(this.#core, EMPTY_TREE);
    const state = stateWith(notes);
    const leaves = new Uint8Array(Number(cursorOf(state).leafEnd) * LEAF_BYTES);
    for (let at = 0; at * LEAF_BYTES < leaves.length; at += 1) {
      leaves.set(decodeHex(leafAt(at)), at * LEAF_BYTES);
    }
    tree.append(leaves);
    const store = new WalletStore(await openTestDatabase(), testKey());
    const snapshot = () => tree.toBytes();
    const change = { truncatedTo: tree.size(), appended: new Uint8Array(), snapshot };
    await store.commit({ state, tree: change });
    tree.free();
  }

  /** Opens it as a fresh worker does, from the unlocked key to the first view. */
  async open(): Promise<OpenTimes> {
    this.#database?.close();
    this.#tree?.free();
    const begun = performance.now();
    this.#database = await openTestDatabase();
    this.#store = new WalletStore(this.#database, testKey());
    const stored = await this.#store.load();
    if (stored === null) throw new Error("nothing is stored");
    const loaded = performance.now();
    this.#tree = storedTree({ makeTree: (bytes) => new CoreTree(this.#core, bytes) }, stored);
    this.#state = stored.state;
    readyNoteIndex(this.#state.notes);
    const ready = performance.now();
    this.#view();
    const shown = performance.now();
    return { load: loaded - begun, tree: ready - loaded, view: shown - ready };
  }

  /** Takes in one block that pays the wallet a note and spends another one. */
  async block(): Promise<BlockTimes> {
    const [state, store, tree] = [this.#state, this.#store, this.#tree];
    if (state === null || store === null || tree === null) throw new Error("it is not open");
    const { block, cmx } = nextBlock(state);
    const page = { firstIndex: cursorOf(state).chainIndex + 1n, facts: { blocks: [block], cmx } };
    const begun = performance.now();
    const next = applyFacts(state, page, POLICY, (factors) => this.#multiply(factors));
    const appended = decodeHex(cmx);
    tree.append(appended);
    const applied = performance.now();
    const change = { truncatedTo: null, appended, snapshot: () => tree.toBytes() };
    await store.commit({ state: next, tree: change });
    const committed = performance.now();
    this.#state = next;
    this.#view();
    const shown = performance.now();
    return { apply: applied - begun, store: committed - applied, view: shown - committed };
  }

  #multiply(factors: readonly string[]): string {
    const bytes = concatBytes(...factors.map((factor) => decodeHex(factor)));
    return encodeHex(callCore(() => this.#core.multiplyNullifiers(bytes)));
  }

  #view(): void {
    if (this.#state === null) return;
    walletView({
      state: this.#state,
      policy: POLICY,
      incoming: [],
      labels: { ...NO_LABELS, version: 0 },
      loop: { failures: 0, problem: null, everSynced: true },
      nodeAway: false,
      everSynced: true,
      birthdayGuessed: false,
      older: null,
      tip: null,
      addressText: () => "test:address",
      nowMs: asTimestampMs(0n),
    });
  }
}

function hash(kind: number, at: number): string {
  return (BigInt(kind) * 2n ** 240n + BigInt(at)).toString(16).padStart(64, "0");
}

/** A leaf is a field element: its last byte is small. */
function leafAt(at: number): string {
  return at.toString(16).padStart(16, "0").padEnd(62, "5") + "01";
}

function blockAt(at: number): ChainBlock {
  return {
    hash: asBlockHash(hash(1, at)),
    chainIndex: asChainIndex(BigInt(at)),
    blueScore: asBlueScore(BigInt(at)),
    daaScore: asDaaScore(BigInt(at)),
    timestamp: asTimestampMs(BigInt(at) * 1_000n),
    leafEnd: asLeafPosition(BigInt(at * LEAVES_PER_BLOCK)),
  };
}

function placeOf({ chainIndex, blueScore, daaScore, timestamp }: ChainBlock) {
  return { chainIndex, blueScore, daaScore, timestamp };
}

/** The note of a block, as a scan finds it. */
function scannedAt(at: number) {
  const position = (at - 1) * LEAVES_PER_BLOCK;
  return {
    kind: "coinbase" as const,
    position: asLeafPosition(BigInt(position)),
    value: asSompi(VALUE + BigInt(at % 977)),
    recipient: ADDRESS,
    addressIndex: 0,
    rho: asHash32(hash(2, at)),
    rseed: asHash32(hash(3, at)),
    cmx: asNoteCommitment(leafAt(position)),
    nullifier: asNullifier(hash(4, at)),
    txid: asTxId(hash(5, at)),
    outputIndex: 0,
    memo: "",
  };
}

function noteOf(at: number): OwnNote {
  return { ...scannedAt(at), ...placeOf(blockAt(at)), spentBy: null };
}

function rowOf(at: number): HistoryRow {
  const { txid, value: amount, memo } = scannedAt(at);
  const place = { ...placeOf(blockAt(at)), id: `${txid}:0`, txid, amount, memo };
  return { ...place, kind: "mined", fee: null, counterparty: null, addressIndex: 0 };
}

/** As a busy chain leaves it: payments in each block that is remembered. */
function stateWith(notes: number): WalletState {
  const birthday = blockAt(0);
  const tip = notes + EMPTY_BLOCKS;
  const fresh = newWallet({
    ...{ profileDigest: hash(6, 0), genesis: birthday.hash, defaultAddress: ADDRESS },
    ...{ nextAddressIndex: 1, birthday, bornOn: null, historyMissing: false },
  });
  const first = Math.max(0, tip - POLICY.recentBlocks + 1);
  const blocks = Array.from({ length: tip - first + 1 }, (_, at) => blockAt(first + at));
  const own = Array.from({ length: notes }, (_, at) => at + 1);
  const recent = blocks.map(({ chainIndex }) => ({
    chainIndex,
    minted: VALUE,
    spent: "07".repeat(384),
  }));
  return {
    ...fresh,
    blocks,
    notes: own.map((at) => noteOf(at)),
    history: own.map((at) => rowOf(at)),
    ledger: { ...newLedger(birthday), recent },
  };
}

/** The next block: a note for the wallet, and a payment that spends one of its notes from the middle. */
function nextBlock(state: WalletState): { readonly block: ScannedBlock; readonly cmx: string } {
  const at = Number(cursorOf(state).chainIndex) + 1;
  const { leafEnd: _, ...place } = blockAt(at);
  const spent = state.notes[(at * 7_919) % state.notes.length];
  const first = (at - 1) * LEAVES_PER_BLOCK;
  const nullifiers = spent === undefined ? [] : [spent.nullifier];
  const block: ScannedBlock = {
    ...place,
    index: null,
    firstLeaf: asLeafPosition(BigInt(first)),
    leaves: LEAVES_PER_BLOCK,
    notes: [scannedAt(at)],
    refused: 0,
    txs: [{ txid: asTxId(hash(7, at)), nullifiers }],
    minted: VALUE,
    spent: "07".repeat(384),
  };
  return { block, cmx: leafAt(first) + leafAt(first + 1) };
}
