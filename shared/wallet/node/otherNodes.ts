/**
 * The nodes of a wallet that it does not follow: which of them gives the second opinion, and what each of them last said.
 *
 * One is asked at a time, so that no more nodes than needed learn of the wallet. One that gives no answer makes room for the next; after a
 * while the first is asked again. That follows from answers about the public chain and from the clock, never from what a scan found
 * (decision 23): handing over a payment has no say in it.
 */
import type { BlockHash, BlueScore, ChainIndex, TimestampMs } from "../../base/brand.ts";
import { SvcError, type ErrorJson } from "../../base/svcError.ts";
import type { RecordDigest } from "../../protocol/http/recordDigest.ts";
import type { ClockPort, NodePort, NodeTip, RecordPage, SecondNode } from "../state/ports.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/** A node beside the one that is followed: it is compared with, and takes payments. */
export type OtherNode = SecondNode & Pick<NodePort, "submit"> & { readonly url: string };

/** What a node said of its tip; all of it is its claim. */
export type TipClaim = {
  readonly network: string;
  readonly chainIndex: ChainIndex;
  readonly blueScore: BlueScore;
  /** When the newest block was made; null where the node does not say. */
  readonly timestamp: TimestampMs | null;
};

/** What a node last said. Plain data, to be shown. */
export type NodeWord = {
  readonly url: string;
  /** `refused`: it is on another network, and is not asked for anything but its tip. */
  readonly state: "unasked" | "online" | "offline" | "refused";
  /** When it was last asked; null for never. */
  readonly askedMs: TimestampMs | null;
  /** Milliseconds that its last answer about its tip took; null before the first. */
  readonly answerMs: bigint | null;
  readonly tip: TipClaim | null;
  /** Whether it told the last compared records as the followed node did; null before a comparison. */
  readonly records: "same" | "other" | null;
  /** Whether it has the block that was proved last; null where that was not asked, or its chain does not reach there. */
  readonly hasProved: boolean | null;
  /** Its last fault; null for none. */
  readonly problem: ErrorJson | null;
};

/** A block whose state was proved. */
export type ProvedPlace = { readonly hash: BlockHash; readonly chainIndex: ChainIndex };

/** Dependencies. */
export type OtherNodesParts = {
  readonly network: Pick<NodeTip, "genesis" | "profileDigest">;
  readonly clock: Pick<ClockPort, "nowMs">;
  /** Called whenever a node said something. */
  readonly onChange: () => void;
};

/** The most of a network's name that is kept. */
const NAME_CHARS = 64;

/**
 * Several nodes as one second node. A node that gives no answer leaves the next question to the next one. A tip and a digest are at once
 * asked of that one, too; a page is not, since it belongs to the digest that was told before. Rejects as the node does that was asked last.
 */
export class OtherNodes implements SecondNode {
  readonly #nodes: readonly [OtherNode, ...OtherNode[]];
  readonly #parts: OtherNodesParts;
  readonly #words: Map<string, NodeWord>;
  /** Which of them is asked. */
  #turn = 0;
  /** When the first one was left for another. */
  #leftMs = 0n;
  #looking: Promise<void> | null = null;

  constructor(nodes: readonly [OtherNode, ...OtherNode[]], parts: OtherNodesParts) {
    this.#nodes = nodes;
    this.#parts = parts;
    this.#words = new Map(nodes.map(({ url }) => [url, unasked(url)]));
  }

  /** The node that gives the second opinion at present. */
  get asked(): OtherNode {
    return this.#nodes[this.#turn] ?? this.#nodes[0];
  }

