/**
 * Archival mode: whether a node keeps the bodies of all blocks, the stored choice of a data folder, and the consequences of
 * changing it.
 */
import type { EngineHost } from "../../engine/host/engineHost.ts";
import type { Log } from "../../platform/log/log.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Kv } from "../../storage/kv.ts";
import { Settings } from "./settings.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** The choice at a start. */
export type ArchiveChoice = {
  readonly archival: boolean;
  /** An archival node's bodies may be deleted. */
  readonly confirmed: boolean;
};

/**
 * Opens the settings of a folder and checks the choice against the one before. Bodies that were kept on purpose are not deleted
 * because an option was forgotten. Errors: `node/was-archival`.
 */
export function openSettings({ archival, confirmed }: ArchiveChoice, store: Kv): Settings {
  const settings = new Settings(store);
  if (archival || confirmed || !settings.wasArchival()) return settings;
  throw new SvcError("node/was-archival", {});
}

/**
 * Stores the choice, and warns where an archive begins that lacks bodies. To be called after the engine knows the chain: a
 * chain that this build does not know is left as it is, with what belongs to it.
 */
export async function rememberChoice(
  { archival, log }: Pick<ArchiveChoice, "archival"> & { readonly log: Pick<Log, "warn"> },
  settings: Pick<Settings, "wasArchival" | "setArchival">,
  engine: Pick<EngineHost, "ask">,
): Promise<void> {
  if (settings.wasArchival() === archival) return;
  settings.setArchival(archival);
  if (!archival || !(await lacksBodies(engine))) return;
  log.warn(
    "bodies of blocks below the pruning point are gone and do not come back: this node keeps all others from now on",
  );
}

/** Whether the block above genesis has no body, here or at all: bodies go from there upwards. */
async function lacksBodies(engine: Pick<EngineHost, "ask">): Promise<boolean> {
  const { sink, genesis } = await askFacts(engine, "tip", []);
  if (sink === genesis) return false;
  const first = await engine.ask("chainHashAt", [1n]);
  return first === undefined || (await engine.ask("blockBytes", [first])) === undefined;
}
