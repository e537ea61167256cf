/** DNS over TCP, with connection limits: few connections of a host, and of all of them the oldest gives way to a new one. */
import type { Socket } from "node:net";
import { SEEDER_LIMITS } from "./seederLimits.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { sourceOf } from "../platform/net/netAddress.ts";
import { guarded, logFault } from "../platform/net/guarded.ts";
import type { Log } from "../platform/log/log.ts";
import type { HostRateLimiter } from "../platform/time/hostRateLimiter.ts";

/** Dependencies of the TCP side. */
export type ConnectionParts = {
  /** The answer to a message, of `room` bytes at most; null to say nothing. */
  readonly answer: (message: Buffer, room: number) => Buffer | null;
  readonly rates: HostRateLimiter;
  readonly log: Log;
};

const LENGTH_BYTES = 2;
const ANSWER_MAX = 0xffff;

/** The open TCP connections. */
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
    if (ofHost.length >= SEEDER_LIMITS.dnsConnectionsPerHost) {
      socket.destroy();
      return;
    }
    // Those who only hold places must not keep others from asking.
    if (this.#open.size >= SEEDER_LIMITS.dnsConnections) this.#closeOldest();
    this.#open.set(socket, host);
    // However it spreads its questions: another one is waiting for the place.
    const limit = setTimeout(() => socket.destroy(), SEEDER_LIMITS.dnsConnectionMs);
    const gone = (): void => {
      clearTimeout(limit);
      this.#open.delete(socket);
    };
    const cut = (): void => void socket.destroy();
    socket.on("close", guarded(gone, cut));
    socket.on("error", guarded(cut, cut));
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
    const { answer, rates, log } = this.#parts;
    let waiting = Buffer.alloc(0);
    const take = (chunk: Buffer): void => {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= LENGTH_BYTES) {
        const length = waiting.readUInt16BE(0);
        if (length > SEEDER_LIMITS.dnsQueryBytes) return void socket.destroy();
        if (waiting.length < LENGTH_BYTES + length) return;
        const question = waiting.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
        const reply = rates.takes(host) ? answer(question, ANSWER_MAX) : null;
        waiting = waiting.subarray(LENGTH_BYTES + length);
        // Whoever asks too much, says nothing sensible or does not read is not worth a connection.
        if (reply === null || socket.writableNeedDrain) return void socket.destroy();
        const head = Buffer.alloc(LENGTH_BYTES);
        head.writeUInt16BE(reply.length);
        socket.write(Buffer.concat([head, reply]));
      }
    };
    const onFault = (fault: SvcError): void => {
      socket.destroy();
      logFault(log, fault);
    };
    socket.on("data", guarded(take, onFault));
  }
}
