/**
 * Port to a node of the parent network, which knows none of our fields: it serves compact records (specification shielded 16).
 *
 * Such a node tells no chain indices, and no common block when its chain has changed. The port counts indices from genesis on:
 * a wallet that follows says where it has the block after which it asks, and a scan begins at genesis alone, so every index is
 * the one that a node of this program would tell. A node whose history does not reach down to genesis serves wallets that have
 * a place, and no new ones (`wallet/node-compact-only`).
 *
 * Nor does it tell its profile. That its chain begins with the genesis block of the daemon's profile is asked; that it follows
 * the same rules is believed. Where its history is not complete, the name of its network is all that can be compared.
 */
import {
  asAnchor,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asLeafPosition,
  type BlockHash,
  type ChainIndex,
  type TxId,
} from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { networkId, readProfile, type NetworkProfile } from "@svc/shared/chain/profile.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { decodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";
import type { Responses } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { RpcFault } from "@svc/shared/protocol/rpc/rpcFault.ts";
import { transactionToRpc } from "@svc/shared/protocol/rpc/rpcTransaction.ts";
import { readNodeFault, submittedOf, tipOf } from "@svc/shared/wallet/node/nodeAnswers.ts";
import { CoreTree } from "@svc/shared/wallet/state/coreTree.ts";
import { genesisStart } from "@svc/shared/wallet/state/genesisStart.ts";
import type {
  ChainPlace,
  NodePort,
  NodeTip,
  RecordPage,
  StartBlock,
} from "@svc/shared/wallet/state/ports.ts";
import { CLIENT_LIMITS } from "./clientLimits.ts";
import { compactPage, type ServedBlock } from "./compactRecords.ts";
import { NodeStream } from "./nodeStream.ts";
import { waitingIn } from "./waitingTransactions.ts";
import { treeIn, type WaitingPayment } from "./walletReplies.ts";

/** What the port knows beforehand, because the node does not tell it. */
export type CompactNodeParts = {
  readonly core: Pick<CoreGlue, "NoteTree" | "mempoolFrame" | "profileDigest" | "transactionId">;
  /** Canonical JSON of the network profile. */
  readonly profileJson: string;
};

type DagInfo = Responses["getBlockDagInfo"];

/** A node that serves compact records. */
export class CompactNode implements NodePort {
  readonly #stream: NodeStream;
  readonly #parts: CompactNodeParts;
  readonly #profile: NetworkProfile;
  readonly #digest: string;
  /** The last blocks that were served, consecutive: they find the common one, and tell the index of the tip. */
  #served: readonly ServedBlock[] = [];
  #pageBlocks: number = CLIENT_LIMITS.compactPageBlocks;
  /** The opening of the stream behind which a node showed that its chain begins with our genesis. */
  #provedAt = 0;
  #lastTip: { readonly tip: NodeTip; readonly opening: number } | null = null;

  /** Throws `profile/…`. */
  constructor(stream: NodeStream, parts: CompactNodeParts) {
    this.#stream = stream;
    this.#parts = parts;
    this.#profile = readProfile(parts.profileJson);
    this.#digest = callCore(() => parts.core.profileDigest(parts.profileJson));
  }

  /**
   * The chain index is that of the sink where it was served, else the most that it can be. Rejects as `NodeStream.ask` does,
   * and with `wallet/node-wrong-network`.
   */
  async tip(signal: AbortSignal): Promise<NodeTip> {
    const info = await this.#dagInfo(signal);
    const opening = this.#stream.reach();
    const last = this.#lastTip;
    const isSame = last?.tip.sink === info.sink && last.opening === opening;
    const tip = isSame ? last.tip : await this.#tipAt(info, signal);
    this.#lastTip = { tip, opening };
    const chainIndex = this.#indexOf(tip.sink, tip.sinkBlueScore);
    return { ...tip, daaScore: asDaaScore(info.virtualDaaScore), chainIndex };
  }

