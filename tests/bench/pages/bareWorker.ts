/** The explorer's Worker in workerd itself, bundled as for the platform, without the server that developers have around it. Its history is not there. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { keepToCheckout } from "@svc/edge/checkoutOnly.config.ts";
import { HERE } from "../peers/sides.ts";

const LOOK_MS = 100;
const START_LOOKS = 600;
const COMPATIBILITY_DATE = "2026-11-01";

/** Beyond what anybody asks for here: the load comes from one visitor. */
const READS = "9999999";

/** Where it runs and what it asks. */
export type BareWorkerSpec = {
  /** An empty folder for its bundle. */
  readonly folder: string;
  readonly port: number;
  /** `http://host:port` of its node. */
  readonly node: string;
  readonly network: string;
};

/** A running Worker. */
export class BareWorker {
  readonly address: string;
  readonly #child: ChildProcess;

  private constructor(address: string, child: ChildProcess) {
    this.address = address;
    this.#child = child;
  }

  /** Bundles and starts it; resolves when it answers. Rejects when it does not within a minute. */
  static async start(spec: BareWorkerSpec): Promise<BareWorker> {
    const config = join(spec.folder, "explorer.capnp");
    writeFileSync(config, configOf(spec, bundle(spec.folder)));
    const program = join(HERE, "node_modules", "workerd", "bin", "workerd");
    const args = [program, "serve", "--experimental", config];
    // Its starter waits for the program and passes no signal on: both end as one group.
    const child = spawn(process.execPath, args, { stdio: "inherit", detached: true });
    const worker = new BareWorker(`http://127.0.0.1:${spec.port}`, child);
    for (let look = 0; look < START_LOOKS; look += 1) {
      const health = await fetch(`${worker.address}/health`).catch(() => null);
      if (health?.ok === true) return worker;
      await pause(LOOK_MS);
    }
    await worker.stop();
    throw new Error("the Worker does not answer");
  }

  /** Ends it. */
  async stop(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const exited = once(this.#child, "exit");
    process.kill(-pid, "SIGTERM");
    await exited;
  }
}

/** Bundles it; returns the name of the one file. */
function bundle(folder: string): string {
  keepToCheckout();
  const wrangler = join(HERE, "node_modules", "wrangler", "bin", "wrangler.js");
  const config = ["--config", "edge/wrangler.toml", "--env", "explorer"];
  const args = [wrangler, "deploy", "--dry-run", "--outdir", folder, ...config];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: HERE,
    encoding: "utf8",
  });
  const file = readdirSync(folder).find((name) => name.endsWith(".js"));
  if (status !== 0 || file === undefined) throw new Error(`${stdout}${stderr}`);
  return file;
}

function configOf({ port, node, network }: BareWorkerSpec, file: string): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .explorer),
    (name = "nodes", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const explorer :Workerd.Worker = (
  modules = [(name = "main", esModule = embed "${file}")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
  bindings = [
    (name = "SVC_NODES", text = "node=${node}"),
    (name = "SVC_NETWORK", text = "${network}"),
    (name = "SVC_READS_PER_MINUTE", text = "${READS}"),
    (name = "RELAYS", durableObjectNamespace = "RelayObject"),
  ],
  durableObjectNamespaces = [
    (className = "RelayObject", uniqueKey = "relays", enableSql = true),
  ],
  durableObjectStorage = (inMemory = void),
  globalOutbound = "nodes",
);
`;
}
