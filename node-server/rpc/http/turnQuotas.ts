/** The quotas of the node's HTTP server, whose hosts take turns with questions to the engine. */
import type { Clock } from "../../platform/time/clock.ts";
import { HttpQuotas, tooMany, type HttpShareBounds } from "../../platform/http/httpQuotas.ts";
import { RoundRobin } from "../../platform/net/roundRobin.ts";

/** The quotas, and how hosts take turns. */
export type TurnBounds = HttpShareBounds & {
  /** Hosts whose questions are worked on at the same time. */
  readonly turns: number;
  /** Questions of a host that wait for its turn. */
  readonly waitingPerHost: number;
};

/** Counts what each host uses, and gives turns. */
export class TurnQuotas extends HttpQuotas {
  readonly #waitingPerHost: number;
  readonly #turns: RoundRobin;
  readonly #waiting = new Map<string, number>();

  constructor(clock: Pick<Clock, "steadyMs">, bounds: TurnBounds) {
    super(clock, bounds);
    this.#waitingPerHost = bounds.waitingPerHost;
    this.#turns = new RoundRobin(bounds.turns);
  }

  /**
   * Does `work` when the turn of its host comes. Throws `http/too-many-requests`, also when the host has left too much unread
   * meanwhile, `run/aborted`, and like the work.
   */
  async turn<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(host) ?? 0;
    if (waiting >= this.#waitingPerHost) throw tooMany();
    this.#waiting.set(host, waiting + 1);
    try {
      return await this.#turns.run(host, signal, () => {
        this.requireRoom(host);
        return work();
      });
    } finally {
      const left = (this.#waiting.get(host) ?? 1) - 1;
      if (left === 0) this.#waiting.delete(host);
      else this.#waiting.set(host, left);
    }
  }
}
