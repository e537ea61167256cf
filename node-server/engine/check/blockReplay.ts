/** Consistency check, replay: inserts the blocks of a stored chain into another engine, parents before children. */
import { decodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { RawEngine, RawReader } from "@svc/shared/core/generated/coreGlue.ts";
import { consensusTable } from "../../storage/layout.ts";
import { readInsertOutcome, type VerdictJob } from "../calls/engineFacts.ts";
import { recordTexts } from "./recordText.ts";
import { difference, readingAt, storedRecord } from "./storeDifference.ts";

/** The host's clock for blocks that were taken in long ago: none of them is from the future. */
const LATE_MS = 1n << 53n;
const HEADERS = consensusTable("headers");
const BODIES = consensusTable("bodies");
const STATUS = consensusTable("status");

/** Replays blocks of `stored` into `computed`. */
export class BlockReplay {
  readonly #stored: RawReader;
  readonly #computed: RawEngine;

  constructor(stored: RawReader, computed: RawEngine) {
    this.#stored = stored;
    this.#computed = computed;
  }

  /**
   * Hands over a block and what is missing of its past. Returns the new blocks in their order and the proofs to judge.
   * Errors: `verify/difference` for a block that is not there, is refused, or is another one than its key says.
   */
  feed(hash: string): { readonly blocks: string[]; readonly jobs: VerdictJob[] } {
    const blocks: string[] = [];
    const jobs: VerdictJob[] = [];
    const path = [hash];
    const onPath = new Set(path);
    for (let block = path.at(-1); block !== undefined; block = path.at(-1)) {
      const outcome = this.#insert(block);
      if (outcome.kind === "missingParents") {
        for (const parent of outcome.parents) {
          // Ids are hashes, so a sound graph has no circle.
          if (onPath.has(parent)) throw refused(block, `its ancestor ${parent} is above it`);
          onPath.add(parent);
          path.push(parent);
        }
        continue;
      }
      if (outcome.new) blocks.push(block);
      jobs.push(...outcome.needVerdicts);
      path.pop();
      onPath.delete(block);
    }
    return { blocks, jobs };
  }

  #insert(block: string) {
    const place = { table: BODIES, key: decodeHex(block) };
    const raw = readingAt(place, () => callCore(() => this.#stored.blockBytes(block)));
    if (raw === undefined) {
      // Blocks without a body are not asked for: the status says that there is none, or there is no status.
      const status = storedRecord(this.#stored, STATUS, place.key);
      const { stored } = recordTexts({ ...place, table: STATUS }, status, undefined);
      throw difference({ ...place, table: STATUS }, { stored, computed: "an accepted block" });
    }
    const outcome = readInsertOutcome(callCore(() => this.#computed.insertBlock(raw, LATE_MS)));
    if (outcome.hash !== block) {
      const sides = { stored: `block ${outcome.hash}`, computed: "the block of its key" };
      throw difference({ ...place, table: HEADERS }, sides);
    }
    if (outcome.kind === "rejected") throw refused(block, outcome.code);
    return outcome;
  }
}

function refused(block: string, reason: string) {
  const table = reason.startsWith("header/") ? HEADERS : BODIES;
  const sides = { stored: "an accepted block", computed: `a refused one: ${reason}` };
  return difference({ table, key: decodeHex(block) }, sides);
}
