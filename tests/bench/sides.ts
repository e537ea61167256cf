/** The two sides of a comparison: our WebAssembly in Node, and the native build of the upstream library. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawnSync } from "node:child_process";
import { CAN_PIN, LineProcess } from "./lineProcess.ts";

const workspace = fileURLToPath(new URL("../../wasm-core/", import.meta.url));
const oursProgram = fileURLToPath(new URL("./oursProgram.ts", import.meta.url));
const loadProgram = fileURLToPath(new URL("./loadProgram.ts", import.meta.url));
/** Samples of each figure. */
const SAMPLES = 7;
/** A comparison that would take longer is content with fewer samples, and says so. */
const LONGEST_MS = 600_000;

/** The last core, which the system's own work uses least; both sides run on it. */
export function oneCore(): string {
  return String(availableParallelism() - 1);
}

/** The last `count` cores, for work that is shared. */
export function lastCores(count: number): string {
  const cores = availableParallelism();
  return `${Math.max(0, cores - count)}-${cores - 1}`;
}

/** Starts our side. */
export function startOurs(cores: string, signal: AbortSignal): LineProcess {
  const args = ["--disable-warning=ExperimentalWarning", "--expose-gc", oursProgram];
  return new LineProcess({ command: process.execPath, args, cores, signal });
}

/** Starts the engine over a store on disk, for benchmarks of whole chains. */
export function startLoader(cores: string, signal: AbortSignal): LineProcess {
  const args = ["--disable-warning=ExperimentalWarning", loadProgram];
  return new LineProcess({ command: process.execPath, args, cores, signal });
}

/** Builds the peer if needed (release: optimised, whole-program, one thread, no flags for this processor) and starts it. */
export function startPeer(cores: string, signal: AbortSignal): LineProcess {
  return new LineProcess({ command: buildPeer(), args: [], cores, signal });
}

function buildPeer(): string {
  const built = process.env["SVC_BENCH_PEER"];
  return built ?? buildNative("svc-bench-peer");
}

/** Builds a program of the core's workspace natively if needed; its path. */
export function buildNative(name: string): string {
  const target = process.env["CARGO_TARGET_DIR"] ?? join(workspace, "target");
  const program = join(target, "release", name);
  const env = { ...process.env };
  // Flags for this very processor would make it another peer.
  delete env["RUSTFLAGS"];
  const args = ["build", "--release", "--locked", "-p", name];
  const built = spawnSync("cargo", args, { cwd: workspace, env, stdio: ["ignore", 2, 2] });
  if (built.status !== 0 || !existsSync(program)) throw new Error(`${name} could not be built`);
  return program;
}

/** Figures of each side. */
export type Samples<Names extends string> = Readonly<Record<Names, readonly number[]>>;

/**
 * Takes samples of several figures in turns, seven of each unless told, after one round that is not counted and
 * shows how long a round takes. Gives the samples and what is to be said about them.
 */
export async function inTurns<Names extends string>(
  figures: Readonly<Record<Names, () => Promise<number>>>,
  { warm = true, most = SAMPLES }: { warm?: boolean; most?: number } = {},
): Promise<{ samples: Samples<Names>; notes: string[] }> {
  const entries: [Names, () => Promise<number>][] = [];
  const samples: Partial<Record<Names, number[]>> = {};
  for (const name in figures) {
    entries.push([name, figures[name]]);
    samples[name] = [];
  }
  const start = performance.now();
  let rounds = most;
  for (let round = warm ? -1 : 0; round < rounds; round += 1) {
    for (const [name, measure] of entries) {
      const figure = await measure();
      if (round >= 0) samples[name]?.push(figure);
    }
    if (round <= 0) {
      const took = (performance.now() - start) / (round + (warm ? 2 : 1));
      rounds = Math.max(1, Math.min(most, Math.floor(LONGEST_MS / took)));
    }
  }
  const notes = fewerNote(rounds, most);
  if (!CAN_PIN) notes.push("not pinned: there is no taskset on this machine");
  return { samples: complete(samples, figures), notes };
}

/** Takes as many samples one after the other as [`inTurns`] would. */
export async function repeated<T>(measure: () => Promise<T>): Promise<T[]> {
  const start = performance.now();
  const samples = [await measure()];
  const rounds = Math.min(SAMPLES, Math.floor(LONGEST_MS / (performance.now() - start)));
  while (samples.length < rounds) samples.push(await measure());
  return samples;
}

/** What is to be said of this number of samples where so many were wanted. */
export function fewerNote(samples: number, wanted = SAMPLES): string[] {
  const note = `${samples} samples: ${wanted} would take more than ten minutes`;
  return samples < wanted ? [note] : [];
}

function complete<Names extends string>(
  samples: Partial<Record<Names, number[]>>,
  figures: Readonly<Record<Names, unknown>>,
): Samples<Names> {
  const whole: Record<string, readonly number[]> = {};
  for (const name in figures) whole[name] = samples[name] ?? [];
  return whole as Samples<Names>;
}
