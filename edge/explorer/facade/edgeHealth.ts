/** Whether the explorer is well: how long ago a node that follows the chain was seen. */
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import { lagOf, usableNodes, type NodeViews } from "../origin/nodeStandings.ts";

/** What is told of it. Nodes are named as the operator names them, never by their addresses. */
export type HealthReport = {
  readonly isHealthy: boolean;
  /** Empty when it is healthy. */
  readonly reason: string;
  /** Seconds since a node that is well was seen; null for never. */
  readonly lagS: number | null;
  readonly nodes: readonly {
    readonly name: string;
    readonly isUsed: boolean;
    readonly isHealthy: boolean;
    readonly daaScore: number | null;
  }[];
};

/** Dependencies. */
export type EdgeHealthParts = {
  /** What the object that looks at the nodes knows. */
  readonly views: () => Promise<NodeViews>;
  /** Unix ms. */
  readonly now: () => number;
};

const MS = 1_000;

/** The health of the explorer. */
export class EdgeHealth {
  readonly #parts: EdgeHealthParts;
  #held: { readonly atMs: number; readonly report: HealthReport } | null = null;

  constructor(parts: EdgeHealthParts) {
    this.#parts = parts;
  }

  /** Tells it. However many ask, the object that knows is asked once a second. Never rejects. */
  async report(): Promise<HealthReport> {
    const atMs = this.#parts.now();
    const held = this.#held;
    if (held !== null && atMs - held.atMs < EXPLORER_LIMITS.healthHeldMs) return held.report;
    const report = await this.#look();
    this.#held = { atMs, report };
    return report;
  }

  async #look(): Promise<HealthReport> {
    const { views, now } = this.#parts;
    const known = await views().catch((): NodeViews => []);
    const lag = lagOf(known, now());
    const isHealthy = lag !== null && lag <= EXPLORER_LIMITS.healthLagMs;
    const used = new Set(usableNodes(known, now()));
    return {
      isHealthy,
      reason: isHealthy ? "" : "no node that follows the chain was seen lately",
      lagS: lag === null ? null : Math.floor(lag / MS),
      nodes: known.map(({ name, isHealthy: isWell, score }) => ({
        ...{ name, isUsed: used.has(name), isHealthy: isWell, daaScore: score },
      })),
    };
  }
}
