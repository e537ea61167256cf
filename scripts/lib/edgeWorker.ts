/** Runs a Worker of `edge/wrangler.toml` in workerd on this machine, without an account and a network, until it is interrupted. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ROOT } from "./command.ts";

/** A Worker, and where it runs. */
export type EdgeWorker = {
  /** Its environment in `edge/wrangler.toml`. */
  readonly name: "gateway" | "explorer";
  readonly port: string;
  /** Folder of its databases and objects. */
  readonly data: string;
  /** File of its variables and secrets. */
  readonly variables: string;
};

const HOST = "127.0.0.1";
const CRON_MS = 60_000;
const LOOK_MS = 200;
/** A line for each request would tell what somebody looks for. */
const QUIET = { WRANGLER_LOG: "warn" };
const WRANGLER = join(ROOT, "node_modules", "wrangler", "bin", "wrangler.js");

/** Where it answers. */
export function edgeAddress({ port }: Pick<EdgeWorker, "port">): string {
  return `http://${HOST}:${port}`;
}

/** Brings its tables up to date, and serves until the signal fires; resolves with the exit status. */
export async function runEdgeWorker(worker: EdgeWorker, signal: AbortSignal): Promise<number> {
  return (await migrate(worker)) || (await serve(worker, signal));
}

async function migrate(worker: EdgeWorker): Promise<number> {
  const args = ["d1", "migrations", "apply", "DB", "--local", ...placeOf(worker)];
  return ended(wrangler(args, QUIET));
}

async function serve(worker: EdgeWorker, signal: AbortSignal): Promise<number> {
  if (signal.aborted) return 0;
  const { port, variables } = worker;
  const place = ["--local", "--ip", HOST, "--port", port, "--env-file", variables];
  // The system chooses the port of the debugger, which nobody here uses.
  const debugging = ["--inspector-ip", HOST, "--inspector-port", "0"];
  const dev = ["dev", ...place, ...debugging, ...placeOf(worker)];
  const child = wrangler([...dev, "--show-interactive-dev-session=false"], QUIET);
  signal.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
  const over = new AbortController();
  void callCron(worker, AbortSignal.any([signal, over.signal]));
  const status = await ended(child);
  over.abort();
  return signal.aborted ? 0 : status;
}

/** Says when the Worker answers, then calls it each minute. Never rejects. */
async function callCron(worker: EdgeWorker, end: AbortSignal): Promise<void> {
  const address = edgeAddress(worker);
  const get = (path: string) => fetch(`${address}${path}`, { signal: end }).catch(() => null);
  const wait = (ms: number) => pause(ms, undefined, { signal: end }).catch(() => undefined);
  while (!end.aborted && (await get("/health"))?.ok !== true) await wait(LOOK_MS);
  if (!end.aborted) console.log(`edge: the ${worker.name} answers at ${address}`);
  while (!end.aborted) {
    await get("/cdn-cgi/local/scheduled");
    await wait(CRON_MS);
  }
}

function placeOf({ name, data }: EdgeWorker): readonly string[] {
  return ["--config", "edge/wrangler.toml", "--env", name, "--persist-to", data];
}

function wrangler(args: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [WRANGLER, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...more },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

async function ended(child: ChildProcess): Promise<number> {
  const [status]: unknown[] = await once(child, "exit");
  return typeof status === "number" ? status : 1;
}
