/** The WebSocket server of live connections: takes the upgrade of `/v1/live` and feeds every session. */
import { STATUS_CODES, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type RawData, type WebSocket } from "ws";
import { infoOf, publicSentenceOf } from "@svc/shared/base/errors.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { FairConnectionLimit, type PlaceBounds } from "../../platform/net/fairConnectionLimit.ts";
import { guarded, logFault } from "../../platform/net/guarded.ts";
import type { Log } from "../../platform/log/log.ts";
import type { NodeApi, PoolEvent } from "../service/nodeApi.ts";
import type { AccessCheck } from "../../platform/http/accessCheck.ts";
import { errorParts } from "../../platform/http/errorAnswer.ts";
import type { HttpQuotas } from "../../platform/http/httpQuotas.ts";
import { LiveRenderings, poolFrame } from "./liveRenderings.ts";
import { LiveSession, type LiveSocket } from "./liveSession.ts";

/** Path of the live connection. */
export const LIVE_PATH = "/v1/live";
/** In the query of an upgrade: its sender fetches blocks as pages. */
const WITHOUT_BLOCKS = "blocks=0";
/** Close codes of RFC 6455: policy violation, try again later. */
const CLOSE_POLICY = 1008;
const CLOSE_FULL = 1013;
/** Characters of a foreign path in an error. */
const SHOWN = 80;

/** The HTTP server that upgrades come from. */
export interface UpgradeSource {
  on(
    event: "upgrade",
    listener: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
  ): unknown;
}

/** Dependencies of live connections. */
export type LiveParts = {
  readonly node: NodeApi;
  readonly gate: Pick<AccessCheck, "judge">;
  /** Where what hosts have not taken is counted. */
  readonly shares: Pick<HttpQuotas, "counts" | "hasRoom" | "shed">;
  readonly log: Log;
  /** How many there may be, in all and of one host. */
  readonly places: PlaceBounds;
};

