/** Announces upcoming rule changes (forks) to the operator in the log. */
import type { DaaScore } from "@svc/shared/base/brand.ts";
import type { NetworkProfile } from "@svc/shared/chain/profile.ts";
import { ruleChangesAhead } from "@svc/shared/chain/ruleChanges.ts";
import type { EngineHost } from "../../engine/host/engineHost.ts";
import type { Log } from "../../platform/log/log.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** Dependencies of the announcements. */
export type RuleChangeMonitorParts = {
  readonly engine: Pick<EngineHost, "ask" | "onEvent">;
  readonly profile: Pick<NetworkProfile, "activations">;
  readonly log: Log;
};

/**
 * Logs when it starts, whenever the distance to a change has halved, and when the rules have changed: some twenty lines for
 * each change, whatever the speed of the blocks.
 */
export class RuleChangeMonitor {
  readonly #parts: RuleChangeMonitorParts;
  /** Blocks that were left when a change was last spoken of, by its height. */
  readonly #said = new Map<
    DaaScore,
    { readonly names: readonly string[]; readonly left: bigint }
  >();
  #unsubscribe: () => void = () => {};

  constructor(parts: RuleChangeMonitorParts) {
    this.#parts = parts;
  }

  /** Says what is near now and follows the chain. Errors: the engine's. */
  async start(): Promise<void> {
    const { engine } = this.#parts;
    this.#unsubscribe = engine.onEvent((event) => {
      if (event.type === "virtualChanged") this.#look(event.daaScore);
    });
    this.#look((await askFacts(engine, "tip", [])).daaScore);
  }

  /** Ends following. */
  stop(): void {
    this.#unsubscribe();
  }

  #look(daaScore: DaaScore): void {
    const { profile, log } = this.#parts;
    for (const [height, { names }] of this.#said) {
      if (height > daaScore) continue;
      this.#said.delete(height);
      log.info({ names, daaScore: height }, "the rules of the chain have changed");
    }
    for (const { names, daaScore: height, blocksLeft } of ruleChangesAhead(profile, daaScore)) {
      const said = this.#said.get(height);
      if (said !== undefined && blocksLeft * 2n > said.left) continue;
      this.#said.set(height, { names, left: blocksLeft });
      log.info({ names, daaScore: height, blocksLeft }, "the rules of the chain will change");
    }
  }
}
