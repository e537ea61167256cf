/** Questions over TCP: few connections of a host, and of all of them the oldest gives way to a new one. */
import type { Socket } from "node:net";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { sourceOf, type SourceRates } from "./sourceRates.ts";

/** What questions are answered with. */
export type ConnectionParts = {
  /** The answer to a message, of `room` bytes at most; null to say nothing. */
  readonly answer: (message: Buffer, room: number) => Buffer | null;
  readonly rates: SourceRates;
};

const LENGTH_BYTES = 2;
const ANSWER_MAX = 0xffff;

/** The connections that are open. */
export class DnsConnections {
  readonly #parts: ConnectionParts;
  /** With their hosts, the oldest first. */
  readonly #open = new Map<Socket, string>();

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  /** Takes a connection in, or closes it. */
  take(socket: Socket): void {
    const host = sourceOf(socket.remoteAddress);
    const ofHost = [...this.#open.values()].filter((other) => other === host);
    if (ofHost.length >= LIMITS.dnsConnectionsPerHost) {
      socket.destroy();
      return;
    }
    // Those who only hold places must not keep others from asking.
    if (this.#open.size >= LIMITS.dnsConnections) this.#closeOldest();
    this.#open.set(socket, host);
    // However it spreads its questions: another one is waiting for the place.
    const limit = setTimeout(() => socket.destroy(), LIMITS.dnsConnectionMs);
    socket.on("close", () => {
      clearTimeout(limit);
      this.#open.delete(socket);
    });
    socket.on("error", () => socket.destroy());
    this.#serve(socket, host);
  }

  /** Closes all of them. */
  close(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #closeOldest(): void {
    const [oldest] = this.#open.keys();
    if (oldest === undefined) return;
    oldest.destroy();
    this.#open.delete(oldest);
  }

  /** Questions and answers with their lengths before them, in order. */
  #serve(socket: Socket, host: string): void {
    const { answer, rates } = this.#parts;
    let waiting = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= LENGTH_BYTES) {
        const length = waiting.readUInt16BE(0);
        if (length > LIMITS.dnsQueryBytes) return void socket.destroy();
        if (waiting.length < LENGTH_BYTES + length) return undefined;
        const question = waiting.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
        const reply = rates.takes(host) ? answer(question, ANSWER_MAX) : null;
        waiting = waiting.subarray(LENGTH_BYTES + length);
        // Whoever asks too much, says nothing sensible or does not read is not worth a connection.
        if (reply === null || socket.writableNeedDrain) return void socket.destroy();
        const head = Buffer.alloc(LENGTH_BYTES);
        head.writeUInt16BE(reply.length);
        socket.write(Buffer.concat([head, reply]));
      }
      return undefined;
    });
  }
}
