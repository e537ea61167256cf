/** Benchmark of block processing: how many blocks a second one core takes in, and what it spends the time on. */
import type { Bench, BenchOptions, Report } from "../run/bench.ts";
import { median } from "../run/median.ts";
import type { Answer, LineProcess } from "../peers/lineProcess.ts";
import { PARTS } from "./partWatch.ts";
import { twoActionPayments } from "../peers/payments.ts";
import { inTurns, type Rounds, type Sample } from "../run/rounds.ts";
import { oneCore, startLoader } from "../peers/sides.ts";

/** Blocks with payments: as many as are worth the proving, which happens once. */
const PAYING_BLOCKS = 8;
/** Blocks after which code is compiled. */
const WARM_BLOCKS = 400;

/** The benchmark. */
export const ingestBench: Bench = {
  kind: "report",
  name: "ingest",
  about:
    "blocks a second into a store on disk, one core: coinbase only (--blocks), or with payments (--tx)",
  figures: [{ field: "blocks_per_s", better: "higher" }],
  run: (options) => (options.tx > 0 ? withPayments(options) : coinbaseOnly(options)),
};

async function coinbaseOnly(options: BenchOptions): Promise<Report> {
  const { blocks, signal } = options;
  const loader = startLoader(oneCore(), signal);
  try {
    // Code is compiled and the chain is mined before anything counts.
    await loader.ask({ op: "ingest", blocks: Math.min(WARM_BLOCKS, blocks) });
    await loader.ask({ op: "mine", blocks });
    const ask = () => loader.ask({ op: "ingest", blocks });
    return await loaded(ask, { options, loader, blocks });
  } finally {
    loader.stop();
  }
}

async function withPayments(options: BenchOptions): Promise<Report> {
  const { tx, signal } = options;
  const payments = await twoActionPayments(tx * PAYING_BLOCKS, signal);
  const loader = startLoader(oneCore(), signal);
  try {
    const ask = async () => {
      const answer = await loader.ask({ op: "pay", payments, perBlock: tx });
      if (answer.number("proofs") !== payments.length)
        throw new Error("not every proof was judged");
      return answer;
    };
    await ask();
    // The block that merges the last payments carries none; it is not counted.
    const report = await loaded(ask, { options, loader, blocks: PAYING_BLOCKS });
    return { ...report, fields: { ...report.fields, tx } };
  } finally {
    loader.stop();
  }
}

type Loading = {
  readonly options: BenchOptions;
  readonly loader: LineProcess;
  /** Blocks of one loading. */
  readonly blocks: number;
};

async function loaded(
  ask: () => Promise<Answer>,
  { options, loader, blocks }: Loading,
): Promise<Report> {
  const loading = async (): Promise<Sample> => {
    const answer = await ask();
    const ms = answer.number("ms");
    const parts = answer.numbers("parts");
    const shares = PARTS.map((part): [string, number] => [part, (parts[part] ?? 0) / ms]);
    const rate = (1_000 * blocks) / ms;
    return { rate, cpu: answer.number("cpuMs") / blocks, ...Object.fromEntries(shares) };
  };
  const rounds = await inTurns({ loading }, { ...options, log: options.log(""), warm: false });
  return reportOf(rounds, blocks, loader.peakMiB());
}

function reportOf(rounds: Rounds, blocks: number, peakMiB: number | null): Report {
  const rates = rounds.of("loading", "rate");
  const shareOf = (part: string) => median(rounds.of("loading", part));
  const shares = Object.fromEntries(PARTS.map((part) => [part, shareOf(part)]));
  const cpu = median(rounds.of("loading", "cpu"));
  const rate = median(rates);
  return {
    fields: {
      blocks_per_s: rate,
      blocks,
      shares,
      cpu_ms_per_block: cpu,
      ...(peakMiB !== null && { peak_mib: peakMiB }),
      samples: { blocks_per_s: rates },
      notes: rounds.notes,
    },
    lines: [
      `  ${rate.toFixed(0)} blocks a second (${rates.map((one) => one.toFixed(0)).join(", ")})`,
      `  ${(1_000 / rate).toFixed(3)} ms a block, ${cpu.toFixed(3)} ms of processor time`,
      ...PARTS.map((part) => `    ${part.padEnd(14)} ${(100 * (shares[part] ?? 0)).toFixed(1)} %`),
      ...rounds.notes.map((note) => `  (${note})`),
    ],
  };
}
