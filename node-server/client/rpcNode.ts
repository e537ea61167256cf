/**
 * Port to the node at an address, whichever kind it is: one of this program, or one of the parent network.
 *
 * Which one is asked each time the stream opens, since a node may have been replaced meanwhile. Both kinds tell the same chain
 * indices, so a wallet goes on where it was.
 */
import type { BlockHash, ChainIndex, TxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { EvidencePort, NullifierPart } from "@svc/shared/light/evidencePort.ts";
import type {
  ChainPlace,
  NodePort,
  NodeTip,
  RecordPage,
  StartBlock,
} from "@svc/shared/wallet/state/ports.ts";
import { CompactNode, type CompactNodeParts } from "./compactNode.ts";
import { GrpcNode, type RecordKind } from "./grpcNode.ts";
import { NodeStream, type NodeStreamOptions } from "./nodeStream.ts";
import type { WaitingPayment } from "./walletReplies.ts";

/** Settings of the port, and what it knows beforehand. */
export type RpcNodeParts = NodeStreamOptions & CompactNodeParts;

/** The node at an address. Rejects as the port to its kind does. */
export class RpcNode implements NodePort, EvidencePort {
  readonly #stream: NodeStream;
  readonly #whole: GrpcNode;
  readonly #compact: CompactNode;
  #kind: RecordKind | null = null;
  /** The opening of the stream behind which that kind was found. */
  #foundAt = 0;

  /** `address` is `host:port`. Nothing is opened yet. Throws `profile/…`. */
  constructor(address: string, parts: RpcNodeParts) {
    this.#stream = new NodeStream(address, parts);
    this.#whole = new GrpcNode(this.#stream);
    this.#compact = new CompactNode(this.#stream, parts);
  }

  /** What the node serves, as far as is known; null before the first answer. Of compact records the memos stay unknown. */
  get kind(): RecordKind | null {
    return this.#kind;
  }

  async tip(signal: AbortSignal): Promise<NodeTip> {
    return (await this.#port(signal)).tip(signal);
  }

  async blocks(
    after: BlockHash,
    limit: number,
    signal: AbortSignal,
    place?: ChainPlace,
  ): Promise<RecordPage> {
    return (await this.#port(signal)).blocks(after, limit, signal, place);
  }

  async start(index: ChainIndex, signal: AbortSignal): Promise<StartBlock> {
    return (await this.#port(signal)).start(index, signal);
  }

  async submit(raw: Uint8Array, signal: AbortSignal): Promise<TxId> {
    return (await this.#port(signal)).submit(raw, signal);
  }

  /**
   * Resolves where the node's pool would take a signed transaction, which goes nowhere. Rejects as `submit` does, and with
   * `wallet/node-compact-only` for a node of the parent network, which cannot be asked without handing it over.
   */
  async probe(raw: Uint8Array, txid: TxId, signal: AbortSignal): Promise<void> {
    return (await this.#port(signal)).probe(raw, txid, signal);
  }

  /** The profile of the node's network as canonical JSON: the node's own, or the one that it is believed to have. */
  async profile(signal: AbortSignal): Promise<string> {
    return (await this.#port(signal)).profile(signal);
  }

  /** The payments that wait at the node, with their memos; 2,000 at most. */
  async pool(signal: AbortSignal): Promise<readonly WaitingPayment[]> {
    return (await this.#port(signal)).pool(signal);
  }

  /** As the other two pieces of evidence: rejects with `wallet/node-compact-only` for a node of the parent network, which shows none. */
  async opening(of: BlockHash, part: NullifierPart, signal: AbortSignal): Promise<Uint8Array> {
    return (await this.#evidence(signal)).opening(of, part, signal);
  }

  async membership(of: BlockHash, at: BlockHash, signal: AbortSignal): Promise<Uint8Array> {
    return (await this.#evidence(signal)).membership(of, at, signal);
  }

  async run(from: BlockHash, to: BlockHash, signal: AbortSignal): Promise<Uint8Array> {
    return (await this.#evidence(signal)).run(from, to, signal);
  }

  /** Hears of news; see `NodeStream.onNews`. */
  onNews(listener: () => void): () => void {
    return this.#stream.onNews(listener);
  }

  /** Ends the stream; calls that wait and later ones reject with `run/aborted`. Calling it again does nothing. */
  close(): void {
    this.#stream.close();
  }

  async #evidence(signal: AbortSignal): Promise<EvidencePort> {
    const port = await this.#port(signal);
    if (port instanceof GrpcNode) return port;
    throw new SvcError("wallet/node-compact-only", { url: this.#stream.address });
  }

  /** The port to the kind of node that is there now. */
  async #port(signal: AbortSignal): Promise<GrpcNode | CompactNode> {
    const opening = this.#stream.reach();
    if (this.#kind === null || this.#foundAt !== opening) {
      const request = { $case: "getBlockDagInfo", value: {} } as const;
      const { shieldedTip } = await this.#stream.ask("tip", request, signal);
      this.#kind = shieldedTip === undefined ? "compact" : "whole";
      this.#foundAt = opening;
    }
    return this.#kind === "whole" ? this.#whole : this.#compact;
  }
}
