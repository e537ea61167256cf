/**
 * Backpressure of all gRPC clients together: counts what they have been sent and have not read. Nothing is made for a client
 * that does not read, and few large answers at a time; so what a node keeps for its clients does not grow with their number.
 */
import { RPC_LIMITS } from "../rpcLimits.ts";
import { ByteBudget } from "../../p2p/link/byteBudget.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { RoundRobin } from "../../platform/net/roundRobin.ts";
import { SendBuffer, type SendBufferParts, type SharedSendBudget } from "./sendBuffer.ts";

/** The send sides of all streams of a server. */
export class SendBuffers {
  readonly #budget = new ByteBudget(RPC_LIMITS.grpcTotalRoomBytes);
  readonly #turns = new RoundRobin(RPC_LIMITS.grpcLargeTurns);
  readonly #open = new Set<SendBuffer>();
  /** Bytes of requests that are not answered. */
  #asked = 0;
  readonly #shares: SharedSendBudget;

  constructor(clock: Clock) {
    const hasRoom = (unsent: number): boolean => {
      if (unsent < RPC_LIMITS.grpcRoomShare) return true;
      return unsent < RPC_LIMITS.grpcRoomBytes && this.#budget.hasRoom;
    };
    this.#shares = {
      clock,
      changed: (bytes) => {
        this.#budget.change(bytes);
        if (bytes > 0) this.#shed();
      },
      askedChanged: (bytes) => {
        this.#asked += bytes;
        if (bytes > 0) this.#shed();
      },
      room: (unsent, signal) => this.#budget.when(() => hasRoom(unsent()), signal),
      hasRoom,
      turn: (source, signal, work) => this.#turns.run(source, signal, work),
      onClosed: (outlet) => this.#open.delete(outlet),
    };
  }

  /** Streams that are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Bytes of requests that are not answered. */
  get asked(): number {
    return this.#asked;
  }

  /** Bytes that are unread. */
  get unsent(): number {
    return this.#budget.used;
  }

  /** Makes the outlet of a stream; it counts until it is closed. */
  open(parts: SendBufferParts): SendBuffer {
    const outlet = new SendBuffer(parts, this.#shares);
    this.#open.add(outlet);
    return outlet;
  }

  /** Together they hold so much at most. */
  #shed(): void {
    while (this.#budget.used + this.#asked > RPC_LIMITS.grpcUnsentBytes) {
      const largest = this.#largest();
      if (largest === null) return;
      largest.cut();
    }
  }

  /** Of the host that holds the most, the stream with the most. */
  #largest(): SendBuffer | null {
    const hosts = Map.groupBy([...this.#open], ({ source }) => source);
    const sums = [...hosts.values()].map((outlets) => ({ outlets, sum: sumOf(outlets) }));
    const [most] = sums.toSorted((a, b) => b.sum - a.sum);
    const [largest] = most?.outlets.toSorted((a, b) => b.held - a.held) ?? [];
    return largest ?? null;
  }
}

function sumOf(outlets: readonly SendBuffer[]): number {
  return outlets.reduce((sum, { held }) => sum + held, 0);
}
