/**
 * Runs the gateway's Worker in workerd on this machine, without an account and a network:
 * `npm run edge [-- --port N] [--data FOLDER]`. With `--assets` it builds the files that are deployed beside the Worker, and ends.
 *
 * Database, objects and the master key, which is drawn at the first start, lie in the data folder, `.data/edge` unless another is
 * named. The platform's Cron is not there, so the program calls the Worker each minute in its place. It ends with Ctrl-C.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { keepToCheckout } from "../edge/checkoutOnly.config.ts";
import { ROOT } from "./lib/command.ts";
import { writeEdgeAssets } from "./lib/edgeAssets.ts";
import { interruption } from "./lib/interruption.ts";

const HOST = "127.0.0.1";
const CRON_MS = 60_000;
const LOOK_MS = 200;
const WRANGLER = join(ROOT, "node_modules", "wrangler", "bin", "wrangler.js");

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8787" },
    data: { type: "string", default: join(ROOT, ".data", "edge") },
    assets: { type: "boolean", default: false },
  },
});
const data = resolve(values.data);
const variables = join(data, "gateway.env");
const gateway = ["--config", "edge/wrangler.toml", "--env", "gateway", "--persist-to", data];
const address = `http://${HOST}:${values.port}`;
const signal = interruption();

keepToCheckout();
await writeEdgeAssets();
if (!values.assets) {
  prepareFolder();
  process.exitCode = (await migrate()) || (await serve());
}

/** What the Worker is given on this machine beside `wrangler.toml`. */
function prepareFolder(): void {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  if (existsSync(variables)) return;
  const key = randomBytes(32).toString("hex");
  const text = [
    `SVC_MASTER_KEY=local:${key}`,
    `SVC_INGEST_SECRET=${randomBytes(32).toString("hex")}`,
    `SVC_ADMIN_SECRET=${randomBytes(32).toString("hex")}`,
    "SVC_WEBHOOK_REACH=loopback",
    `SVC_PUBLIC_URL=${address}`,
    "",
  ].join("\n");
  writeFileSync(variables, text, { mode: 0o600 });
}

/** Brings the tables up to date; resolves with the exit status. */
async function migrate(): Promise<number> {
  const quiet = { WRANGLER_LOG: "warn" };
  return ended(wrangler(["d1", "migrations", "apply", "DB", "--local", ...gateway], quiet));
}

/** Serves until it is interrupted; resolves with the exit status. */
async function serve(): Promise<number> {
  if (signal.aborted) return 0;
  const place = ["--local", "--ip", HOST, "--port", values.port, "--env-file", variables];
  // The system chooses the port of the debugger, which nobody here uses.
  const debugging = ["--inspector-ip", HOST, "--inspector-port", "0"];
  const child = wrangler([
    ...["dev", ...place, ...debugging, ...gateway],
    "--show-interactive-dev-session=false",
  ]);
  signal.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
  const over = new AbortController();
  void callCron(AbortSignal.any([signal, over.signal]));
  const status = await ended(child);
  over.abort();
  return signal.aborted ? 0 : status;
}

/** Says when the Worker answers, then calls it each minute. Never rejects. */
async function callCron(end: AbortSignal): Promise<void> {
  const get = (path: string) => fetch(`${address}${path}`, { signal: end }).catch(() => null);
  const wait = (ms: number) => pause(ms, undefined, { signal: end }).catch(() => undefined);
  while (!end.aborted && (await get("/health"))?.ok !== true) await wait(LOOK_MS);
  if (!end.aborted) console.log(`edge: the gateway answers at ${address}`);
  while (!end.aborted) {
    await wait(CRON_MS);
    await get("/cdn-cgi/local/scheduled");
  }
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
