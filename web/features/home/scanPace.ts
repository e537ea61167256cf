/** Estimated time left of a scan: the blocks left, at the net rate of the last seconds. New blocks of the chain count against it. */
import { PAGE_LIMITS } from "../../pageLimits.ts";

type Look = { readonly behind: bigint; readonly ms: number };

/** From so many seconds on they are rounded up to whole steps of so many: nobody knows more. */
const STEPS = [
  { from: 600, step: 60 },
  { from: 60, step: 30 },
  { from: 0, step: 5 },
] as const;

/** The pace of one scan. */
export class ScanPace {
  #looks: Look[] = [];

  /**
   * Takes a look: `behind` blocks are left at `ms` of a clock that runs steadily. Gives the seconds left, rounded up; null while they
   * cannot be told, and when the scan comes no further than the chain grows.
   */
  secondsLeft(behind: bigint, ms: number): number | null {
    const since = ms - PAGE_LIMITS.scanPaceMs;
    const last = this.#looks.at(-1);
    // After a pause the old pace says nothing.
    if (last !== undefined && last.ms < since) this.#looks = [];
    this.#looks = this.#looks.filter((look) => look.ms >= since);
    if (last === undefined || last.behind !== behind || this.#looks.length === 0) {
      this.#looks.push({ behind, ms });
      if (this.#looks.length > PAGE_LIMITS.scanPaceLooks) this.#looks.splice(1, 1);
    }
    const [first] = this.#looks;
    if (first === undefined || ms - first.ms < PAGE_LIMITS.scanPaceLeastMs) return null;
    const done = Number(first.behind - behind);
    if (done <= 0) return null;
    return rounded((Number(behind) * (ms - first.ms)) / done / 1_000);
  }
}

function rounded(seconds: number): number {
  const step = STEPS.find(({ from }) => seconds >= from)?.step ?? 5;
  return Math.max(step, Math.ceil(seconds / step) * step);
}
