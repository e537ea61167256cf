/**
 * The scanner of the chain: follows the node, looks for payments with all viewing keys at once, and tells them as facts.
 *
 * What a page holds is committed with the place that the scan has come to, so a fact is told again only where it was not written
 * down. Nothing that is found has a say in what is asked for (decision 23).
 */
import type { ChainIndex } from "@svc/shared/base/brand.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
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
import type { IncomingFacts, IncomingNote } from "@svc/shared/wallet/state/incomingFacts.ts";
import type { ClockPort, NodePort, NodeTip, RecordPage } from "@svc/shared/wallet/state/ports.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import type { FoundStart } from "@svc/shared/wallet/sync/birthday.ts";
import { ChainFeed } from "@svc/shared/wallet/sync/chainFeed.ts";
import type { ChainChange } from "@svc/shared/wallet/sync/chainFollower.ts";
import type { KeySets } from "../../scanning/keySets.ts";
import type { IncomingScanPort } from "../../scanning/scanThreads.ts";
import type { ScannedKey } from "./scannedKey.ts";

/** A payment that a block accepts. */
export type FoundPayment = {
  readonly chainIndex: ChainIndex;
  readonly fact: PaymentFact;
};

/** What a change of the chain means, to be written in one commit. */
export type ScanStep = {
  /** Blocks above this one are gone, and the payments that they accept; null where all of the view is. */
  readonly common: ChainIndex | null;
  /** What follows it. */
  readonly blocks: readonly ChainBlock[];
  /** Payments that these accept, in the order of the chain. */
  readonly found: readonly FoundPayment[];
};

/** Dependencies of the scan. */
export type ChainScanParts = {
  readonly policy: WalletPolicy;
  readonly node: Pick<NodePort, "blocks">;
  readonly clock: ClockPort;
  readonly scan: IncomingScanPort;
  readonly keys: Pick<KeySets<ScannedKey>, "all">;
  /** Chain blocks a page; the longest the node serves unless a test wants less. */
  readonly pageBlocks?: number;
  /** Asks for the tip and checks its network. */
  readonly askTip: (signal: AbortSignal) => Promise<NodeTip>;
  /** Where the scan begins anew when the node knows none of its blocks. */
  readonly startAgain: (tip: NodeTip, signal: AbortSignal) => Promise<FoundStart>;
  /** Makes a step durable. Throws the store's error, and then nothing has happened. */
  readonly commit: (step: ScanStep) => void;
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
        this.#commit({ common: change.to.chainIndex, blocks: [], found: [] });
        this.#view = cutTo(this.#view, change.to);
        return undefined;
      case "restart":
        this.#restart(change.found.block);
        return undefined;
      case "tip":
        this.#parts.onTip(change.tip);
        return undefined;
    }
  }

  async #takePage(page: RecordPage): Promise<void> {
    const sets = this.#parts.keys.all;
    const answers = await this.#parts.scan.scanIncoming(page, sets, this.#life.signal);
    const blocks = this.#blocksOf(page, answers);
    const found = sets.flatMap(({ owners }, place) =>
      paymentsOf(owners, answers[place]?.found ?? NOTHING, blocks),
    );
    const ordered = found.toSorted((a, b) => Number(a.chainIndex - b.chainIndex));
    this.#commit({ common: this.tip.chainIndex, blocks, found: ordered });
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

  /** What was found on a chain that the node does not know is taken back, and found again where it is on this one. */
  #restart(block: ChainBlock): void {
    this.#commit({ common: null, blocks: [block], found: [] });
    this.#view = [block];
  }

  #commit(step: ScanStep): void {
    this.#parts.commit(step);
  }
}

const NOTHING: IncomingFacts["found"] = new Map();

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
        return { chainIndex, fact: minedFact(id, addressIndex, note) };
      });
    }),
  );
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
