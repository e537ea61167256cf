/**
 * Runs a Worker of the edge in workerd on this machine, without an account and a network:
 * `npm run edge [-- gateway] [--port N] [--data FOLDER]`, `npm run edge -- explorer [--node URL]...`. With `--assets` it builds the files
 * that are deployed beside the gateway, and ends.
 *
 * Database, objects and the master key, which is drawn at the first start, lie in the data folder, `.data/edge` unless another is
 * named. The platform's Cron is not there, so the program calls the Worker each minute in its place. It ends with Ctrl-C.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import * as v from "valibot";
import { keepToCheckout } from "../edge/checkoutOnly.config.ts";
import { ROOT } from "./lib/command.ts";
import { writeEdgeAssets } from "./lib/edgeAssets.ts";
import { edgeAddress, runEdgeWorker, type EdgeWorker } from "./lib/edgeWorker.ts";
import { interruption } from "./lib/interruption.ts";

const USAGE = "npm run edge -- [gateway | explorer [--node URL]...] [--port N] [--data FOLDER]";
const PORTS = { gateway: "8787", explorer: "8788" } as const;
/** The network of `npm start`. */
const LOCAL_PROFILE = join(ROOT, "wasm-core", "profiles", "simnet.json");
const profileForm = v.object({ ports: v.object({ http: v.number() }) });
const LOOK_MS = 1_000;
const WRONG_USE = 2;
/** Files that others do not read. */
const OWN = { mode: 0o600 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: "string" },
    data: { type: "string", default: join(ROOT, ".data", "edge") },
    assets: { type: "boolean", default: false },
    node: { type: "string", multiple: true, default: [localNode()] },
  },
});
const signal = interruption();

keepToCheckout();
process.exitCode = await main(positionals[0] ?? "gateway");

async function main(name: string): Promise<number> {
  if ((name !== "gateway" && name !== "explorer") || positionals.length > 1) {
    console.error(`usage: ${USAGE}`);
    return WRONG_USE;
  }
  const data = resolve(values.data);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const port = values.port ?? PORTS[name];
  const worker: EdgeWorker = { name, port, data, variables: join(data, `${name}.env`) };
  return name === "gateway" ? gateway(worker) : explorer(worker);
}

async function gateway(worker: EdgeWorker): Promise<number> {
  await writeEdgeAssets();
  if (values.assets) return 0;
  if (!existsSync(worker.variables)) writeFileSync(worker.variables, gatewayText(worker), OWN);
  return runEdgeWorker(worker, signal);
}

/** What the gateway is given on this machine beside `wrangler.toml`. */
function gatewayText(worker: EdgeWorker): string {
  const key = randomBytes(32).toString("hex");
  return [
    `SVC_MASTER_KEY=local:${key}`,
    `SVC_INGEST_SECRET=${randomBytes(32).toString("hex")}`,
    `SVC_ADMIN_SECRET=${randomBytes(32).toString("hex")}`,
    "SVC_WEBHOOK_REACH=loopback",
    `SVC_PUBLIC_URL=${edgeAddress(worker)}`,
    "",
  ].join("\n");
}

/** The explorer shows the network of its first node, and waits until that one answers. */
async function explorer(worker: EdgeWorker): Promise<number> {
  const [first = localNode()] = values.node;
  const network = await networkOf(first);
  if (network === null) return 0;
  const nodes = values.node.map((url, at) => `node-${at + 1}=${url}`).join(",");
  const reads = process.env["SVC_READS_PER_MINUTE"];
  const lines = [`SVC_NETWORK=${network}`, `SVC_NODES=${nodes}`];
  if (reads !== undefined) lines.push(`SVC_READS_PER_MINUTE=${reads}`);
  writeFileSync(worker.variables, `${lines.join("\n")}\n`, OWN);
  return runEdgeWorker(worker, signal);
}

/** Where `npm start` answers. */
function localNode(): string {
  const { ports } = v.parse(profileForm, JSON.parse(readFileSync(LOCAL_PROFILE, "utf8")));
  return `http://127.0.0.1:${ports.http}`;
}

/** Null where the program is interrupted before the node answers. */
async function networkOf(node: string): Promise<string | null> {
  let isTold = false;
  while (!signal.aborted) {
    const answer = await fetch(`${node}/api/info/blockdag`, { signal }).catch(() => null);
    const tip: unknown = answer?.ok === true ? await answer.json().catch(() => null) : null;
    const name: unknown = Reflect.get(Object(tip), "networkName");
    if (typeof name === "string" && /^[\w-]{1,64}$/.test(name)) return name;
    if (!isTold) console.log(`edge: waiting for a node at ${node} (start one with npm start)`);
    isTold = true;
    await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  return null;
}
