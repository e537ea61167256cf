/**
 * The scanner of the chain: follows the node, looks for payments with all viewing keys at once, and tells them as facts.
 *
 * What a page holds is committed with the place that the scan has come to, so a fact is told again only where it was not written
 * down. Nothing that is found has a say in what is asked for (decision 23).
 */
import type { ChainIndex } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { AcceptingBlock } from "@svc/shared/invoice/invoice.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import {
  badPage,
  cutTo,
  extended,
  followingBlock,
  tipOf,
  type ChainView,
} from "@svc/shared/wallet/state/chainView.ts";
import type { ReceiptNote } from "@svc/shared/light/coreReceipts.ts";
import type { IncomingFacts, IncomingNote } from "@svc/shared/wallet/state/incomingFacts.ts";
import type { ClockPort, NodePort, NodeTip, RecordPage } from "@svc/shared/wallet/state/ports.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import type { FoundStart } from "@svc/shared/wallet/sync/birthday.ts";
import { ChainFeed } from "@svc/shared/wallet/sync/chainFeed.ts";
import type { ChainChange } from "@svc/shared/wallet/sync/chainFollower.ts";
import type { KeySets } from "../../scanning/keySets.ts";
import type { IncomingScanPort, KeyScanPort, ScannedSet } from "../../scanning/scanThreads.ts";
import type { ChainProver } from "../proof/chainProver.ts";
import type { CoveredStep } from "../proof/proofTable.ts";
import type { MadeReceipt } from "../receipts/paidNote.ts";
import type { ScanProof } from "../proof/scanProof.ts";
import type { ScannedKey } from "./scannedKey.ts";

/** Bytes of a note commitment. */
const LEAF_BYTES = 32;

/** A payment that a block accepts. */
export type FoundPayment = {
  readonly chainIndex: ChainIndex;
  readonly fact: PaymentFact;
  /** What opens its note, for a receipt; left out where none is made. */
  readonly note?: ReceiptNote;
};

/** What a change of the chain means, to be written in one commit. */
export type ScanStep = {
  /** Blocks above this one are gone, and the payments that they accept; null where all of the view is. */
  readonly common: ChainIndex | null;
  /** What follows it. */
  readonly blocks: readonly ChainBlock[];
  /** Payments that these accept, in the order of the chain. */
  readonly found: readonly FoundPayment[];
  /** What proves the blocks; null or left out where the node is believed. */
  readonly covered?: CoveredStep | null;
  /** Receipts of payments, made of what was proved; left out for none. */
  readonly receipts?: readonly MadeReceipt[];
};

/** Dependencies of the scan. */
export type ChainScanParts = {
  readonly policy: WalletPolicy;
  readonly node: Pick<NodePort, "blocks">;
  readonly clock: ClockPort;
  readonly scan: IncomingScanPort & KeyScanPort;
  /** Holds the node to the network's work; null where it is believed. */
  readonly prover: ChainProver | null;
  readonly keys: Pick<KeySets<ScannedKey>, "all">;
  /** Chain blocks a page; the longest the node serves unless a test wants less. */
  readonly pageBlocks?: number;
  /** Asks for the tip and checks its network. */
  readonly askTip: (signal: AbortSignal) => Promise<NodeTip>;
  /** Where the scan begins anew when the node knows none of its blocks. */
  readonly startAgain: (tip: NodeTip, signal: AbortSignal) => Promise<FoundStart>;
  /** Makes a step durable. Throws the store's error, and then nothing has happened. */
  readonly commit: (step: ScanStep) => void;
  /** What was proved is about to be another chain's. */
  readonly onCut: () => void;
  /** All pages up to what the node said about its tip were taken. */
  readonly onTip: (tip: NodeTip) => void;
};

/** One scan for all viewing keys. */
export class ChainScan {
  readonly #parts: ChainScanParts;
  readonly #feed: ChainFeed;
  readonly #life = new AbortController();
  #view: ChainView;
  #isBegun: boolean;

