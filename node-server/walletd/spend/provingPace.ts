/** Proving pace: how long this machine takes to prove one action, by the proofs it has made. */
import { actionCount } from "@svc/shared/wallet/state/fee.ts";
import type { ProvePlan } from "@svc/shared/wallet/state/provePlan.ts";

/** Weight of the newest proof: some ten proofs back nothing is left of one. */
const NEWEST = 0.3;

/** Milliseconds for each action, a mean that follows the newest proofs. */
export class ProvingPace {
  #ms: number | null = null;

  /** Seconds for each action; null before the first proof. */
  get secondsPerAction(): number | null {
    return this.#ms === null ? null : this.#ms / 1_000;
  }

  /** Counts a proof. */
  add(plan: ProvePlan, ms: bigint): void {
    // Most payments have change beside what they pay.
    const each = Number(ms) / actionCount(plan.spends.length, plan.outputs.length + 1);
    this.#ms = this.#ms === null ? each : this.#ms * (1 - NEWEST) + each * NEWEST;
  }

  /** Seconds that so many actions take, rounded up; null before the first proof. */
  secondsFor(actions: number): number | null {
    const each = this.secondsPerAction;
    return each === null ? null : Math.ceil(actions * each);
  }
}
