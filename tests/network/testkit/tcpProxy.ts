/**
 * TCP proxy that emulates a bad network: it stands between a listener and the program that dials it, adds delay and jitter,
 * bounds the rate, and can fall silent or be cut.
 *
 * TCP repairs what a network loses, so a lost segment shows as a pause of everything behind it.
 */
import { createServer, connect, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import type { SeededRandom } from "../../testkit/seededRandom.ts";

/** Link quality in each direction. */
export type LineQuality = {
  /** Milliseconds on the way. */
  readonly delayMs: number;
  /** Up to so many milliseconds more, at random. */
  readonly jitterMs: number;
  /** Chunks in a thousand that are lost once and sent again. */
  readonly lossPerMille: number;
  /** Milliseconds until a lost chunk is sent again. */
  readonly resendMs: number;
  /** Bytes a second; `null` for as fast as the machine. */
  readonly bytesPerSecond: number | null;
  /** Bytes that are passed on at once at most; as many as came where left out. */
  readonly chunkBytes?: number;
};

/** Directions of a line: from who dials it, and back. */
type Way = "questions" | "answers";

/** The listener behind a line. */
export type LineTarget = {
  /** Of this machine. */
  readonly port: number;
  /** The address of this machine from which it comes there. */
  readonly from: string;
};

/** A line that does nothing. */
export const PERFECT_LINE: LineQuality = {
  delayMs: 0,
  jitterMs: 0,
  lossPerMille: 0,
  resendMs: 0,
  bytesPerSecond: null,
};

const LOOPBACK = "127.0.0.1";
/** Bytes on the way in one direction of one connection beyond which the sender waits. */
const MOST_ON_THE_WAY = 256 * 1024;
/** Connections at a time; more are turned away. */
const MOST_CONNECTIONS = 64;
const PER_MILLE = 1_000;

/** A line to one port. */
export class TcpProxy {
  readonly #server: Server;
  readonly #target: LineTarget;
  readonly #random: SeededRandom;
  readonly #connections = new Set<Connection>();
  #quality: LineQuality;
  #isOpen = true;
  readonly #silent = new Set<Way>();
  #passed = 0;
  #port = 0;

  private constructor(target: LineTarget, quality: LineQuality, random: SeededRandom) {
    this.#target = target;
    this.#quality = quality;
    this.#random = random;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#take(socket));
  }

  /** Starts a line. */
  static async start(
    target: LineTarget,
    quality: LineQuality,
    random: SeededRandom,
  ): Promise<TcpProxy> {
    const proxy = new TcpProxy(target, quality, random);
    proxy.#port = await listenLocally(proxy.#server);
    return proxy;
  }

  /** Where it is dialled. */
  get port(): number {
    return this.#port;
  }

  /** Bytes that went through, both directions together. */
  get passed(): number {
    return this.#passed;
  }

  /** From now on it is of another quality. */
  set quality(quality: LineQuality) {
    this.#quality = quality;
  }

  /** Bytes that are held back or on the way. */
  get held(): number {
    return [...this.#connections].reduce((sum, { held }) => sum + held, 0);
  }

  /** Keeps connections open and passes nothing on, in both directions or in one. */
  fallSilent(ways: readonly Way[] = ["questions", "answers"]): void {
    for (const way of ways) this.#silent.add(way);
  }

  /** Ends all connections and lets none be made. */
  cut(): void {
    this.#isOpen = false;
    for (const connection of this.#connections) connection.destroy();
  }

  /** Works again; what was held back goes on. */
  heal(): void {
    this.#isOpen = true;
    this.#silent.clear();
    for (const connection of this.#connections) connection.wake();
  }

  /** Ends everything. */
  async stop(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #take(near: Socket): void {
    if (!this.#isOpen || this.#connections.size >= MOST_CONNECTIONS) {
      near.destroy();
      return;
    }
    const { port, from } = this.#target;
    const far = connect({ port, host: LOOPBACK, localAddress: from, allowHalfOpen: true });
    const rules: LineRules = {
      quality: () => this.#quality,
      isFlowing: (way) => !this.#silent.has(way),
      random: this.#random,
      onPassed: (bytes) => {
        this.#passed += bytes;
      },
    };
    const connection = new Connection(near, far, rules);
    this.#connections.add(connection);
    void connection.ended.then(() => this.#connections.delete(connection));
  }
}

type LineRules = {
  readonly quality: () => LineQuality;
  readonly isFlowing: (way: Way) => boolean;
  readonly random: SeededRandom;
  readonly onPassed: (bytes: number) => void;
};

/** Both directions of one connection. */
class Connection {
  readonly #sockets: readonly Socket[];
  readonly #directions: readonly Direction[];
  readonly ended: Promise<void>;

  constructor(near: Socket, far: Socket, rules: LineRules) {
    this.#sockets = [near, far];
    this.#directions = [
      new Direction(near, far, { way: "questions", ...rules }),
      new Direction(far, near, { way: "answers", ...rules }),
    ];
    const gone = Promise.withResolvers<void>();
    this.ended = gone.promise;
    for (const socket of this.#sockets) {
      socket.setNoDelay(true);
      socket.on("error", () => this.destroy());
      socket.once("close", () => {
        this.destroy();
        gone.resolve();
      });
    }
  }

  get held(): number {
    return this.#directions.reduce((sum, { held }) => sum + held, 0);
  }

  wake(): void {
    for (const direction of this.#directions) direction.pump();
  }

  destroy(): void {
    for (const direction of this.#directions) direction.stop();
    for (const socket of this.#sockets) socket.destroy();
  }
}

type Chunk = { readonly bytes: Uint8Array; readonly dueMs: number };

/** One direction: chunks wait until they are due, in their order. */
class Direction {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #rules: LineRules & { readonly way: Way };
  readonly #waiting: Chunk[] = [];
  #onTheWay = 0;
  /** When the last chunk has left the narrow part of the line. */
  #freeMs = 0;
  #lastDueMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(from: Socket, to: Socket, rules: LineRules & { readonly way: Way }) {
    this.#from = from;
    this.#to = to;
    this.#rules = rules;
    from.on("data", (bytes: Uint8Array) => this.#arrived(bytes));
    from.on("end", () => {
      this.#hasEnded = true;
      this.pump();
    });
    to.on("drain", () => this.pump());
  }

  get held(): number {
    return this.#onTheWay;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#onTheWay = 0;
    this.#waiting.length = 0;
  }

  /** Passes on what is due. */
  pump(): void {
    clearTimeout(this.#timer);
    if (!this.#rules.isFlowing(this.#rules.way)) return;
    const nowMs = performance.now();
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (next.dueMs > nowMs) {
        this.#timer = setTimeout(() => this.pump(), next.dueMs - nowMs);
        return;
      }
      if (this.#to.writableNeedDrain || this.#to.destroyed) return;
      this.#waiting.shift();
      this.#onTheWay -= next.bytes.length;
      this.#rules.onPassed(next.bytes.length);
      this.#to.write(next.bytes);
    }
    if (this.#hasEnded) this.#to.end();
    else this.#from.resume();
  }

  #arrived(bytes: Uint8Array): void {
    const { chunkBytes: most = bytes.length } = this.#rules.quality();
    for (let at = 0; at < bytes.length; at += most) {
      const chunk = bytes.subarray(at, at + most);
      this.#waiting.push({ bytes: chunk, dueMs: this.#dueMs(chunk.length) });
    }
    this.#onTheWay += bytes.length;
    if (this.#onTheWay >= MOST_ON_THE_WAY) this.#from.pause();
    this.pump();
  }

  #dueMs(length: number): number {
    const { delayMs, jitterMs, lossPerMille, resendMs, bytesPerSecond } = this.#rules.quality();
    const { random } = this.#rules;
    const nowMs = performance.now();
    const sendMs = bytesPerSecond === null ? 0 : (1_000 * length) / bytesPerSecond;
    this.#freeMs = Math.max(this.#freeMs, nowMs) + sendMs;
    const lateMs = jitterMs > 0 ? random.below(jitterMs + 1) : 0;
    const lostMs = random.below(PER_MILLE) < lossPerMille ? resendMs : 0;
    // Nothing overtakes what was sent before it.
    this.#lastDueMs = Math.max(this.#lastDueMs, this.#freeMs + delayMs + lateMs + lostMs);
    return this.#lastDueMs;
  }
}
