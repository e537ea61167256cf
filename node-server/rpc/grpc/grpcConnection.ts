/**
 * One client's open gRPC stream: requests in, replies and notifications out, with backpressure.
 *
 * Calls of one type run one after the other, block submissions side by side; replies of a type keep the
 * order of its requests. No answer and no notification is made while the client has too much unread, and nothing more is
 * read from it while too much is unanswered. A client that lets notifications pile up, or takes nothing for long, is cut
 * off, and so is one that follows the chain by notifications when the chain may be another one. Data that such a client
 * has not read yet is kept for a short time.
 */
import { Metadata, status, type ServerDuplexStream } from "@grpc/grpc-js";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  encodeErrorResponse,
  encodeResponse,
  readRequest,
  type RequestEnvelope,
  type RequestPayload,
  type ResponsePayload,
} from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { sourceOfPeer } from "../../platform/net/netAddress.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { guarded, logFault } from "../../platform/net/guarded.ts";
import type { Log } from "../../platform/log/log.ts";
import type { ReadGate } from "../../p2p/link/readGate.ts";
import { resetStream } from "../../platform/net/resetStream.ts";
import { routeIsFull } from "../service/miningHandlers.ts";
import type { NodeNotification } from "../service/nodeApi.ts";
import type { HandlerContext } from "../service/rpcMethods.ts";
import { answerRequest, faultOf, faultText } from "../service/rpcService.ts";
import type { NotificationRenderings } from "./notificationRenderings.ts";
import { OrderedCalls } from "./orderedCalls.ts";
import type { SendBuffer } from "./sendBuffer.ts";
import type { SendBuffers } from "./sendBuffers.ts";
import { isNotifyRequest, Subscriptions } from "./subscriptions.ts";

/** A server stream of raw messages. */
export type RawStream = ServerDuplexStream<Uint8Array, Uint8Array>;

/** Dependencies of a connection. */
export type ConnectionParts = Pick<HandlerContext, "node" | "clients"> & {
  readonly log: Log;
  readonly clock: Clock;
  /** Where all clients' answers are counted. */
  readonly outlets: SendBuffers;
  /** What all clients are told of. */
  readonly renderings: NotificationRenderings;
};

/** Notifications share a lane: they keep the order of the news. */
const NEWS_LANE = 0;
const TOO_SLOW = "the client reads too slowly";
/**
 * Calls whose answers may have megabytes, or whose number asked for is anybody's: few of them are made at a time, and hosts take
 * turns.
 */
const LARGE: ReadonlySet<RequestPayload["$case"]> = new Set([
  "getBlocks",
  "getVirtualChainFromBlock",
  "getMempoolEntries",
  "getShieldedBlocks",
  "getShieldedCoinbaseRewards",
  "getEvidenceOpening",
  "getEvidenceMembership",
  "getEvidenceRun",
  "getEvidencePayload",
  "getEvidenceRecords",
]);

/** Serves one client. */
export class GrpcConnection {
  /** The host of the client, which its shares are counted by: a client with many connections is one client. */
  readonly source: string;
  readonly #stream: RawStream;
  readonly #gate: ReadGate;
  readonly #outlet: SendBuffer;
  readonly #context: HandlerContext;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #closed = new AbortController();
  /** The stream holds nothing any more. */
  readonly #released = new AbortController();
  readonly #calls = new OrderedCalls(() => this.#resumeIfRoom());
  readonly #news = new OrderedCalls();
  readonly #subscriptions = new Subscriptions();
  readonly #renderings: NotificationRenderings;
  #pendingBlocks = 0;
  /** Bytes of requests that are not answered. */
  #pendingBytes = 0;