  /** Needs the block's place, unless it is genesis or was served before. Rejects without one with `wallet/node-compact-only`. */
  async blocks(
    after: BlockHash,
    limit: number,
    signal: AbortSignal,
    place?: ChainPlace,
  ): Promise<RecordPage> {
    const from = place ?? this.#placeOf(after);
    if (from === null) throw this.#compactOnly();
    const most = Math.min(limit, this.#pageBlocks);
    try {
      const page = await this.#pageAfter(after, from, most, signal);
      this.#pageBlocks = Math.min(CLIENT_LIMITS.compactPageBlocks, this.#pageBlocks * 2);
      return page;
    } catch (error) {
      // A stream that broke over the page may have broken because of its size.
      if (SvcError.is(error, "codec/count-too-large", "wallet/node-unreachable")) {
        this.#pageBlocks = Math.max(1, this.#pageBlocks >> 1);
      }
      throw error;
    }
  }

  /** Genesis, whatever the index. Rejects with `wallet/node-compact-only` where the node's history begins later. */
  async start(index: ChainIndex, signal: AbortSignal): Promise<StartBlock> {
    const { chainIndex, historyComplete } = await this.tip(signal);
    if (index > chainIndex) throw new SvcError("chain/unknown-block", { hash: String(index) });
    if (!historyComplete) throw this.#compactOnly();
    return genesisStart(this.#profile.genesis.hash);
  }

  /** A transaction that the node has already is taken: it refuses that one in words that nobody can rely on. */
  async submit(raw: Uint8Array, signal: AbortSignal): Promise<TxId> {
    const value = { transaction: transactionToRpc(decodeRawTransaction(raw)) };
    const answer = await this.#stream.askOf({ $case: "submitTransaction", value }, signal);
    if (!(answer instanceof RpcFault)) return submittedOf({ txid: answer.transactionId });
    const txid = callCore(() => this.#parts.core.transactionId(raw));
    const held = { $case: "getMempoolEntry", value: { txId: txid, check: undefined } } as const;
    const isHeld = !((await this.#stream.askOf(held, signal)) instanceof RpcFault);
    if (isHeld) return submittedOf({ txid });
    throw readNodeFault("submit", answer.json, "the node refused without a code");
  }

  /** Rejects with `wallet/node-compact-only`: such a node takes whatever it is asked about. */
  async probe(_raw: Uint8Array, _txid: TxId, _signal: AbortSignal): Promise<void> {
    throw this.#compactOnly();
  }

  /** The profile that the port was given, when the node's network is its own. Rejects as `tip` does. */
  async profile(signal: AbortSignal): Promise<string> {
    await this.tip(signal);
    return this.#parts.profileJson;
  }

  /**
   * The payments that wait at the node, with their memos: 2,000 at most, in its order. Asked on a stream of its own: an answer
   * of great length ends it. Rejects as `NodeStream.ask` does.
   */
  async pool(signal: AbortSignal): Promise<readonly WaitingPayment[]> {
    const { virtualDaaScore } = await this.#dagInfo(signal);
    const stream = new NodeStream(this.#stream.address);
    try {
      const value = { includeOrphanPool: false, filterTransactionPool: false };
      const answer = await stream.ask("pool", { $case: "getMempoolEntries", value }, signal);
      const { core, profileJson } = this.#parts;
      return waitingIn(answer, (raw) =>
        callCore(() => core.mempoolFrame(profileJson, raw, virtualDaaScore)),
      );
    } finally {
      stream.close();
    }
  }

  async #dagInfo(signal: AbortSignal): Promise<DagInfo> {
    const info = await this.#stream.ask("tip", { $case: "getBlockDagInfo", value: {} }, signal);
    const [expected, found] = [this.#profile, info].map(networkId);
    if (expected !== found) throw wrongNetwork(this.#profile.networkName, info.networkName);
    return info;
  }

  async #tipAt(info: DagInfo, signal: AbortSignal): Promise<NodeTip> {
    const value = { blockHash: info.sink };
    const [tree, supply] = await Promise.all([
      this.#stream.ask("tip", { $case: "getShieldedTreeState", value }, signal),
      this.#stream.ask("tip", { $case: "getShieldedSupply", value }, signal),
    ]);
    for (const { blockHash } of [tree, supply]) {
      if (blockHash !== info.sink) throw otherBlock();
    }
    const { historyComplete, historyFromDaaScore } = tree;
    if (historyComplete) await this.#proveGenesis(info.networkName, signal);
    return tipOf({
      genesis: this.#profile.genesis.hash,
      profileDigest: this.#digest,
      sink: info.sink,
      sinkBlueScore: String(supply.blueScore),
      daaScore: String(info.virtualDaaScore),
      chainIndex: "0",
      treeSize: String(tree.size),
      treeRoot: this.#rootOf(treeIn(tree)),
      historyFromDaaScore: String(historyFromDaaScore),
      historyComplete,
    });
  }

  /** Asks a node that enumerates to genesis for what follows ours, once for each opening of the stream. */
  async #proveGenesis(found: string, signal: AbortSignal): Promise<void> {
    const opening = this.#stream.reach();
    if (this.#provedAt === opening) return;
    if (!(await this.#isOnChain(this.#profile.genesis.hash, signal))) {
      throw wrongNetwork(this.#profile.networkName, found);
    }
    this.#provedAt = opening;
  }

  async #pageAfter(
    after: BlockHash,
    place: ChainPlace,
    most: number,
    signal: AbortSignal,
  ): Promise<RecordPage> {
    const value = { startHash: after, limit: BigInt(most) };
    const answer = await this.#stream.askOf({ $case: "getShieldedBlocks", value }, signal);
    if (answer instanceof RpcFault) throw await this.#unknownOr(answer, after, signal);
    if (answer.reorged) throw await this.#notOnChain(after, signal);
    if (answer.blocks.length > most) {
      throw new SvcError("codec/count-too-large", { count: answer.blocks.length, max: most });
    }
    const { page, served } = compactPage(answer.blocks, place);
    this.#remember(after, served);
    return page;
  }

  /** A node that answers the same question about its own sink refused because of the block. */
  async #unknownOr(fault: RpcFault, hash: BlockHash, signal: AbortSignal): Promise<SvcError> {
    const { sink } = await this.#dagInfo(signal);
    const control = await this.#metadataAfter(sink, signal);
    if (!(control instanceof RpcFault)) return new SvcError("chain/unknown-block", { hash });
    return readNodeFault("blocks", fault.json, "the node refused without a code");
  }

  /** The highest of the blocks served below this one that is still on the node's chain, looked for in growing steps. */
  async #notOnChain(after: BlockHash, signal: AbortSignal): Promise<SvcError> {
    const at = this.#served.findIndex(({ hash }) => hash === after);
    for (let step = 1; step <= at; step *= 2) {
      const block = this.#served[at - step];
      if (block === undefined || !(await this.#isOnChain(block.hash, signal))) continue;
      const { hash, chainIndex } = block;
      return new SvcError("chain/not-on-chain", { commonHash: hash, chainIndex });
    }
    return new SvcError("chain/unknown-block", { hash: after });
  }

  async #isOnChain(hash: BlockHash, signal: AbortSignal): Promise<boolean> {
    const answer = await this.#metadataAfter(hash, signal);
    return !(answer instanceof RpcFault) && !answer.reorged;
  }

  #metadataAfter(startHash: string, signal: AbortSignal) {
    const value = { startHash, limit: 1n, metadataOnly: true };
    return this.#stream.askOf({ $case: "getShieldedBlocks", value }, signal);
  }

  #placeOf(hash: BlockHash): ChainPlace | null {
    if (hash === this.#profile.genesis.hash) {
      return { chainIndex: asChainIndex(0n), leafEnd: asLeafPosition(0n) };
    }
    return this.#served.find((block) => block.hash === hash) ?? null;
  }

  /** A page that continues what is remembered is added to it; one that leads higher takes its place. */
  #remember(after: BlockHash, served: readonly ServedBlock[]): void {
    const at = this.#served.findIndex(({ hash }) => hash === after);
    const [ours, theirs] = [this.#served.at(-1), served.at(-1)];
    if (theirs === undefined) return;
    if (at < 0 && ours !== undefined && theirs.blueScore < ours.blueScore) return;
    const below = this.#served.slice(0, at + 1);
    this.#served = [...below, ...served].slice(-CLIENT_LIMITS.compactServedBlocks);
  }

  /** Every chain block adds one to the blue score at least, so there are no more blocks than that. */
  #indexOf(sink: BlockHash, blueScore: bigint): ChainIndex {
    const served = this.#served.findLast(({ hash }) => hash === sink);
    if (served !== undefined) return served.chainIndex;
    const last = this.#served.at(-1) ?? { chainIndex: 0n, blueScore: asBlueScore(0n) };
    const more = blueScore - last.blueScore;
    return asChainIndex(last.chainIndex + (more > 0n ? more : 0n));
  }

  #rootOf(bytes: Uint8Array): string {
    const tree = new CoreTree(this.#parts.core, bytes);
    try {
      return asAnchor(encodeHex(tree.root(tree.size())));
    } finally {
      tree.free();
    }
  }

  #compactOnly(): SvcError {
    return new SvcError("wallet/node-compact-only", { url: this.#stream.address });
  }
}

function wrongNetwork(expected: string, found: string): SvcError {
  return new SvcError("wallet/node-wrong-network", { expected, found });
}

/** The node's failing, not ours. */
function otherBlock(): SvcError {
  return new SvcError("http/unavailable", { reason: "another block was answered" });
}
