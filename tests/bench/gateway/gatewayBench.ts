/**
 * Benchmark of the merchant gateway: invoices that one core makes, webhooks with 10,000 invoices open, and the viewing keys that one
 * core looks for payments with. The gateway runs in a process of its own on one core; payments and blocks are real.
 */
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import type { Bench, BenchOptions, Report } from "../run/bench.ts";
import { GatewayScene, type MadeInvoice } from "./gatewayScene.ts";
import { measureHooks, type HookTimes } from "./hookFigures.ts";
import type { LineProcess } from "../peers/lineProcess.ts";
import { median, percentile } from "../run/median.ts";
import { keysInTime, measureSeen, type SeenStep } from "./seenFigures.ts";
import { pinNote } from "../run/rounds.ts";
import { oneCore, startGatewayProgram } from "../peers/sides.ts";
import { WalletScene } from "../wallet/walletScene.ts";

const CONNECTIONS = 64;
/** Invoices that are open while webhooks are measured; each round makes its part of them. */
const OPEN = 10_000;

/** The benchmark. */
export const gatewayBench: Bench = {
  kind: "report",
  name: "gateway",
  about: `a gateway on one core: invoices over ${CONNECTIONS} connections, webhooks with ${OPEN} invoices open, viewing keys`,
  figures: [
    { field: "invoices_per_s", better: "higher" },
    { field: "webhook_p99_s", better: "lower" },
    { field: "merchant_keys_per_core", better: "higher" },
  ],
  async run(options) {
    const seen = await withProgram(options, async (program) => ({
      slow: await measureSeen(program, 1),
      fast: await measureSeen(program, 10),
    }));
    return inTemporaryFolder(async (folder) => {
      const scene = await WalletScene.start(folder);
      try {
        return reportOf({ ...(await measureCalls(scene, options)), ...seen });
      } finally {
        await scene.stop();
      }
    });
  },
};

async function withProgram<T>(
  { signal }: BenchOptions,
  work: (program: LineProcess) => Promise<T>,
): Promise<T> {
  const program = startGatewayProgram(oneCore(), signal);
  try {
    return await work(program);
  } finally {
    await program.ask({ op: "stop" }).catch(() => undefined);
    program.stop();
  }
}

type Calls = { readonly perSecond: readonly number[]; readonly hooks: HookTimes };

function measureCalls(scene: WalletScene, options: BenchOptions): Promise<Calls> {
  return withProgram(options, async (program) => {
    const gateway = await GatewayScene.start(program, scene);
    try {
      const invoices: MadeInvoice[] = [];
      const perSecond: number[] = [];
      for (let round = 0; round < options.rounds; round += 1) {
        const begun = performance.now();
        const made = await gateway.make(Math.ceil(OPEN / options.rounds), CONNECTIONS);
        perSecond.push((1_000 * made.length) / (performance.now() - begun));
        invoices.push(...made);
      }
      await gateway.hearHooks();
      const wish = { invoices, payments: options.rounds, signal: options.signal };
      return { perSecond, hooks: await measureHooks(scene, gateway, wish) };
    } finally {
      gateway.stop();
    }
  });
}

function reportOf(
  measured: Calls & { readonly slow: readonly SeenStep[]; readonly fast: readonly SeenStep[] },
): Report {
  const { perSecond, hooks, slow, fast } = measured;
  const all = [...hooks.seenMs, ...hooks.confirmedMs];
  const seconds = (times: readonly number[], share: number) => percentile(times, share) / 1_000;
  const [keys, keysFast] = [keysInTime(slow), keysInTime(fast)];
  const p50 = (times: readonly number[]) => `${seconds(times, 0.5).toFixed(2)} s`;
  return {
    fields: {
      invoices_per_s: median(perSecond),
      webhook_p50_s: seconds(all, 0.5),
      webhook_p99_s: seconds(all, 0.99),
      merchant_keys_per_core: keys,
      merchant_keys_per_core_10: keysFast,
      connections: CONNECTIONS,
      open: OPEN,
      seen: { 1: slow, 10: fast },
      samples: { perSecond, ...hooks },
      notes: pinNote(),
    },
    lines: [
      `  invoices ${median(perSecond).toFixed(0)} a second over ${CONNECTIONS} connections`,
      `  webhooks 99 in 100 within ${seconds(all, 0.99).toFixed(2)} s; half of those of waiting payments within ${p50(hooks.seenMs)}, of confirmed ones within ${p50(hooks.confirmedMs)}`,
      `  keys     ${keys} with 1 action a second, ${keysFast} with 10`,
      ...[...slow, ...fast].map(
        (step) =>
          `    ${step.keys} keys: seen within ${(step.p99Ms / 1_000).toFixed(2)} s (99 in 100)`,
      ),
      ...pinNote().map((text) => `  (${text})`),
    ],
  };
}
