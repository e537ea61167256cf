/**
 * gRPC client of a node that a wallet follows: the wallet's node port for programs, beside `HttpNode` for pages (specification
 * network 2.3).
 *
 * It asks for the same bytes as a browser, by fields that only nodes of this program know. A node without them is refused with
 * `wallet/node-compact-only`: that kind has a port of its own, `CompactNode`, and `RpcNode` is the port to either.
 */
import type { BlockHash, ChainIndex, TxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { EvidencePort, NullifierPart } from "@svc/shared/light/evidencePort.ts";
import { readContainer } from "@svc/shared/protocol/http/recordContainer.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { decodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";
import { transactionToRpc } from "@svc/shared/protocol/rpc/rpcTransaction.ts";
import { submittedOf } from "@svc/shared/wallet/node/nodeAnswers.ts";
import type { NodePort, NodeTip, RecordPage, StartBlock } from "@svc/shared/wallet/state/ports.ts";
import { NodeStream, type NodeStreamOptions } from "./nodeStream.ts";
import { paymentsIn, startIn, tipIn, type WaitingPayment } from "./walletReplies.ts";

/** What the node's records hold: whole actions with their memos, or the start of each. */
export type RecordKind = "whole" | "compact";

/** A node of this program. Closing it ends its stream. */
export class GrpcNode implements NodePort, EvidencePort {
  readonly #stream: NodeStream;
  #kind: RecordKind | null = null;

  /** `node` is `host:port`, or a stream that leads there. Nothing is opened yet. */
  constructor(node: string | NodeStream, options: NodeStreamOptions = {}) {
    this.#stream = typeof node === "string" ? new NodeStream(node, options) : node;
  }

  /** What the node serves, as its last answer told; null before the first. */
  get kind(): RecordKind | null {
    return this.#kind;
  }

  async tip(signal: AbortSignal): Promise<NodeTip> {
    const request = { $case: "getBlockDagInfo", value: {} } as const;
    return this.#whole(tipIn(await this.#stream.ask("tip", request, signal)));
  }

  async blocks(after: BlockHash, limit: number, signal: AbortSignal): Promise<RecordPage> {
    const value = { startHash: after, limit: BigInt(limit), records: true };
    const request = { $case: "getShieldedBlocks", value } as const;
    const answer = await this.#stream.ask("blocks", request, signal);
    const records = this.#whole(answer.records ?? null);
    return readContainer(records, Math.min(limit, PROTOCOL_LIMITS.recordPageMax));
  }

  async start(index: ChainIndex, signal: AbortSignal): Promise<StartBlock> {
    const request = { $case: "getShieldedTreeState", value: { chainIndex: index } } as const;
    return this.#whole(startIn(await this.#stream.ask("start", request, signal)));
  }

  async submit(raw: Uint8Array, signal: AbortSignal): Promise<TxId> {
    const value = { transaction: transactionToRpc(decodeRawTransaction(raw)) };
    const request = { $case: "submitTransaction", value } as const;
    const answer = await this.#stream.ask("submit", request, signal);
    return submittedOf({ txid: answer.transactionId });
  }

  /**
   * Resolves where the node's pool would take a signed transaction, which the node keeps to itself. Rejects as `submit` does, and
   * with `wallet/node-compact-only` for a node that does not know the question.
   */
  async probe(raw: Uint8Array, txId: TxId, signal: AbortSignal): Promise<void> {
    const check = transactionToRpc(decodeRawTransaction(raw));
    const request = { $case: "getMempoolEntry", value: { txId, check } } as const;
    const { admissible } = await this.#stream.ask("submit", request, signal);
    this.#whole(admissible ?? null);
  }

  /** The node's profile as canonical JSON. Rejects as the other calls do. */
  async profile(signal: AbortSignal): Promise<string> {
    const request = { $case: "getServerInfo", value: { profile: true } } as const;
    const answer = await this.#stream.ask("profile", request, signal);
    return this.#whole(answer.profile ?? null);
  }

  /** The payments that wait at the node, the newest 2,000 at most, in order of arrival. Rejects as the other calls do. */
  async pool(signal: AbortSignal): Promise<readonly WaitingPayment[]> {
    const request = { $case: "getMempoolEntries", value: { payments: true } } as const;
    return paymentsIn(await this.#stream.ask("pool", request, signal));
  }

  async opening(of: BlockHash, part: NullifierPart, signal: AbortSignal): Promise<Uint8Array> {
    const value = { blockHash: of, nullifierProduct: part === "product" };
    const request = { $case: "getEvidenceOpening", value } as const;
    return (await this.#stream.ask("evidence", request, signal)).opening;
  }

  async membership(of: BlockHash, at: BlockHash, signal: AbortSignal): Promise<Uint8Array> {
    const value = { blockHash: of, atHash: at };
    const request = { $case: "getEvidenceMembership", value } as const;
    return (await this.#stream.ask("evidence", request, signal)).membership;
  }

  async run(from: BlockHash, to: BlockHash, signal: AbortSignal): Promise<Uint8Array> {
    const request = { $case: "getEvidenceRun", value: { fromHash: from, toHash: to } } as const;
    return (await this.#stream.ask("evidence", request, signal)).run;
  }

  /** Hears of news; see `NodeStream.onNews`. */
  onNews(listener: () => void): () => void {
    return this.#stream.onNews(listener);
  }

  /** Ends the stream; calls that wait and later ones reject with `run/aborted`. Calling it again does nothing. */
  close(): void {
    this.#stream.close();
  }

  /** The answer of a node that knows the question. Throws `wallet/node-compact-only`. */
  #whole<T>(answer: T | null): T {
    this.#kind = answer === null ? "compact" : "whole";
    if (answer === null)
      throw new SvcError("wallet/node-compact-only", { url: this.#stream.address });
    return answer;
  }
}
