/** Loading of a chain: how many blocks a second one core takes in, and what it spends the time on. */
import type { Bench, BenchOptions, Report } from "./bench.ts";
import { median } from "./bench.ts";
import { CAN_PIN, type Answer } from "./lineProcess.ts";
import { PARTS } from "./partWatch.ts";
import { twoActionPayments } from "./payments.ts";
import { fewerNote, oneCore, repeated, startLoader, startOurs, startPeer } from "./sides.ts";

/** Blocks with payments: as many as are worth the proving, which happens once. */
const PAYING_BLOCKS = 8;
/** Blocks after which code is compiled. */
const WARM_BLOCKS = 400;

/** The bench. */
export const ingestBench: Bench = {
  kind: "report",
  name: "ingest",
  about:
    "blocks a second into a store on disk, one core: coinbase only (--blocks), or with payments (--tx)",
  run: (options) => (options.tx > 0 ? withPayments(options) : coinbaseOnly(options)),
};

async function coinbaseOnly({ blocks, signal }: BenchOptions): Promise<Report> {
  const loader = startLoader(oneCore(), signal);
  try {
    // Code is compiled and the chain is mined before anything counts.
    await loader.ask({ op: "ingest", blocks: Math.min(WARM_BLOCKS, blocks) });
    await loader.ask({ op: "mine", blocks });
    const answers = await repeated(() => loader.ask({ op: "ingest", blocks }));
    return reportOf({ answers, blocks, peakMiB: loader.peakMiB() });
  } finally {
    loader.stop();
  }
}

async function withPayments({ tx, signal }: BenchOptions): Promise<Report> {
  const [ours, peer] = [startOurs(oneCore(), signal), startPeer(oneCore(), signal)];
  let payments: readonly string[];
  try {
    payments = await twoActionPayments(tx * PAYING_BLOCKS, ours, peer);
  } finally {
    ours.stop();
    peer.stop();
  }
  const loader = startLoader(oneCore(), signal);
  try {
    const ask = async () => {
      const answer = await loader.ask({ op: "pay", payments, perBlock: tx });
      if (answer.number("proofs") !== payments.length)
        throw new Error("not every proof was judged");
      return answer;
    };
    await ask();
    const answers = await repeated(ask);
    // The block that merges the last payments carries none; it is not counted.
    const report = reportOf({ answers, blocks: PAYING_BLOCKS, peakMiB: loader.peakMiB() });
    return { ...report, fields: { ...report.fields, tx } };
  } finally {
    loader.stop();
  }
}

type Measured = {
  readonly answers: readonly Answer[];
  readonly blocks: number;
  readonly peakMiB: number | null;
};

function reportOf({ answers, blocks, peakMiB }: Measured): Report {
  const rates = answers.map((answer) => (1_000 * blocks) / answer.number("ms"));
  const each = (what: (answer: Answer) => number) => median(answers.map(what));
  const shareOf = (part: string) =>
    each((answer) => (answer.numbers("parts")[part] ?? 0) / answer.number("ms"));
  const shares = Object.fromEntries(PARTS.map((part) => [part, shareOf(part)]));
  const cpu = each((answer) => answer.number("cpuMs")) / blocks;
  const notes = fewerNote(answers.length);
  if (!CAN_PIN) notes.push("not pinned: there is no taskset on this machine");
  const rate = median(rates);
  return {
    fields: {
      blocks_per_s: rate,
      blocks,
      shares,
      cpu_ms_per_block: cpu,
      ...(peakMiB !== null && { peak_mib: peakMiB }),
      samples: { blocks_per_s: rates },
      notes,
    },
    lines: [
      `  ${rate.toFixed(0)} blocks a second (${rates.map((one) => one.toFixed(0)).join(", ")})`,
      `  ${(1_000 / rate).toFixed(3)} ms a block, ${cpu.toFixed(3)} ms of processor time`,
      ...PARTS.map((part) => `    ${part.padEnd(14)} ${(100 * (shares[part] ?? 0)).toFixed(1)} %`),
      ...notes.map((note) => `  (${note})`),
    ],
  };
}
