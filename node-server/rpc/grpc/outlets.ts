/**
 * What all gRPC clients together have been sent and have not taken. Nothing is made for a client that does not read, and few
 * large answers at a time; so what a node keeps for its clients does not grow with their number.
 */
import { LIMITS } from "@svc/shared/base/limits.ts";
import { ByteBudget } from "../../p2p/link/byteBudget.ts";
import type { Clock } from "../../platform/clock.ts";
import { FairTurns } from "../../platform/fairTurns.ts";
import { Outlet, type OutletParts, type OutletShares } from "./outlet.ts";

/** The outlets of a server. */
export class Outlets {
  readonly #budget = new ByteBudget(LIMITS.grpcTotalRoomBytes);
  readonly #turns = new FairTurns(LIMITS.grpcLargeTurns);
  readonly #open = new Set<Outlet>();
  /** Bytes of requests that are not answered. */
  #asked = 0;
  readonly #shares: OutletShares;

  constructor(clock: Clock) {
    const hasRoom = (unsent: number): boolean => {
      if (unsent < LIMITS.grpcRoomShare) return true;
      return unsent < LIMITS.grpcRoomBytes && this.#budget.hasRoom;
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
  open(parts: OutletParts): Outlet {
    const outlet = new Outlet(parts, this.#shares);
    this.#open.add(outlet);
    return outlet;
  }

  /** Together they hold so much at most. */
  #shed(): void {
    while (this.#budget.used + this.#asked > LIMITS.grpcUnsentBytes) {
      const largest = this.#largest();
      if (largest === null) return;
      largest.cut();
    }
  }

  /** Of the host that holds the most, the stream with the most. */
  #largest(): Outlet | null {
    const hosts = Map.groupBy([...this.#open], ({ source }) => source);
    const sums = [...hosts.values()].map((outlets) => ({ outlets, sum: sumOf(outlets) }));
    const [most] = sums.toSorted((a, b) => b.sum - a.sum);
    const [largest] = most?.outlets.toSorted((a, b) => b.held - a.held) ?? [];
    return largest ?? null;
  }
}

function sumOf(outlets: readonly Outlet[]): number {
  return outlets.reduce((sum, { held }) => sum + held, 0);
}
