/** Build of the point of sale's files: its script, with a hash in its name, and its service worker. Each is one file that loads nothing. */
import { POS_WORKER } from "../../shared/gateway/page/checkoutAssets.ts";
import { hashedName, oneFile } from "./oneFile.ts";

/** Builds them for these browsers; returns their texts by their names. */
export async function buildPosFiles(
  target: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const script = await oneFile("pos/posMain.ts", target);
  const worker = await oneFile("pos/posWorker.ts", target);
  return new Map([
    [hashedName("pos", script), script],
    [POS_WORKER, worker],
  ]);
}
