/** Live connections over WebSocket: takes the upgrade of `/v1/live` and feeds every session. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type RawData, type WebSocket } from "ws";
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/clock.ts";
import type { NodeApi } from "../service/nodeApi.ts";
import { LiveSession, type LiveSocket } from "./liveSession.ts";

/** Path of the live connection. */
export const LIVE_PATH = "/v1/live";
/** Close codes of RFC 6455: policy violation, try again later. */
const CLOSE_POLICY = 1008;
const CLOSE_FULL = 1013;

/** Where an upgrade comes from. */
export interface UpgradeSource {
  on(
    event: "upgrade",
    listener: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
  ): unknown;
}

/** All live connections of a node. */
export class LiveServer {
  readonly #node: NodeApi;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.liveClientFrameBytes,
  });
  readonly #sessions = new Set<LiveSession>();
  readonly #stop = new AbortController();
  #unsubscribe: () => void = () => {};

  constructor(node: NodeApi) {
    this.#node = node;
  }

  /** Takes upgrades from a server until stopped. */
  start(source: UpgradeSource, clock: Clock): void {
    this.#unsubscribe = this.#node.onEvent((event) => {
      if (event.type === "blockAdded" || event.type === "finalityViolation") return;
      for (const session of this.#sessions) {
        if (event.type === "poolAdded" || event.type === "poolRemoved") session.poolChanged(event);
        else session.chainMoved();
      }
    });
    source.on("upgrade", (request, socket, head) => {
      if (this.#stop.signal.aborted || pathOf(request) !== LIVE_PATH) {
        socket.destroy();
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (live) => this.#accept(live));
    });
    void this.#pingForever(clock);
  }

  /** Closes every connection. Calling it again does nothing. */
  stop(): void {
    this.#stop.abort();
    this.#unsubscribe();
    for (const client of this.#sockets.clients) client.terminate();
    this.#sockets.close();
  }

  #accept(live: WebSocket): void {
    if (this.#sessions.size >= LIMITS.liveConnections) {
      live.close(
        CLOSE_FULL,
        sentenceOf(new SvcError("http/too-many-connections", { max: LIMITS.liveConnections })),
      );
      return;
    }
    const closed = new AbortController();
    const session = new LiveSession(this.#node, socketOf(live), closed.signal);
    this.#sessions.add(session);
    live.on("message", (data: RawData) => {
      try {
        session.receive(bytesOf(data));
      } catch (error) {
        closeWith(live, SvcError.from(error));
      }
    });
    live.on("error", () => live.terminate());
    live.on("close", () => {
      closed.abort();
      this.#sessions.delete(session);
    });
  }

  async #pingForever(clock: Clock): Promise<void> {
    const { signal } = this.#stop;
    try {
      for (;;) {
        await clock.sleep(LIMITS.livePingMs, signal);
        for (const session of this.#sessions) session.ping();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

function pathOf(request: IncomingMessage): string {
  return new URL(request.url ?? "/", "http://node").pathname;
}

function socketOf(live: WebSocket): LiveSocket {
  return {
    send: (frame) => live.send(frame),
    buffered: () => live.bufferedAmount,
    close: (reason) => closeWith(live, reason),
  };
}

function closeWith(live: WebSocket, reason: SvcError): void {
  live.close(CLOSE_POLICY, reason.code);
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return new Uint8Array(Buffer.concat(data));
  return new Uint8Array(data);
}
