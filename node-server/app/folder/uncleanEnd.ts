/** Recovery check at a start after an unclean shutdown. */
import { join } from "node:path";
import type { Log } from "../../platform/log/log.ts";
import { checkDatabase, isDatabaseFree, WHOLE_DEPTH } from "../../storage/checkDatabase.ts";
import { CONSENSUS_LAYOUT, META_LAYOUT } from "../../storage/layout.ts";
import type { DataFolder } from "./dataFolder.ts";

/**
 * Checks all pages of the databases where a run ended without giving its lock back: it may have met damage that the usual check
 * does not find, and would again. Errors: `store/damaged`, `store/read-failed`.
 */
export function checkAfterUncleanEnd({ path, lock }: DataFolder, log: Pick<Log, "info">): void {
  if (!lock.wasLeft) return;
  for (const { name } of [META_LAYOUT, CONSENSUS_LAYOUT]) {
    const database = join(path, name);
    if (isDatabaseFree(database)) continue;
    const { pages } = checkDatabase(database, WHOLE_DEPTH);
    log.info({ database: name, pages }, "the last run ended uncleanly: all pages were looked at");
  }
}
