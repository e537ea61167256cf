/**
 * Pauses of nodes that are not reached, as one relay object saw it. A single failure is none; the next one in a row makes a short one,
 * and each further one doubles it. What a node says, true or not, makes no pause: it is about one path.
 */
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";

type Pause = { readonly failures: number; readonly untilMs: number };

/** The pauses of the nodes. */
export class NodePauses {
  readonly #pauses = new Map<string, Pause>();

  /** It was not reached. */
  failed(name: string, nowMs: number): void {
    const failures = (this.#pauses.get(name)?.failures ?? 0) + 1;
    const ms = failures === 1 ? 0 : EXPLORER_LIMITS.nodePauseMs * 2 ** (failures - 2);
    this.#pauses.set(name, {
      failures,
      untilMs: nowMs + Math.min(ms, EXPLORER_LIMITS.nodePauseMaxMs),
    });
  }

  /** It answered. */
  answered(name: string): void {
    this.#pauses.delete(name);
  }

  /** Those that may be asked now, in the order given. */
  ready(names: readonly string[], nowMs: number): readonly string[] {
    return names.filter((name) => (this.#pauses.get(name)?.untilMs ?? 0) <= nowMs);
  }
}
