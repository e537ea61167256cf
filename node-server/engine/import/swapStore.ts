/** Swaps the store in use for an imported one, while the node runs. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import { removeLeftovers, swapStaged } from "../../storage/storeFolders.ts";
import type { EngineHost } from "../host/engineHost.ts";
import type { ReaderHost } from "../read/readerHost.ts";
import type { StagedImport } from "./stagedImport.ts";

/** Dependencies of the swap. */
export type CommitParts = {
  /** The network's folder. */
  readonly root: string;
  readonly engine: Pick<EngineHost, "replace">;
  readonly reader: Pick<ReaderHost, "whileClosed">;
  /** Whether the old store is kept for good: an archival node deletes no blocks. */
  readonly keepsOld: boolean;
  readonly log: Log;
};

/**
 * Closes engine and reader, puts the finished import in place, and opens both again; listeners of the engine hear
 * `engineRestarted`. The old store is deleted in the background, unless it is kept. A kill at any time leaves the old store or
 * the new one. Errors: `import/out-of-order` for an import that is not finished, those of `EngineHost.replace`; the old store
 * is in place then, unless the new one could not be opened.
 */
export async function swapStore(
  staged: Pick<StagedImport, "isFinished">,
  { root, engine, reader, keepsOld, log }: CommitParts,
): Promise<void> {
  if (!staged.isFinished) throw new SvcError("import/out-of-order", { call: "commit" });
  await reader.whileClosed(() => engine.replace(async () => swapStaged(root, { keepsOld })));
  if (keepsOld)
    log.warn("the blocks of before are kept in a folder of their own: see consensus.archive-N");
  removeLeftovers(root).catch((error: unknown) => {
    log.warn({ err: error }, "the store that was replaced could not be deleted");
  });
}
