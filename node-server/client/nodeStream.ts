/**
 * The stream to a node that a wallet follows: all calls of all ports to that node, and its news.
 *
 * What the node sends is not believed: each answer is bounded, read field by field and checked in form, and a code of an error
 * counts only where a node has a reason to give it.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { RpcNotifyCommand } from "@svc/shared/protocol/rpc/generated/rpcMessages.ts";
import type { RequestPayload, Requests, Responses } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { RpcFault } from "@svc/shared/protocol/rpc/rpcFault.ts";
import { readNodeFault, type NodeQuestion } from "@svc/shared/wallet/node/nodeAnswers.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { CLIENT_LIMITS } from "./clientLimits.ts";
import { GrpcClient } from "./grpcClient.ts";
import { readWalletReply } from "./walletReplies.ts";

/** Settings of a stream to a node. */
export type NodeStreamOptions = {
  /** ms. For each call; `WALLET_LIMITS.nodeRequestMs` where left out. */
  readonly callMs?: number;
};

/** A request of one method. */
export type RequestOf<M extends keyof Requests> = { $case: M; value: Requests[M] } & RequestPayload;

/**
 * The node at an address. One stream carries all calls: it opens with the first, and again with the first after it ended. To
 * ask again is left to the caller.
 */
export class NodeStream {
  /** `host:port`. */
  readonly address: string;
  readonly #callMs: number;
  readonly #listeners = new Set<() => void>();
  #client: GrpcClient | null = null;
  /** The stream that brings news. */
  #newsOf: GrpcClient | null = null;
  #opened = 0;
  #isClosed = false;

  /** Nothing is opened yet. */
  constructor(address: string, { callMs = WALLET_LIMITS.nodeRequestMs }: NodeStreamOptions = {}) {
    this.address = address;
    this.#callMs = callMs;
  }

  /** Opens the stream if it is not open, and counts how often it was: behind each opening may be another node. Throws `run/aborted`. */
  reach(): number {
    this.#open();
    return this.#opened;
  }

  /**
   * Asks, and waits for the answer. Rejects with a code that the node has a reason to give to this question, with
   * `http/unavailable` for any other refusal, `wallet/node-unreachable` or `run/aborted`.
   */
  async ask<M extends keyof Requests>(
    question: NodeQuestion,
    request: RequestOf<M>,
    signal: AbortSignal,
  ): Promise<Responses[M]> {
    const answer = await this.askOf(request, signal);
    if (!(answer instanceof RpcFault)) return answer;
    throw readNodeFault(question, answer.json, "the node refused without a code");
  }

  /** As `ask`, with a refusal as an answer: of some nodes it has no code. */
  async askOf<M extends keyof Requests>(
    request: RequestOf<M>,
    signal: AbortSignal,
  ): Promise<Responses[M] | RpcFault> {
    const client = this.#open();
    try {
      return await client.call<M>(request, signal);
    } catch (error) {
      if (error instanceof RpcFault) return error;
      throw this.#failure(client, error, signal);
    }
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

  /** What a call without an answer rejects with. */
  #failure(client: GrpcClient, error: unknown, signal: AbortSignal): unknown {
    if (this.#isClosed || signal.aborted) return new SvcError("run/aborted", {}, error);
    const isSilent = SvcError.is(error, "run/timeout");
    if (client.failure === null && !isSilent) return error;
    // Of a stream that says nothing nobody knows whether it still leads anywhere.
    this.#drop(client);
    return new SvcError("wallet/node-unreachable", { url: this.address }, error);
  }

  /** The open stream, or a new one. Throws `run/aborted`. */
  #open(): GrpcClient {
    if (this.#isClosed) throw new SvcError("run/aborted", {});
    if (this.#client !== null && this.#client.failure === null) return this.#client;
    const client = new GrpcClient(this.address, {
      callMs: this.#callMs,
      messageBytes: WALLET_LIMITS.nodePageBytes,
      unaskedBytes: CLIENT_LIMITS.grpcUnaskedBytes,
      read: readWalletReply,
    });
    this.#client = client;
    this.#opened += 1;
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