  /** `gate` is before the reading of `stream`. */
  constructor(parts: ConnectionParts, stream: RawStream, gate: ReadGate) {
    const { log, clock, outlets, renderings, ...served } = parts;
    this.#stream = stream;
    this.#gate = gate;
    this.#log = log;
    this.#clock = clock;
    this.source = sourceOfPeer(stream.getPeer());
    this.#context = { ...served, source: this.source, signal: this.#closed.signal };
    this.#renderings = renderings;
    this.#outlet = outlets.open({
      source: this.source,
      signal: this.#closed.signal,
      write: (bytes, onSent) => void stream.write(bytes, onSent),
      cut: () => this.#cut(),
      onStuck: () => this.fail(status.RESOURCE_EXHAUSTED, TOO_SLOW),
    });
  }

  /** Serves the client until either side ends; `onReleased` is called once, when the stream holds nothing any more. */
  start(onReleased: () => void): void {
    const stream = this.#stream;
    // Some clients wait for the headers before they send anything.
    stream.sendMetadata(new Metadata());
    const release = (): void => {
      this.#closed.abort();
      this.#outlet.close();
      if (!this.#released.signal.aborted) onReleased();
      this.#released.abort();
    };
    const onFault = (fault: SvcError): void => {
      logFault(this.#log, fault);
      this.fail(status.INTERNAL, faultText(fault));
    };
    const over = (): void => {
      if (!this.#closed.signal.aborted) void this.#resetUnread();
      this.#closed.abort();
    };
    const ended = async (): Promise<void> => {
      await this.#calls.idle();
      stream.end();
    };
    const receive = (bytes: Uint8Array): void => this.#receive(bytes);
    const drained = (): void => this.#resumeIfRoom();
    // After an error nothing more is said, but what was said may still be on its way.
    stream.on("error", guarded(over, over));
    stream.on("data", guarded(receive, onFault));
    stream.on("drain", guarded(drained, onFault));
    stream.on("end", guarded(ended, onFault));
    for (const event of ["cancelled", "close", "finish"]) {
      stream.on(event, guarded(release, onFault));
    }
  }

  /** Passes on news that the client asked for. */
  tell(news: NodeNotification): void {
    if (this.#closed.signal.aborted || !this.#subscriptions.wants(news)) return;
    if (news.type === "engineRestarted" && this.#subscriptions.followsFacts) {
      this.fail(status.UNAVAILABLE, faultText(new SvcError("engine/restarted", {})));
      return;
    }
    if (this.#news.pending >= RPC_LIMITS.grpcOutgoingMessages) {
      this.fail(status.RESOURCE_EXHAUSTED, TOO_SLOW);
      return;
    }
    const wasTold = this.#renderings.hold(news);
    this.#news.enqueue(NEWS_LANE, async () => {
      try {
        await this.#outlet.room();
        for (const form of this.#subscriptions.forms(news)) {
          this.#send(await this.#renderings.bytesOf(news, form));
        }
      } catch (error) {
        if (!this.#closed.signal.aborted) this.fail(status.INTERNAL, faultText(error));
      } finally {
        wasTold();
      }
    });
  }

  /** Ends the stream with a status. */
  fail(code: status, details: string): void {
    if (this.#closed.signal.aborted) return;
    this.#stream.emit("error", { code, details });
  }

  /** Ends a stream that is not served, in place of `start`. */
  refuse(code: status, details: string): void {
    this.fail(code, details);
    this.#closed.abort();
    this.#outlet.close();
  }

  /** A client that does not read would keep its stream, and what it was sent, for as long as it likes. */
  async #resetUnread(): Promise<void> {
    try {
      await this.#clock.sleep(RPC_LIMITS.grpcFarewellMs, this.#released.signal);
    } catch {
      return;
    }
    resetStream(this.#stream);
  }

  /** Lets go of all that the client has not taken. */
  #cut(): void {
    this.#closed.abort();
    resetStream(this.#stream);
  }

  #receive(bytes: Uint8Array): void {
    if (this.#closed.signal.aborted) return;
    let envelope: RequestEnvelope;
    try {
      envelope = readRequest(bytes);
    } catch (error) {
      this.fail(status.INVALID_ARGUMENT, faultText(error));
      return;
    }
    if (envelope.method === null) {
      this.#stream.end();
      return;
    }
    this.#serve(envelope.method, envelope, bytes.length);
    if (this.#isFull()) this.#gate.close();
  }

  #serve(method: number, { id, payload }: RequestEnvelope, bytes: number): void {
    const answer = (): Promise<Uint8Array> => this.#answer(payload, method, id);
    // Begun at once; the lane only keeps the order of the replies.
    const begun = payload?.$case === "submitBlock" ? answer() : undefined;
    this.#pendingBytes += bytes;
    this.#outlet.ask(bytes);
    this.#calls.enqueue(method, async () => {
      this.#send(await (begun ?? answer()));
      this.#pendingBytes -= bytes;
      this.#outlet.ask(-bytes);
    });
  }

  /** The bytes of the reply; faults are part of it, so this never rejects. */
  async #answer(
    payload: RequestPayload | undefined,
    method: number,
    id: bigint | undefined,
  ): Promise<Uint8Array> {
    try {
      if (payload === undefined)
        return encodeErrorResponse(id, method, { message: "Not implemented" });
      if (payload.$case !== "submitBlock") await this.#outlet.room();
      return encodeResponse(id, await this.#respond(payload));
    } catch (error) {
      return encodeErrorResponse(id, method, faultOf(error));
    }
  }

  async #respond(payload: RequestPayload): Promise<ResponsePayload> {
    if (isNotifyRequest(payload)) return this.#subscriptions.take(payload);
    if (LARGE.has(payload.$case)) {
      return this.#outlet.large(() => answerRequest(payload, this.#context));
    }
    if (payload.$case !== "submitBlock") return answerRequest(payload, this.#context);
    if (this.#pendingBlocks >= RPC_LIMITS.grpcPendingBlocks) {
      return { $case: "submitBlock", value: routeIsFull() };
    }
    this.#pendingBlocks += 1;
    try {
      return await answerRequest(payload, this.#context);
    } finally {
      this.#pendingBlocks -= 1;
    }
  }

  #send(bytes: Uint8Array): void {
    if (this.#closed.signal.aborted) return;
    if (this.#stream.writableLength >= RPC_LIMITS.grpcOutgoingMessages) {
      this.fail(status.RESOURCE_EXHAUSTED, TOO_SLOW);
      return;
    }
    this.#outlet.send(bytes);
  }

  #isFull(): boolean {
    const isBusy = this.#calls.pending >= RPC_LIMITS.grpcPendingCalls;
    return (
      isBusy || this.#pendingBytes >= RPC_LIMITS.grpcPendingBytes || this.#stream.writableNeedDrain
    );
  }

  #resumeIfRoom(): void {
    if (!this.#closed.signal.aborted && !this.#isFull()) this.#gate.open();
  }
}
