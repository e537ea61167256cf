/**
 * Consistency check of pruning: whether a store is pruned, and whether what it says of its pruning fits the blocks that are
 * there.
 */
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { consensusTable } from "../../storage/layout.ts";
import type { CheckedStores } from "./checkPage.ts";
import { difference, readingAt, recordDifference, storedRecord } from "./storeDifference.ts";
import { indexPlace, metaPlace } from "./storedFacts.ts";
import {
  PHASE_DONE,
  readPlan,
  readPruning,
  type PlanRecord,
  type PruningRecord,
} from "./storedRecords.ts";

const BY_INDEX = consensusTable("chain_by_index");
const BODIES = consensusTable("bodies");
const PRUNING_POINTS = consensusTable("pruning_points");
const PRUNING = metaPlace("pruning");
const PLAN = metaPlace("pruningPlan");
/** Of a plan: from here on blocks are being deleted. */
const PHASE_TREE = 4;

/**
 * The pruning point below which blocks are deleted, or are just being deleted; null where everything is there. Errors:
 * `verify/difference` where the record is damaged or blocks are there that it says are gone.
 */
export function prunedAt(stores: CheckedStores): string | null {
  return new PruningClaim(stores).point();
}

class PruningClaim {
  readonly #stores: CheckedStores;

  constructor(stores: CheckedStores) {
    this.#stores = stores;
  }

  point(): string | null {
    const bytes = storedRecord(this.#stores.stored, PRUNING.table, PRUNING.key);
    if (bytes === undefined) throw recordDifference(PRUNING, bytes, undefined);
    const record = readingAt(PRUNING, () => readPruning(bytes));
    const plan = this.#plan(record);
    const genesis = callCore(() => this.#stores.computed.chainHashAt(0n));
    if (record.swept === genesis) {
      if (record.isStateMissing) throw wrong("a store that was imported was swept");
      if (plan?.phase === PHASE_DONE) throw wrong("what the plan says was done was swept");
      return plan === null || plan.phase < PHASE_TREE ? null : record.point;
    }
    // Until an import is done there may be no list of points.
    if (!record.isStateMissing) this.#requireSwept(record);
    this.#requireGone(record);
    return record.point;
  }

  #plan({ index }: PruningRecord): PlanRecord | null {
    const bytes = storedRecord(this.#stores.stored, PLAN.table, PLAN.key);
    if (bytes === undefined) return null;
    const plan = readingAt(PLAN, () => readPlan(bytes));
    if (plan.index <= index && this.#pointAt(plan.index) === plan.point) return plan;
    throw recordDifference(PLAN, bytes, undefined);
  }

  #pointAt(index: bigint): string | null {
    const bytes = storedRecord(this.#stores.stored, PRUNING_POINTS, indexPlace(index).key);
    return bytes === undefined ? null : encodeHex(bytes);
  }

  #requireSwept({ index, swept }: PruningRecord): void {
    for (let at = 0n; at <= index; at += 1n) {
      const point = this.#pointAt(at);
      if (point === swept) return;
      if (point === null) break;
    }
    throw wrong("a swept block that is one of the pruning points");
  }

  /** The block above genesis is below every other pruning point. */
  #requireGone({ swept }: PruningRecord): void {
    const { stored } = this.#stores;
    const first = storedRecord(stored, BY_INDEX, indexPlace(1n).key);
    if (first === undefined || encodeHex(first) === swept) return;
    const body = storedRecord(stored, BODIES, first);
    if (body !== undefined) throw wrong("no body of the block above genesis is there");
  }
}

function wrong(computed: string): SvcError {
  return difference(PRUNING, { stored: "another record", computed });
}
