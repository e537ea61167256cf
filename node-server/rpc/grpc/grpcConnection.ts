/**
 * One open stream: requests in, replies and notifications out.
 *
 * Calls of one type run one after the other, block submissions side by side; replies of a type keep the
 * order of its requests. While too much is unanswered or the client does not read, nothing more is read
 * from it; a client that lets notifications pile up is cut off, and so is one that follows the chain by notifications
 * when the chain may be another one. What a client that was cut off leaves unread is kept for a short time.
 */
import { Metadata, status, type ServerDuplexStream } from "@grpc/grpc-js";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  encodeErrorResponse,
  encodeResponse,
  readRequest,
  type RequestEnvelope,
  type RequestPayload,
  type ResponsePayload,
} from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { sourceOfPeer } from "../../p2p/addresses/netAddress.ts";
import type { Clock } from "../../platform/clock.ts";
import { guarded, logFault } from "../../platform/guarded.ts";
import type { Log } from "../../platform/log.ts";
import { resetStream } from "../../platform/resetStream.ts";
import { routeIsFull } from "../service/miningHandlers.ts";
import type { NodeNews } from "../service/nodeApi.ts";
import type { HandlerContext } from "../service/rpcMethods.ts";
import { answerRequest, faultText } from "../service/rpcService.ts";
import { CallLanes } from "./callLanes.ts";
import { isNotifyRequest, Subscriptions } from "./subscriptions.ts";

/** A stream of raw messages. */
export type RawStream = ServerDuplexStream<Uint8Array, Uint8Array>;

/** What a connection works with. */
export type ConnectionParts = Pick<HandlerContext, "node" | "clients"> & {
  readonly log: Log;
  readonly clock: Clock;
};

/** Notifications share a lane: they keep the order of the news. */
const NEWS_LANE = 0;

/** A client. */
export class GrpcConnection {
  /** The host of the client, which its shares are counted by: a client with many connections is one client. */
  readonly source: string;
  readonly #stream: RawStream;
  readonly #context: HandlerContext;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #closed = new AbortController();
  /** The stream holds nothing any more. */
  readonly #released = new AbortController();
  readonly #calls = new CallLanes(() => this.#resumeIfRoom());
  readonly #news = new CallLanes();
  readonly #subscriptions: Subscriptions;
  #pendingBlocks = 0;

  constructor({ log, clock, ...served }: ConnectionParts, stream: RawStream) {
    this.#stream = stream;
    this.#log = log;
    this.#clock = clock;
    this.source = sourceOfPeer(stream.getPeer());
    this.#context = { ...served, source: this.source, signal: this.#closed.signal };
    this.#subscriptions = new Subscriptions(this.#context);
  }

  /** Serves the client until either side ends; `onReleased` is called once, when the stream holds nothing any more. */
  start(onReleased: () => void): void {
    const stream = this.#stream;
    // Some clients wait for the headers before they send anything.
    stream.sendMetadata(new Metadata());
    const release = (): void => {
      this.#closed.abort();
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
  tell(news: NodeNews): void {
    if (this.#closed.signal.aborted || !this.#subscriptions.wants(news)) return;
    if (news.type === "engineRestarted" && this.#subscriptions.followsFacts) {
      this.fail(status.UNAVAILABLE, faultText(new SvcError("engine/restarted", {})));
      return;
    }
    if (this.#news.pending >= LIMITS.grpcOutgoingMessages) {
      this.fail(status.RESOURCE_EXHAUSTED, "the client reads too slowly");
      return;
    }
    this.#news.enqueue(NEWS_LANE, async () => {
      try {
        for (const payload of await this.#subscriptions.notifications(news)) {
          this.#send(encodeResponse(0n, payload));
        }
      } catch (error) {
        if (!this.#closed.signal.aborted) this.fail(status.INTERNAL, faultText(error));
      }
    });
  }

  /** Ends the stream with a status. */
  fail(code: status, details: string): void {
    if (this.#closed.signal.aborted) return;
    this.#stream.emit("error", { code, details });
  }

  /** A client that does not read would keep its stream, and what it was sent, for as long as it likes. */
  async #resetUnread(): Promise<void> {
    try {
      await this.#clock.sleep(LIMITS.grpcFarewellMs, this.#released.signal);
    } catch {
      return;
    }
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
    this.#serve(envelope.method, envelope);
    if (this.#isFull()) this.#stream.pause();
  }

  #serve(method: number, { id, payload }: RequestEnvelope): void {
    const answer = (): Promise<Uint8Array> => this.#answer(payload, method, id);
    // Begun at once; the lane only keeps the order of the replies.
    const begun = payload?.$case === "submitBlock" ? answer() : undefined;
    this.#calls.enqueue(method, async () => this.#send(await (begun ?? answer())));
  }

  /** The bytes of the reply; faults are part of it, so this never rejects. */
  async #answer(
    payload: RequestPayload | undefined,
    method: number,
    id: bigint | undefined,
  ): Promise<Uint8Array> {
    try {
      if (payload === undefined) return encodeErrorResponse(id, method, "Not implemented");
      return encodeResponse(id, await this.#respond(payload));
    } catch (error) {
      return encodeErrorResponse(id, method, faultText(error));
    }
  }

  async #respond(payload: RequestPayload): Promise<ResponsePayload> {
    if (isNotifyRequest(payload)) return this.#subscriptions.take(payload);
    if (payload.$case !== "submitBlock") return answerRequest(payload, this.#context);
    if (this.#pendingBlocks >= LIMITS.grpcPendingBlocks) {
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
    if (this.#stream.writableLength >= LIMITS.grpcOutgoingMessages) {
      this.fail(status.RESOURCE_EXHAUSTED, "the client reads too slowly");
      return;
    }
    this.#stream.write(bytes);
  }

  #isFull(): boolean {
    return this.#calls.pending >= LIMITS.grpcPendingCalls || this.#stream.writableNeedDrain;
  }

  #resumeIfRoom(): void {
    if (!this.#closed.signal.aborted && !this.#isFull()) this.#stream.resume();
  }
}
