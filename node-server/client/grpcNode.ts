/**
 * gRPC client of a node that a wallet follows: the wallet's node port for programs, beside `HttpNode` for pages (specification
 * network 2.3).
 *
 * It asks for the same bytes as a browser, by fields that only nodes of this program know. A node without them serves compact
 * records. The scanner could find notes in those, since the first 52 bytes of a ciphertext decide, but such a node does not
 * tell chain indices, a start by index or the root of its tree, without which the chain cannot be followed: it is refused
 * with `wallet/node-compact-only`.
 *
 * What the node sends is not believed: each answer is bounded, read field by field and checked in form, and a code of an error
 * counts only where a node has a reason to give it.
 */
import type { BlockHash, ChainIndex, TxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readContainer } from "@svc/shared/protocol/http/recordContainer.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { decodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";
import { RpcNotifyCommand } from "@svc/shared/protocol/rpc/generated/rpcMessages.ts";
import type { RequestPayload, Requests, Responses } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { RpcFault } from "@svc/shared/protocol/rpc/rpcFault.ts";
import { transactionToRpc } from "@svc/shared/protocol/rpc/rpcTransaction.ts";
import {
  readNodeFault,
  submittedOf,
  type NodeQuestion,
} from "@svc/shared/wallet/node/nodeAnswers.ts";
import type { NodePort, NodeTip, RecordPage, StartBlock } from "@svc/shared/wallet/state/ports.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { CLIENT_LIMITS } from "./clientLimits.ts";
import { GrpcClient } from "./grpcClient.ts";
import {
  paymentsIn,
  readWalletReply,
  startIn,
  tipIn,
  type WaitingPayment,
} from "./walletReplies.ts";

/** What the node's records hold: whole actions with their memos, or the start of each. */
export type RecordKind = "whole" | "compact";

/** Settings of a port to a node. */
export type GrpcNodeOptions = {
  /** ms. For each call; `WALLET_LIMITS.nodeRequestMs` where left out. */
  readonly callMs?: number;
};

type Request<M extends keyof Requests> = { $case: M; value: Requests[M] } & RequestPayload;

/**
 * The node at an address. One stream carries all calls: it opens with the first, and again with the first after it ended. To
 * ask again is left to the caller.
 */
export class GrpcNode implements NodePort {
  readonly #address: string;
  readonly #callMs: number;
  readonly #listeners = new Set<() => void>();
  #client: GrpcClient | null = null;
  /** The stream that brings news. */
  #newsOf: GrpcClient | null = null;
  #kind: RecordKind | null = null;
  #isClosed = false;

  /** `address` is `host:port`. Nothing is opened yet. */
  constructor(address: string, { callMs = WALLET_LIMITS.nodeRequestMs }: GrpcNodeOptions = {}) {
    this.#address = address;
    this.#callMs = callMs;
  }

  /** What the node serves, as its last answer told; null before the first. */
  get kind(): RecordKind | null {
    return this.#kind;
  }

  async tip(signal: AbortSignal): Promise<NodeTip> {
    const answer = await this.#ask("tip", { $case: "getBlockDagInfo", value: {} }, signal);
    return this.#whole(tipIn(answer));
  }

  async blocks(after: BlockHash, limit: number, signal: AbortSignal): Promise<RecordPage> {
    const value = { startHash: after, limit: BigInt(limit), records: true };
    const answer = await this.#ask("blocks", { $case: "getShieldedBlocks", value }, signal);
    const records = this.#whole(answer.records ?? null);
    return readContainer(records, Math.min(limit, PROTOCOL_LIMITS.recordPageMax));
  }

  async start(index: ChainIndex, signal: AbortSignal): Promise<StartBlock> {
    const value = { chainIndex: index };
    const answer = await this.#ask("start", { $case: "getShieldedTreeState", value }, signal);
    return this.#whole(startIn(answer));
  }

  async submit(raw: Uint8Array, signal: AbortSignal): Promise<TxId> {
    const value = { transaction: transactionToRpc(decodeRawTransaction(raw)) };
    const answer = await this.#ask("submit", { $case: "submitTransaction", value }, signal);
    return submittedOf({ txid: answer.transactionId });
  }