  /** `view`: the blocks that it remembers; where there are none it begins at `startAgain`, and `genesis` stands for them until then. */
  constructor(parts: ChainScanParts, view: ChainView, genesis: ChainBlock) {
    this.#parts = parts;
    this.#isBegun = view.length > 0;
    this.#view = this.#isBegun ? view : [genesis];
    const take = (change: ChainChange) => this.#take(change);
    this.#feed = new ChainFeed({ ...parts, take, applied: () => this.#view }, this.#view);
  }

  /** The last block that was scanned. */
  get tip(): ChainBlock {
    return tipOf(this.#view);
  }

  /** What stands between the pages that came and the facts; null for nothing. */
  get fault(): SvcError | null {
    return this.#feed.fault;
  }

  /** Asks the node for everything new; see `ChainFeed.follow`. A scan that has not begun finds its beginning first. */
  async follow(signal: AbortSignal): Promise<void> {
    if (!this.#isBegun) await this.#begin(signal);
    await this.#feed.follow(signal);
  }

  /** Resolves when everything that came is scanned and kept, or `fault` stands in the way. */
  settled(): Promise<void> {
    return this.#feed.settled();
  }

  /** Stops, and waits for the change at hand. */
  async close(): Promise<void> {
    this.#life.abort();
    await this.#feed.close();
  }

  async #begin(signal: AbortSignal): Promise<void> {
    const { askTip, startAgain } = this.#parts;
    await this.#feed.restart(async () => startAgain(await askTip(signal), signal), signal);
    await this.#feed.finish(signal);
    this.#isBegun = true;
  }

  async #take(change: ChainChange): Promise<void> {
    switch (change.type) {
      case "page":
        return this.#takePage(change.page);
      case "rollback":
        this.#cutTo(change.to, (prover) => prover.cut(change.to));
        return undefined;
      case "restart":
        this.#restart(change.found);
        return undefined;
      case "evidence":
      case "second":
        // The follower of a gateway asks for neither: the prover does.
        return undefined;
      case "tip":
        await this.#prove();
        this.#parts.onTip(change.tip);
        return undefined;
    }
  }

  /** Blocks that are not those of the proved chain are scanned anew: their fault is thrown, and all above them asked for again. */
  async #prove(): Promise<void> {
    const { prover } = this.#parts;
    if (prover === null) return;
    try {
      await prover.prove(this.#view, this.#life.signal);
    } catch (error) {
      if (!SvcError.is(error, "evidence/other-notes", "evidence/other-scores")) throw error;
      const proved = prover.lastProved(this.#view);
      const [oldest] = this.#view;
      if (proved !== null) this.#cutTo(proved, () => prover.doubt(proved));
      else if (oldest !== undefined) this.#cutTo(oldest, () => prover.forget());
      throw error;
    }
  }

  async #takePage(page: RecordPage): Promise<void> {
    const { keys, scan, prover } = this.#parts;
    const { signal } = this.#life;
    await prover?.begin(this.tip, signal);
    const sets = keys.all;
    const [answers, leaves] = await Promise.all([
      scan.scanIncoming(page, sets, signal),
      prover === null ? null : leavesOf(page, scan, signal),
    ]);
    const blocks = this.#blocksOf(page, answers);
    const found = sets.flatMap(({ owners }, place) =>
      paymentsOf(owners, answers[place]?.found ?? NOTHING, blocks),
    );
    const ordered = found.toSorted((a, b) => Number(a.chainIndex - b.chainIndex));
    this.#commitPage({ common: this.tip.chainIndex, blocks, found: ordered }, leaves);
    this.#view = extended(this.#view, blocks, this.#parts.policy.recentBlocks);
  }

