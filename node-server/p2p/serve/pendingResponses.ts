/**
 * Backpressure for served data: counts the bytes of answers that wait for room in their links, of all peers and of each host
 * (ADR 18).
 *
 * A host that does not read holds its own answers up, not those of others: whoever has nothing waiting gets an answer even
 * when all together have much.
 */
import { P2P_LIMITS } from "../p2pLimits.ts";
import { ByteBudget } from "../link/byteBudget.ts";

/** The counted bytes of one answer. */
export type PendingBytes = {
  /** So many have gone. */
  readonly give: (bytes: number) => void;
  /** The others are forgotten. */
  readonly giveAll: () => void;
};

/** The bytes that wait, in all and by host. */
export class PendingResponses {
  readonly #all = new ByteBudget(P2P_LIMITS.p2pServedHeldBytes);
  readonly #byHost = new Map<string, number>();

  /** Whether something more may be read for a host. */
  hasRoom(host: string): boolean {
    const own = this.#byHost.get(host) ?? 0;
    if (own === 0) return this.#all.used < P2P_LIMITS.p2pServedHeldMaxBytes;
    return own < P2P_LIMITS.p2pServedHostBytes && this.#all.hasRoom;
  }

  /** Waits for it. Rejects with `run/aborted`. */
  room(host: string, signal: AbortSignal): Promise<void> {
    return this.#all.when(() => this.hasRoom(host), signal);
  }

  /** Counts an answer to a host. */
  take(host: string, bytes: number): PendingBytes {
    let left = bytes;
    this.#change(host, bytes);
    const give = (gone: number): void => {
      const taken = Math.min(gone, left);
      left -= taken;
      this.#change(host, -taken);
    };
    return { give, giveAll: () => give(left) };
  }

  #change(host: string, bytes: number): void {
    const now = (this.#byHost.get(host) ?? 0) + bytes;
    if (now > 0) this.#byHost.set(host, now);
    else this.#byHost.delete(host);
    this.#all.change(bytes);
  }
}