/** All live connections of a node. */
export class LiveServer {
  readonly #parts: LiveParts;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: RPC_LIMITS.liveClientFrameBytes,
  });
  readonly #places: FairConnectionLimit<WebSocket>;
  readonly #sessions = new Map<LiveSession, WebSocket>();
  readonly #stop = new AbortController();
  readonly #frames: LiveRenderings;
  #unsubscribe: () => void = () => {};

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.#places = new FairConnectionLimit(parts.places);
    this.#frames = new LiveRenderings(parts.node, this.#stop.signal);
  }

  /** Takes upgrades from a server until stopped. */
  start(source: UpgradeSource, clock: Clock): void {
    this.#unsubscribe = this.#parts.node.onEvent((event) => {
      if (event.type === "blockAdded" || event.type === "finalityViolation") return;
      if (event.type === "poolAdded" || event.type === "poolRemoved") this.#showPool(event);
      else this.#tellChain();
      this.#parts.shares.shed();
    });
    const onFault = (fault: SvcError, _: IncomingMessage, socket: Duplex): void => {
      socket.destroy();
      logFault(this.#parts.log, fault);
    };
    const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
      this.#upgrade(request, socket, head);
    source.on("upgrade", guarded(upgrade, onFault));
    void this.#pingForever(clock);
  }

  /** Closes every connection. Calling it again does nothing. */
  stop(): void {
    this.#stop.abort();
    this.#unsubscribe();
    for (const client of this.#sockets.clients) client.terminate();
    this.#sockets.close();
  }

  #tellChain(): void {
    this.#frames.chainMoved();
    this.#each((session) => session.chainMoved());
  }

  /** Makes a frame only when there is somebody to be shown it. */
  #showPool(event: PoolEvent): void {
    if (![...this.#sessions.keys()].some((session) => session.wantsPool)) return;
    const frame = poolFrame(event);
    this.#each((session) => session.poolChanged(frame));
  }

  /** Foreign text is compared, and never read as an address: readers of addresses throw. */
  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Nobody else listens to this socket any more.
    const cut = (): void => void socket.destroy();
    socket.on("error", guarded(cut, cut));
    if (this.#stop.signal.aborted) return cut();
    let host: string;
    try {
      host = this.#hostOf(request);
    } catch (thrown) {
      const error = SvcError.from(thrown);
      if (infoOf(error).log === "error") logFault(this.#parts.log, error);
      refuse(socket, error);
      return;
    }
    const wantsBlocks = !queryOf(request).split("&").includes(WITHOUT_BLOCKS);
    this.#sockets.handleUpgrade(request, socket, head, (live) =>
      this.#accept(live, host, wantsBlocks),
    );
  }

  #hostOf(request: IncomingMessage): string {
    const { host } = this.#parts.gate.judge(request);
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (path === LIVE_PATH) return host;
    throw new SvcError("http/not-found", { path: path.slice(0, SHOWN) });
  }

  #accept(live: WebSocket, host: string, wantsBlocks: boolean): void {
    // Before anything else: a frame that is none may have come with the request, also of a client that is refused.
    const cut = (): void => live.terminate();
    live.on("error", guarded(cut, cut));
    const place = this.#places.enter(host, live);
    if (!place.entered) {
      closeFull(live);
      return;
    }
    if (place.evicted !== null) closeFull(place.evicted);
    const closed = new AbortController();
    const { shares } = this.#parts;
    const socket = this.#socketOf(live, host);
    const frames = this.#frames;
    const session = new LiveSession({ frames, socket, signal: closed.signal, wantsBlocks });
    shares.counts(host, answerOf(live));
    this.#sessions.set(session, live);
    const onFault = (fault: SvcError): void => {
      live.terminate();
      logFault(this.#parts.log, fault);
    };
    const receive = (data: RawData): void => {
      try {
        session.receive(bytesOf(data));
      } catch (error) {
        closeWith(live, SvcError.from(error));
      }
    };
    const gone = (): void => {
      closed.abort();
      this.#sessions.delete(session);
      this.#places.leave(host, live);
    };
    live.on("message", guarded(receive, onFault));
    live.on("close", guarded(gone, onFault));
  }

  #socketOf(live: WebSocket, host: string): LiveSocket {
    return {
      send: (frame) => live.send(frame),
      buffered: () => live.bufferedAmount,
      hostHasRoom: () => this.#parts.shares.hasRoom(host),
      close: (reason) => closeWith(live, reason),
    };
  }

  /** What goes wrong with one session is nothing to the others. */
  #each(work: (session: LiveSession) => void): void {
    for (const [session, live] of this.#sessions) {
      try {
        work(session);
      } catch (error) {
        live.terminate();
        logFault(this.#parts.log, SvcError.from(error));
      }
    }
  }

  async #pingForever(clock: Clock): Promise<void> {
    const { signal } = this.#stop;
    try {
      for (;;) {
        await clock.sleep(RPC_LIMITS.livePingMs, signal);
        this.#each((session) => session.ping());
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

/** What stands behind the path; "" for nothing. */
function queryOf({ url = "" }: IncomingMessage): string {
  const [, query = ""] = url.split("?", 2);
  return query;
}

/** Answers an upgrade with an error, and closes the connection when that is written. */
function refuse(socket: Duplex, error: SvcError): void {
  const { status, headers, body } = errorParts(error);
  const lines = Object.entries({
    ...headers,
    Connection: "close",
    "Content-Length": String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}`, ...lines];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

/** A live connection as an answer that never ends. */
function answerOf(live: WebSocket): Parameters<HttpQuotas["counts"]>[1] {
  return {
    get writableLength() {
      return live.bufferedAmount;
    },
    destroy: () => live.terminate(),
    once: (event, listener) => live.once(event, guarded(listener, listener)),
  };
}

function closeFull(live: WebSocket): void {
  const error = new SvcError("http/too-many-connections", { max: RPC_LIMITS.liveConnections });
  live.close(CLOSE_FULL, publicSentenceOf(error));
}

function closeWith(live: WebSocket, reason: SvcError): void {
  live.close(CLOSE_POLICY, reason.code);
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return new Uint8Array(Buffer.concat(data));
  return new Uint8Array(data);
}
