/** Local network fixture of one test: `svc local` in a process, its data in a fresh folder. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { APP_LIMITS } from "@svc/node-server/app/appLimits.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { freePort } from "../../network/testkit/freePort.ts";
import { svcCommand } from "../../testkit/svcCommand.ts";

/** Two blocks a second: coins mature while the pages load. */
const BLOCK_INTERVAL_MS = 500;

/** A node that can be stopped and started again on the same data and port. */
export class LocalNode {
  readonly #folder = temporaryFolder();
  readonly #port: number;
  readonly #options: readonly string[];
  readonly #grpcPort: number | null;
  #process: ChildProcess | null = null;
  #output = "";

  private constructor(port: number, options: readonly string[], grpcPort: number | null) {
    this.#port = port;
    this.#options = options;
    this.#grpcPort = grpcPort;
  }

  /** Makes a node with an empty chain; `options` go to the command. It does not run yet. */
  static async create(options: readonly string[] = []): Promise<LocalNode> {
    return new LocalNode(await freePort(), options, null);
  }

  /** Makes one that serves its gRPC API, too. */
  static async createWithGrpc(): Promise<LocalNode> {
    return new LocalNode(await freePort(), [], await freePort());
  }

  /** `host:port` of the gRPC API, of a node that serves it. */
  get grpcAddress(): string {
    return `127.0.0.1:${this.#grpcPort}`;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Resolves when the pages are served; blocks come at this interval. */
  async start(blockIntervalMs = BLOCK_INTERVAL_MS): Promise<void> {
    const [command, ...args] = svcCommand([
      "local",
      ...["--appdir", this.#folder.path, "--httplisten", String(this.#port)],
      ...(this.#grpcPort === null ? ["--nogrpc"] : ["--rpclisten", this.grpcAddress]),
      ...["--block-interval", String(blockIntervalMs)],
      ...this.#options,
    ]);
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      const take = (chunk: Buffer) => {
        this.#output += chunk.toString();
        if (this.#output.includes(`${this.url}/v1/tip`)) resolve();
      };
      child.stdout.on("data", take);
      child.stderr.on("data", take);
      child.once("exit", (code) =>
        reject(new Error(`the node ended with ${code}\n${this.#output}`)),
      );
    });
  }

  /** Stops it as Ctrl-C does. Rejects unless it ends with status 0, also when it had ended before. */
  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null) return;
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, "exit");
      child.kill("SIGINT");
      await exited;
    }
    const { exitCode, signalCode } = child;
    if (exitCode !== 0) {
      throw new Error(`the node ended with ${exitCode ?? signalCode}\n${this.#output}`);
    }
    this.#output = "";
  }

  /** Starts it anew on the same data with the longest pause between blocks: no test lives to see its end. */
  async freeze(): Promise<void> {
    await this.stop();
    await this.start(APP_LIMITS.blockIntervalMaxMs);
  }

  /** Stops it and removes its data. */
  async dispose(): Promise<void> {
    try {
      await this.stop();
    } finally {
      this.#folder.remove();
    }
  }
}
