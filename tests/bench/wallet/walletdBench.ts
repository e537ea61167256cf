/**
 * Benchmark of the wallet daemon: cold scans, payments by phase, and a wallet with very many notes. It runs in this process over a
 * node of a process of its own.
 */
import { availableParallelism } from "node:os";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import type { Bench, Report } from "../run/bench.ts";
import { measureLargeWallet, type LargeWalletFigures } from "./largeWalletFigures.ts";
import { median } from "../run/median.ts";
import type { Rounds } from "../run/rounds.ts";
import { measureSends, SENT_NOTES } from "./sendFigures.ts";
import { measureScans } from "./walletScanFigures.ts";
import { WalletScene } from "./walletScene.ts";

/** Notes of the payment that core-seconds are counted for. */
const FULL = 38;

/** The benchmark. */
export const walletdBench: Bench = {
  kind: "report",
  name: "walletd",
  about:
    "a wallet daemon: cold scan for 1 and 100 wallets, payments of 1 to 38 notes, 62,000 notes",
  figures: [
    { field: "blocks_per_s_1", better: "higher" },
    { field: "blocks_per_s_100", better: "higher" },
    { field: "core_seconds_per_note", better: "lower" },
    { field: "witness_ms_38", better: "lower" },
  ],
  async run(options) {
    return inTemporaryFolder(async (folder) => {
      const scene = await WalletScene.start(folder);
      try {
        const scans = await measureScans(scene, { ...options, log: options.log("scans") });
        const sends = await measureSends(scene, { ...options, log: options.log("sends") });
        const large = await measureLargeWallet(scene, options);
        return reportOf(scene, { scans, sends, large });
      } finally {
        await scene.stop();
      }
    });
  },
};

type Measured = {
  readonly scans: Rounds;
  readonly sends: Rounds;
  readonly large: LargeWalletFigures;
};

function reportOf({ blocks }: WalletScene, { scans, sends, large }: Measured): Report {
  const rate = (side: string) => (1_000 * blocks) / median(scans.of(side, "ms"));
  const [one, hundred, browser] = [rate("one"), rate("hundred"), rate("browser")];
  const phases = SENT_NOTES.map((notes): [string, Record<string, number>] => {
    const side = `notes ${notes}`;
    const names = sends.figuresOf(side).filter((name) => name !== "coreMs");
    return [notes.toString(), medians(sends, side, names)];
  });
  const coreSeconds = median(sends.of(`notes ${FULL}`, "coreMs")) / 1_000 / FULL;
  const notes = [...new Set([...scans.notes, ...sends.notes])];
  return {
    fields: {
      blocks_per_s_1: one,
      blocks_per_s_100: hundred,
      blocks_per_s_browser: browser,
      /** Against one wallet scanned as a browser does it. */
      ratio_to_browser_1: one / browser,
      ratio_to_browser_100: hundred / browser,
      send_ms: Object.fromEntries(phases),
      core_seconds_per_note: coreSeconds,
      witness_ms_38: median(large.witnessMs),
      plan_ms_88: median(large.planMs),
      plan_transactions_88: large.planned,
      open_ms_62000: median(large.openMs),
      status_ms_62000: median(large.statusMs),
      cores: availableParallelism(),
      blocks,
      samples: { scans: scans.all, sends: sends.all, large },
      notes,
    },
    lines: [
      `  scan     1 wallet ${one.toFixed(0)} blocks a second, 100 wallets ${hundred.toFixed(0)}, the browser's one ${browser.toFixed(0)}`,
      ...phases.map(
        ([count, parts]) => `  send     ${count.padStart(2)} notes: ${partsText(parts)}`,
      ),
      `  proof    ${coreSeconds.toFixed(2)} core-seconds for each of ${FULL} notes`,
      `  62,000   opened in ${median(large.openMs).toFixed(0)} ms, witnesses for ${FULL} notes ${median(large.witnessMs).toFixed(0)} ms, 88 notes planned in ${median(large.planMs).toFixed(0)} ms (${large.planned.join(", ")}), status ${median(large.statusMs).toFixed(1)} ms`,
      ...notes.map((text) => `  (${text})`),
    ],
  };
}

function medians(rounds: Rounds, side: string, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, median(rounds.of(side, name))]));
}

function partsText(parts: Readonly<Record<string, number>>): string {
  return Object.entries(parts)
    .map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`)
    .join(", ");
}
