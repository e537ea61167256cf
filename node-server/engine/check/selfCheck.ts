/** Self-check of a pruned store: its records are compared with each other, since there are no blocks to replay. */
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CheckPageParts } from "./checkPage.ts";
import { readingAt, type RecordPlace } from "./storeDifference.ts";
import { consensusTable } from "../../storage/layout.ts";

/** The parts of the core's self-check, in its order, and the table to name where a record cannot be read. */
export const SELF_CHECK_PARTS = [
  { name: "headers", table: "headers" },
  { name: "bodies", table: "bodies" },
  { name: "chain", table: "chain_by_index" },
  { name: "reachability", table: "reachability" },
  { name: "nullifiers", table: "nullifiers" },
  { name: "lanes", table: "lanes" },
  { name: "anchors", table: "anchor_producers" },
  { name: "tips", table: "meta" },
  { name: "evidence", table: "chain_evidence" },
  { name: "openings", table: "openings" },
  { name: "log", table: "log_rows" },
] as const;

/** The parts about sets that move with the chain, and are right at every moment, also in the middle of a move. */
export const SETS_OF_POSITION: readonly SelfCheckPart[] = ["nullifiers", "lanes"];

/** The name of a part of the self-check. */
export type SelfCheckPart = (typeof SELF_CHECK_PARTS)[number]["name"];

/** Runs parts of the check. Errors: `verify/difference` where records contradict each other, `run/aborted`. */
export async function selfCheck(
  { stored, pause, signal }: Pick<CheckPageParts, "stored" | "pause" | "signal">,
  names: readonly SelfCheckPart[],
  tell: (part: string) => void,
): Promise<void> {
  for (const [number, { name, table }] of SELF_CHECK_PARTS.entries()) {
    if (!names.includes(name)) continue;
    tell(name);
    let cursor: Uint8Array | undefined = new Uint8Array();
    while (cursor !== undefined) {
      const place: RecordPlace = { table: consensusTable(table), key: cursor };
      const from: Uint8Array = cursor;
      cursor = readingAt(place, () =>
        asDifference(() => stored.selfCheck(number, from, ENGINE_LIMITS.checkPageKeys)),
      );
      await pause();
      throwIfAborted(signal);
    }
  }
}

function asDifference<T>(check: () => T): T {
  try {
    return callCore(check);
  } catch (thrown) {
    const error = SvcError.from(thrown);
    if (error.code !== "verify/contradiction") throw error;
    const { table = "", key = "", reason = "" } = error.data;
    const sides = { stored: reason, computed: "records that agree" };
    throw new SvcError("verify/difference", { table, key, ...sides }, error);
  }
}