  /** What each node last said, in the order of the list. */
  get words(): readonly NodeWord[] {
    return [...this.#words.values()];
  }

  /** The nodes in the order in which a payment is offered to them: first the one that is asked, none of another network. */
  get order(): readonly OtherNode[] {
    const ring = [...this.#nodes.slice(this.#turn), ...this.#nodes.slice(0, this.#turn)];
    return ring.filter(({ url }) => this.#words.get(url)?.state !== "refused");
  }

  async tip(signal: AbortSignal): Promise<NodeTip> {
    const isBack = this.#nowMs() >= this.#leftMs + WALLET_LIMITS.evidenceSecondReturnMs;
    if (this.#turn !== 0 && isBack) this.#turn = 0;
    return this.#askTwice((node) => this.#tipOf(node, signal), signal);
  }

  async blocks(...question: Parameters<NodePort["blocks"]>): Promise<RecordPage> {
    return this.#ask((node) => node.blocks(...question), question[2]);
  }

  async recordDigest(after: BlockHash, to: BlockHash, signal: AbortSignal): Promise<RecordDigest> {
    return this.#askTwice((node) => node.recordDigest(after, to, signal), signal);
  }

  /** A comparison with the node that is asked has come to an end. */
  note(records: "same" | "other"): void {
    this.#say(this.asked, { records });
  }

  /**
   * Asks every node for its tip, and whether it has a block that was proved, once. For whoever looks at the list: it changes nothing about
   * who is asked for second opinions. Looks that overlap are one. Rejects with `run/aborted` alone.
   */
  look(proved: ProvedPlace | null, signal: AbortSignal): Promise<void> {
    this.#looking ??= this.#lookAtAll(proved, signal).finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #lookAtAll(proved: ProvedPlace | null, signal: AbortSignal): Promise<void> {
    await Promise.all(this.#nodes.map((node) => this.#lookAt(node, proved, signal)));
  }

  async #lookAt(node: OtherNode, proved: ProvedPlace | null, signal: AbortSignal): Promise<void> {
    try {
      const tip = await this.#tipOf(node, signal);
      const isAbove = proved !== null && tip.chainIndex >= proved.chainIndex;
      const hasProved = isAbove ? await hasBlock(node, proved, signal) : null;
      this.#say(node, { hasProved });
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      this.#sayFault(node, SvcError.from(thrown));
    }
  }

  async #askTwice<Answer>(
    question: (node: OtherNode) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    if (this.#nodes.length === 1) return this.#ask(question, signal);
    try {
      return await this.#ask(question, signal);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      return await this.#ask(question, signal);
    }
  }

  async #ask<Answer>(
    question: (node: OtherNode) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const [node, turn] = [this.asked, this.#turn];
    try {
      return await question(node);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      this.#sayFault(node, SvcError.from(thrown));
      if (turn === 0) this.#leftMs = this.#nowMs();
      if (turn === this.#turn) this.#turn = (turn + 1) % this.#nodes.length;
      throw thrown;
    }
  }

  async #tipOf(node: OtherNode, signal: AbortSignal): Promise<NodeTip> {
    const { network } = this.#parts;
    const askedMs = this.#nowMs();
    const tip = await node.tip(signal);
    const { genesis, profileDigest, chainIndex, sinkBlueScore: blueScore, sinkTimestamp } = tip;
    const claim = {
      network: (tip.network ?? "").slice(0, NAME_CHARS),
      chainIndex,
      blueScore,
      timestamp: sinkTimestamp ?? null,
    };
    const isOther = genesis !== network.genesis || profileDigest !== network.profileDigest;
    const nowMs = this.#nowMs();
    this.#say(node, {
      state: isOther ? "refused" : "online",
      tip: claim,
      problem: null,
      askedMs: nowMs,
      // The clock of a device may be set back meanwhile.
      answerMs: nowMs > askedMs ? nowMs - askedMs : 0n,
    });
    if (!isOther) return tip;
    const data = { expected: network.profileDigest, found: profileDigest };
    throw new SvcError("wallet/node-wrong-network", data);
  }

  #sayFault(node: OtherNode, error: SvcError): void {
    const state = stateAfter(error);
    this.#say(node, { state, problem: error.toJSON(), askedMs: this.#nowMs() });
  }

  #say({ url }: OtherNode, change: Partial<NodeWord>): void {
    this.#words.set(url, { ...(this.#words.get(url) ?? unasked(url)), ...change });
    this.#parts.onChange();
  }

  #nowMs(): TimestampMs {
    return this.#parts.clock.nowMs();
  }
}

/** A node that says why it cannot answer about a block is there. */
function stateAfter({ code }: SvcError): NodeWord["state"] {
  if (code === "wallet/node-wrong-network") return "refused";
  return code.startsWith("chain/") ? "online" : "offline";
}

/** Whether a node's chain has a block; null where the node no longer keeps what is above it. */
async function hasBlock(
  node: OtherNode,
  { hash }: ProvedPlace,
  signal: AbortSignal,
): Promise<boolean | null> {
  try {
    await node.blocks(hash, 1, signal);
    return true;
  } catch (thrown) {
    if (SvcError.is(thrown, "chain/unknown-block", "chain/not-on-chain")) return false;
    if (SvcError.is(thrown, "chain/pruned")) return null;
    throw thrown;
  }
}

function unasked(url: string): NodeWord {
  return {
    url,
    state: "unasked",
    askedMs: null,
    answerMs: null,
    tip: null,
    records: null,
    hasProved: null,
    problem: null,
  };
}
