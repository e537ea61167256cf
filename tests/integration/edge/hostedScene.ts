/**
 * The hosted gateway from nothing, as an operator runs it: its Worker in workerd, `svc gateway scan --push` beside a node, and a merchant with
 * an API key that is set up by commands.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { GatewayClient } from "@svc/shared/protocol/gateway/gatewayClient.ts";
import type { InvoiceRecord } from "@svc/shared/protocol/gateway/invoiceRecord.ts";
import { freePort } from "../../network/testkit/freePort.ts";
import { ListeningProgram } from "../../network/testkit/listeningProgram.ts";
import { svcCommand } from "../../testkit/svcCommand.ts";
import { core } from "../engine/engineFixture.ts";
import { untilFound } from "../node/untilFound.ts";
import { fixture, options } from "../walletd/walletApiCalls.ts";

const { bob } = fixture.owners;
const INGEST_SECRET = "what-the-scanner-signs-with";
const ADMIN_SECRET = "what-the-operator-signs-with";
/** What every payment of a test is. */
export const HOSTED_AMOUNT = 100_000_000n;
/** Blocks that have to lie above a payment. */
export const HOSTED_DEPTH = 3;

/** The gateway, its scanner, and the programs' folder. */
export class HostedScene {
  readonly #folder = temporaryFolder();
  readonly #port: number;
  #worker: ListeningProgram | null = null;
  #scanner: ListeningProgram | null = null;
  #client: GatewayClient | null = null;
  /** The last lines of both programs. */
  readonly log: string[] = [];

  private constructor(port: number) {
    this.#port = port;
  }

  /** Starts the Worker and makes the merchant `shop`, who is paid at bob's key; the scanner is not started yet. */
  static async open(scopes: readonly string[]): Promise<HostedScene> {
    const scene = new HostedScene(await freePort());
    try {
      await scene.#begin(scopes);
    } catch (error) {
      await scene.close();
      throw error;
    }
    return scene;
  }

  /** Folder of all that the programs keep. */
  get path(): string {
    return this.#folder.path;
  }

  /** Where the Worker answers. */
  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Folder of the gateway, with the viewing keys in it. */
  get gatewayFolder(): string {
    return join(this.path, "gateway");
  }

  /** The merchant's calls. */
  get client(): GatewayClient {
    if (this.#client === null) throw new Error("the merchant has no key yet");
    return this.#client;
  }

  /** Starts the scanner over the node at a gRPC address. */
  async scan(node: string, ...flags: readonly string[]): Promise<void> {
    this.#scanner = new ListeningProgram({
      name: "scanner",
      command: [
        ...["node-server/bin/svc.ts", "gateway", "scan", `--push=${this.address}`],
        ...[`--rpc-server=${node}`, ...flags, ...this.#place()],
      ],
      home: this.#home,
      listens: /^facts to +(http:\S+)/,
      environment: { SVC_INGEST_SECRET: INGEST_SECRET },
      log: this.log,
    });
    await this.#scanner.listening();
  }

  /** Kills it. */
  async killScanner(): Promise<void> {
    await this.#scanner?.kill();
    this.#scanner = null;
  }

  /** Ends the Worker. */
  async stopWorker(): Promise<void> {
    await this.#worker?.stop();
    this.#worker = null;
  }

  /** Starts it again, where it was. */
  async startWorker(): Promise<void> {
    this.#worker = this.#startWorker();
    await this.#worker.listening();
  }

  /** Runs a command at the hosted gateway; returns what it prints. */
  command(...args: readonly string[]): string {
    const words = ["gateway", ...args, `--hosted=${this.address}`, ...this.#place()];
    const [program, ...rest] = svcCommand(words);
    const env = { ...process.env, HOME: this.#home, SVC_ADMIN_SECRET: ADMIN_SECRET };
    return execFileSync(program, rest, { encoding: "utf8", env }).trim();
  }

  /** An invoice, as soon as the Worker has an address for it. */
  create(orderId: string): Promise<InvoiceRecord> {
    const terms = { orderId, amountSompi: HOSTED_AMOUNT, requiredBlueScore: HOSTED_DEPTH };
    return untilFound(async () => {
      try {
        return await this.client.createInvoice(terms, { ...options, idempotencyKey: orderId });
      } catch (thrown) {
        if (SvcError.is(thrown, "gateway/no-address")) return null;
        throw thrown;
      }
    });
  }

  /** The invoice, as soon as it has this status. */
  until(id: string, status: InvoiceRecord["status"]): Promise<InvoiceRecord> {
    return untilFound(async () => {
      const record = await this.client.invoice(id, options);
      return record.status === status && record;
    });
  }

  /** Ends both programs. */
  async close(): Promise<void> {
    await this.#scanner?.stop();
    await this.stopWorker();
    this.#folder.remove();
  }

  get #home(): string {
    return join(this.path, "home");
  }

  get #data(): string {
    return join(this.path, "edge");
  }

  #place(): readonly string[] {
    return ["--network=simnet", `--gateway-dir=${this.gatewayFolder}`];
  }

  async #begin(scopes: readonly string[]): Promise<void> {
    this.#writeSettings();
    this.#worker = this.#startWorker();
    const baseUrl = await this.#worker.listening();
    const keyFile = join(this.path, "viewing.key");
    writeFileSync(keyFile, encodeHex(core.fullViewingKey(decodeHex(bob.seed))));
    this.command("merchants", "add", "shop", `--viewing-key-file=${keyFile}`);
    const asked = scopes.map((scope) => `--scope=${scope}`);
    const apiKey = this.command("keys", "issue", "shop", "--label=till", ...asked);
    this.#client = new GatewayClient({ baseUrl, apiKey });
  }

  #writeSettings(): void {
    mkdirSync(this.#home);
    mkdirSync(this.#data);
    const variables = [
      `SVC_MASTER_KEY=k1:${"5a".repeat(32)}`,
      `SVC_INGEST_SECRET=${INGEST_SECRET}`,
      `SVC_ADMIN_SECRET=${ADMIN_SECRET}`,
      "SVC_NETWORK=simnet",
      "SVC_COIN=SVCSIM",
      "SVC_SCANNER=scanner",
      "SVC_WEBHOOK_REACH=loopback",
      `SVC_PUBLIC_URL=${this.address}`,
    ];
    writeFileSync(join(this.#data, "gateway.env"), `${variables.join("\n")}\n`);
  }

  #startWorker(): ListeningProgram {
    return new ListeningProgram({
      name: "edge",
      command: ["scripts/edge.ts", `--port=${this.#port}`, `--data=${this.#data}`],
      home: this.#home,
      listens: /the gateway answers at (http:\S+)/,
      log: this.log,
    });
  }
}