  #blocksOf(page: RecordPage, answers: readonly IncomingFacts[]): readonly ChainBlock[] {
    const [first] = answers;
    if (first === undefined || first.blocks.length !== page.count) {
      throw badPage("blocks are missing from the scan");
    }
    const blocks: ChainBlock[] = [];
    let last = this.tip;
    for (const [offset, block] of first.blocks.entries()) {
      last = followingBlock(last, block, page.firstIndex + BigInt(offset));
      blocks.push(last);
    }
    return blocks;
  }

  #commitPage(step: Omit<ScanStep, "covered">, leaves: readonly Uint8Array[] | null): void {
    const { prover, commit } = this.#parts;
    if (prover === null || leaves === null) {
      commit({ ...step, covered: null });
      return;
    }
    prover.append(leaves);
    try {
      commit({ ...step, covered: { leaves, proof: null } });
    } catch (error) {
      prover.doubt(this.tip);
      throw error;
    }
  }

  /** Nothing that was proved above the block counts from before the commit on: payments of other blocks take the place of those. */
  #cutTo(to: ChainBlock, change: (prover: ChainProver) => ScanProof | null): void {
    const { prover, commit, onCut } = this.#parts;
    const proof = prover === null ? null : change(prover);
    onCut();
    const covered = prover === null ? null : { leaves: [], proof };
    commit({ common: to.chainIndex, blocks: [], found: [], covered });
    this.#view = cutTo(this.#view, to);
  }

  /** What was found on a chain that the node does not know is taken back, and found again where it is on this one. */
  #restart(found: FoundStart): void {
    const { prover, commit, onCut } = this.#parts;
    const covered = prover === null ? null : { leaves: [], proof: prover.restart(found) };
    onCut();
    commit({ common: null, blocks: [found.block], found: [], covered });
    this.#view = [found.block];
  }
}

const NOTHING: IncomingFacts["found"] = new Map();
/** Without a key the scanner gives what is public of a page, its leaves among it. */
const NO_KEYS: readonly ScannedSet[] = [{ id: 0, keys: new Uint8Array() }];

/** The note commitments of each block of a page, 32 bytes for each. */
async function leavesOf(
  page: RecordPage,
  scan: KeyScanPort,
  signal: AbortSignal,
): Promise<readonly Uint8Array[]> {
  const [answer] = await scan.scan(page, NO_KEYS, signal);
  if (answer === undefined) throw badPage("leaves are missing from the scan");
  const all = decodeHex(answer.common.cmx);
  let end = 0;
  return answer.common.blocks.map(({ leaves }) => {
    const start = end;
    end += leaves * LEAF_BYTES;
    return all.slice(start, end);
  });
}

/** The payments of one set of keys. A note at an address beyond 32 bits of index is no invoice's. */
function paymentsOf(
  owners: readonly (readonly ScannedKey[])[],
  found: IncomingFacts["found"],
  blocks: readonly ChainBlock[],
): readonly FoundPayment[] {
  const indexOf = new Map(blocks.map(({ hash, chainIndex }) => [hash, chainIndex]));
  return [...found].flatMap(([key, notes]) =>
    notes.flatMap((note) => {
      const chainIndex = indexOf.get(note.block.hash);
      if (chainIndex === undefined || note.addressIndex === null) return [];
      const { addressIndex } = note;
      return (owners[key] ?? []).map(({ id }): FoundPayment => {
        const fact = minedFact(id, addressIndex, note);
        return { chainIndex, fact, note: receiptNoteOf(note) };
      });
    }),
  );
}

function receiptNoteOf({ recipient, value, rho, rseed, position }: IncomingNote): ReceiptNote {
  return { recipient, value, rho, rseed, position: Number(position) };
}

function minedFact(key: ScannedKey["id"], index: number, note: IncomingNote): PaymentFact {
  const { block, txid, outputIndex, cmx, value } = note;
  const accepting: AcceptingBlock = {
    hash: block.hash,
    blueScore: block.blueScore,
    daaScore: block.daaScore,
    timestampMs: block.timestamp,
  };
  const output = { txid, outputIndex, cmx, amount: value };
  return { key, index, input: { kind: "mined", output, block: accepting } };
}
