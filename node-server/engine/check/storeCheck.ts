/**
 * The consistency check of a store: replays its blocks into an empty engine and compares the results.
 *
 * First the selected chain from genesis to the sink, each chain block after what it merges and with what lies beside
 * it; then, with the selected chain at the store's sink, the sets that move with it; then whole tables, so that surplus
 * records are found. Data that depends on the order of arrival is compared as a set or left out
 * (docs/programs/svc.md names it).
 *
 * Where blocks were pruned there is nothing to begin with: such a store is checked against itself.
 */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { consensusTable } from "../../storage/layout.ts";
import { SideBranches } from "./sideBranches.ts";
import { CheckPages, type CheckPageParts } from "./checkPage.ts";
import { compareTable, TableKeys, type CheckedSide, type TableComparison } from "./checkTables.ts";
import { prunedAt } from "./pruningClaim.ts";
import { SELF_CHECK_PARTS, selfCheck, SETS_OF_POSITION } from "./selfCheck.ts";
import { difference } from "./storeDifference.ts";
import { indexPlace, StoredFacts } from "./storedFacts.ts";

/** Progress of a check. */
export type CheckProgress = {
  readonly blocks: number;
  readonly total: bigint;
  readonly part: string;
};

/** Dependencies of a check. */
export type StoreCheckParts = CheckPageParts & {
  readonly progress: (progress: CheckProgress) => void;
};

/** The result of a check that found no difference. */
export type StoreCheckResult = {
  /** Blocks compared. */
  readonly blocks: number;
  /** What the check could not do: `verify/pruned`, `verify/unfinished`. */
  readonly notes: readonly SvcError[];
};

const STATUS = consensusTable("status");
const ANCHOR_PRODUCERS = consensusTable("anchor_producers");
const PENDING = 3;

/** Functions of the blocks of the selected chain; they move with it. */
const SETS = ["nullifiers", "lanes", "lane_nodes", "lane_expiry"];
const CHAIN_ROWS = ["chain_by_index", "chain_by_hash"];
/** A row for each header; the records were compared block by block. */
const HEADER_ROWS = ["status", "ghostdag", "daa_excluded", "depths"];
/** Lists that grow with later blocks. */
const GRAPH_ROWS = ["reachability", "children"];
const JUDGED_ROWS = [
  "acceptance",
  "chain_state",
  "nullifier_diffs",
  "lane_diffs",
  "chain_evidence",
  "openings",
];

const never = (): boolean => false;

/** Checks a store; rejects with `verify/difference` at the first difference, with `run/aborted` when told to stop. */
export async function checkStore(parts: StoreCheckParts): Promise<StoreCheckResult> {
  return new StoreCheck(parts).run();
}

class StoreCheck {
  readonly #parts: StoreCheckParts;
  readonly #pages: CheckPages;
  readonly #facts: StoredFacts;
  readonly #branches: SideBranches;
  #total = 0n;

  constructor(parts: StoreCheckParts) {
    this.#parts = parts;
    this.#pages = new CheckPages(parts);
    this.#facts = new StoredFacts(parts);
    this.#branches = new SideBranches(parts, this.#pages);
  }

  async run(): Promise<StoreCheckResult> {
    callCore(() => this.#parts.computed.setGroupCommit(true));
    this.#facts.requireLayout();
    this.#total = this.#facts.counters().bodies;
    const point = prunedAt(this.#parts);
    if (point !== null) {
      const all = SELF_CHECK_PARTS.map(({ name }) => name);
      await selfCheck(this.#parts, all, (part) => this.#tell(part));
      return { blocks: 0, notes: [new SvcError("verify/pruned", { point })] };
    }
    const sink = this.#facts.hashAt("virtual");
    await this.#checkChain(sink);
    const atRest =
      this.#facts.meta("moving") === undefined && this.#facts.hashAt("position") === sink;
    if (atRest) await this.#compare(SETS, { records: true, allow: never });
    else await selfCheck(this.#parts, SETS_OF_POSITION, (part) => this.#tell(part));
    await this.#compare(CHAIN_ROWS, { records: true, allow: never });
    await this.#checkBeside();
    await this.#checkRows();
    this.#facts.checkCounts();
    const notes = atRest ? [] : [new SvcError("verify/unfinished", {})];
    return { blocks: this.#pages.compared, notes };
  }

  #tell(part: string): void {
    this.#parts.progress({ blocks: this.#pages.compared, total: this.#total, part });
  }

  async #checkChain(sink: string): Promise<void> {
    const last = this.#facts.indexOf(sink);
    let parent = "";
    for (let index = 0n; index <= last; index += 1n) {
      throwIfAborted(this.#parts.signal);
      const hash = this.#facts.chainAt(index);
      const { fed, facts } = this.#pages.addChain(hash);
      this.#facts.requireChild(index, { hash, parent, found: facts.selectedParent });
      const isLast = index === last;
      this.#branches.follow(hash, fed, { isSink: isLast });
      parent = hash;
      if (!this.#pages.isFull && !isLast) continue;
      await this.#pages.endChain({ last: isLast });
      this.#tell("blocks");
    }
    await this.#pages.settle();
    if (parent === sink) return;
    throw difference(indexPlace(last), { stored: parent, computed: `the sink, ${sink}` });
  }

  /** Blocks that the sink does not have in its past. They are compared as far as they do not depend on a chain. */
  async #checkBeside(): Promise<void> {
    const { stored, computed, signal } = this.#parts;
    const keys = new TableKeys(stored, STATUS);
    for (let key = keys.peek(); key !== undefined; key = keys.peek()) {
      keys.take();
      const isKnown = callCore(() => computed.storedRecord(STATUS, key)) !== undefined;
      if (isKnown || this.#facts.stage(key) < PENDING) continue;
      throwIfAborted(signal);
      this.#pages.add(encodeHex(key));
      if (!this.#pages.isFull) continue;
      await this.#pages.endBeside();
      this.#tell("blocks");
    }
    await this.#pages.endBeside();
  }

  /** That no row is there without its block. */
  async #checkRows(): Promise<void> {
    const onlyHeader = (key: Uint8Array, side: CheckedSide): boolean => {
      if (side === "computed") return false;
      const stage = this.#facts.stage(key);
      return stage > 0 && stage < PENDING;
    };
    this.#tell("headers");
    const comparison = { table: consensusTable("headers"), records: false, allow: onlyHeader };
    const headers = await compareTable(this.#parts, comparison);
    this.#facts.requireHeaders(headers);
    await this.#compare(HEADER_ROWS, { records: false, allow: onlyHeader });
    await this.#compare(GRAPH_ROWS, { records: true, allow: onlyHeader });
    const judgedOnce = (key: Uint8Array, side: CheckedSide): boolean =>
      this.#facts.isJudgedOnlyIn(side, key);
    await this.#compare(JUDGED_ROWS, { records: false, allow: judgedOnce });
    this.#tell("anchor_producers");
    await compareTable(this.#parts, {
      table: ANCHOR_PRODUCERS,
      records: false,
      allow: (key, side) => this.#facts.isProducer(side, key),
    });
  }

  async #compare(
    names: readonly string[],
    how: Pick<TableComparison, "records" | "allow">,
  ): Promise<void> {
    for (const name of names) {
      this.#tell(name);
      await compareTable(this.#parts, { table: consensusTable(name), ...how });
    }
  }
}