  /** The node's profile as canonical JSON. Rejects as the other calls do. */
  async profile(signal: AbortSignal): Promise<string> {
    const value = { profile: true };
    const answer = await this.#ask("profile", { $case: "getServerInfo", value }, signal);
    return this.#whole(answer.profile ?? null);
  }

  /** The payments that wait at the node, the newest 2,000 at most, in order of arrival. Rejects as the other calls do. */
  async pool(signal: AbortSignal): Promise<readonly WaitingPayment[]> {
    const value = { payments: true };
    const answer = await this.#ask("pool", { $case: "getMempoolEntries", value }, signal);
    return paymentsIn(answer);
  }

  /**
   * Tells the listener when the chain has moved and is at rest, and when news may have been missed: the stream ended, or is
   * open again. A stream that ended is opened by the next call, not by the listening. How often is up to the node: a listener
   * keeps to a pace of its own, and must not throw. The returned call ends it.
   */
  onNews(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (!this.#isClosed) {
      const isOpen = this.#client !== null;
      const client = this.#open();
      if (isOpen && this.#listeners.size === 1) void this.#subscribe(client, true);
    }
    return () => {
      const client = this.#client;
      const wasLast = this.#listeners.delete(listener) && this.#listeners.size === 0;
      if (wasLast && client !== null) void this.#subscribe(client, false);
    };
  }

  /** Ends the stream; calls that wait and later ones reject with `run/aborted`. Calling it again does nothing. */
  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    if (this.#client !== null) this.#drop(this.#client);
  }

  async #ask<M extends keyof Requests>(
    question: NodeQuestion,
    request: Request<M>,
    signal: AbortSignal,
  ): Promise<Responses[M]> {
    const client = this.#open();
    try {
      return await client.call<M>(request, signal);
    } catch (error) {
      throw this.#refusal(question, client, error, signal);
    }
  }

  /** What a call that failed rejects with. */
  #refusal(
    question: NodeQuestion,
    client: GrpcClient,
    error: unknown,
    signal: AbortSignal,
  ): unknown {
    if (error instanceof RpcFault) {
      return readNodeFault(question, error.json, "the node refused without a code");
    }
    if (this.#isClosed || signal.aborted) return new SvcError("run/aborted", {}, error);
    const isSilent = SvcError.is(error, "run/timeout");
    if (client.failure === null && !isSilent) return error;
    // Of a stream that says nothing nobody knows whether it still leads anywhere.
    this.#drop(client);
    return new SvcError("wallet/node-unreachable", { url: this.#address }, error);
  }

  /** The answer of a node that knows the question. Throws `wallet/node-compact-only`. */
  #whole<T>(answer: T | null): T {
    this.#kind = answer === null ? "compact" : "whole";
    if (answer === null) throw new SvcError("wallet/node-compact-only", { url: this.#address });
    return answer;
  }

  /** The open stream, or a new one. Throws `run/aborted`. */
  #open(): GrpcClient {
    if (this.#isClosed) throw new SvcError("run/aborted", {});
    if (this.#client !== null && this.#client.failure === null) return this.#client;
    const client = new GrpcClient(this.#address, {
      callMs: this.#callMs,
      messageBytes: WALLET_LIMITS.nodePageBytes,
      unaskedBytes: CLIENT_LIMITS.grpcUnaskedBytes,
      read: readWalletReply,
    });
    this.#client = client;
    client.onNotification((news) => {
      if (news.$case === "newBlockTemplate") this.#tell();
    });
    if (this.#listeners.size > 0) void this.#subscribe(client, true);
    void this.#watch(client);
    return client;
  }

  /** Lets go of a stream that has ended. */
  async #watch(client: GrpcClient): Promise<void> {
    await client.ended;
    this.#drop(client);
    if (this.#newsOf !== client) return;
    this.#newsOf = null;
    this.#tell();
  }

  /** A node that does not take it is polled; one that is away shows with the next call. */
  async #subscribe(client: GrpcClient, on: boolean): Promise<void> {
    const command = on ? RpcNotifyCommand.NOTIFY_START : RpcNotifyCommand.NOTIFY_STOP;
    try {
      await client.call({ $case: "notifyNewBlockTemplate", value: { command } });
    } catch {
      return;
    }
    if (!on || client.failure !== null) return;
    this.#newsOf = client;
    this.#tell();
  }

  #drop(client: GrpcClient): void {
    if (this.#client === client) this.#client = null;
    client.close();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
