/** Kill counts of the crash tests: how many kill points a test has, and the line that `npm run test:full -- kills` adds up. */
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";

/** Points of a test: what `SVC_KILLS` says, or the test's own figure for the size of the run. */
export function killsOf(sizes: { readonly reduced: number; readonly full: number }): number {
  const wanted = process.env["SVC_KILLS"];
  if (wanted !== undefined) return Number(wanted);
  return IS_FULL ? sizes.full : sizes.reduced;
}

/** Says that so many kills lost nothing. A test calls it when all of its checks have passed. */
export function reportKills(
  kind: "gateway" | "hosted" | "index" | "lmdb" | "node" | "program" | "tab" | "wallet" | "walletd",
  points: number,
): void {
  console.info(`kills: ${kind} ${points} points, 0 lost`);
}
