/**
 * Scene of a wallet daemon over a real node: a payer with notes, a shop that is paid in the same daemon, and somebody elsewhere.
 * Daemons come and go; clients ask whichever runs.
 */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { onTestFailed, onTestFinished } from "vitest";
import * as v from "valibot";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { WalletClient } from "@svc/shared/protocol/wallet/walletClient.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { WalletKit, walletClock } from "../../demo/walletKit.ts";
import { PAYER_SEED, type ChainWish } from "../testkit/chainMaker.ts";
import { pruneNetwork, PATIENCE_MS } from "../testkit/networkSizes.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { untilSo, type NodeProcess } from "../testkit/nodeProcess.ts";
import { programEnd } from "../testkit/programEnd.ts";
import { core, Scene, storedChain, type StoredChain } from "../testkit/scene.ts";
import { WalletdProcess, type WalletdSpec } from "./walletdProcess.ts";
import { HOOK_SECRET, type WebhookReceiver } from "./webhookReceiver.ts";

/** Blocks of the usual chain. */
const USUAL_BLOCKS = 80;
/** Blocks above a payment until nothing of it is pending. */
const SETTLING_BLOCKS = 12;
const SHOP_SEED: Uint8Array = new Uint8Array(32).fill(11);
const ELSEWHERE_SEED: Uint8Array = new Uint8Array(32).fill(12);
/** What the folders of `svc walletd` are sealed with. */
const SECRET = "--wallet-secret=a secret of the tests";
const PLAINTEXT = "seeds, histories and memos are stored in plaintext";
/** Names of a file that is not whole yet. */
const UNFINISHED = /\.new$/;

/** Tokens of the wallets in the daemon. */
export const PAYER = "payer";
export const SHOP = "shop";

const never: AbortSignal = new AbortController().signal;
const chainRows = v.object({
  rows: v.array(v.object({ applied: v.array(v.object({ txid: v.string() })) })),
});

/** A chain that gives the payer a note every ten blocks; the last ones cannot be spent yet. */
export function notesChain(count = USUAL_BLOCKS): Promise<StoredChain> {
  const wish: ChainWish = { profile: pruneNetwork(), count, payments: [], waiting: 0 };
  return storedChain(wish);
}

/** What differs between scenes. */
export type WalletdSceneParts = {
  readonly chain: StoredChain;
  /** As in `WalletdSpec`. */
  readonly program?: WalletdSpec["program"];
  /** Where the wallets are; a folder of the scene when left out. */
  readonly walletDir?: string;
  /** Where the daemons send the feeds; nowhere when left out. */
  readonly hook?: Pick<WebhookReceiver, "url">;
};

/** A node, a wallet folder, and the daemon that runs now. */
export class WalletdScene {
  readonly scene: Scene;
  readonly walletDir: string;
  /** The last lines of all daemons. */
  readonly log: string[] = [];
  node: NodeProcess;
  /** Where the daemons find the node. */
  nodeAddress: string;
  daemon: WalletdProcess | null = null;
  /** Where clients find the daemon, when that is another address than its own. */
  apiAddress: string | null = null;
  readonly #parts: WalletdSceneParts;

  private constructor(scene: Scene, node: NodeProcess, parts: WalletdSceneParts) {
    this.scene = scene;
    this.node = node;
    this.nodeAddress = node.grpcAddress;
    this.#parts = parts;
    this.walletDir = parts.walletDir ?? scene.appdir("wallets");
    mkdirSync(scene.appdir("home"), { recursive: true });
    writeFileSync(scene.appdir("hook-secret"), HOOK_SECRET);
    onTestFailed(() => console.error(this.log.slice(-80).join("\n")));
    onTestFinished(() => this.daemon?.end());
  }

  /** Starts the node; no daemon runs yet. */
  static async make(parts: WalletdSceneParts): Promise<WalletdScene> {
    const scene = new Scene(pruneNetwork());
    scene.copyStore({ from: parts.chain.path, name: "node" });
    const node = await scene.node({ name: "node" });
    await node.keysReady(PATIENCE_MS);
    return new WalletdScene(scene, node, parts);
  }

  /** Starts a daemon and does not wait for it. */
  begin(): WalletdProcess {
    this.daemon = WalletdProcess.begin(this.spec());
    return this.daemon;
  }

  /** Starts a daemon; resolves when it listens. */
  async start(): Promise<WalletdProcess> {
    const daemon = this.begin();
    await daemon.listening();
    return daemon;
  }

  /** How a daemon of the scene is started. */
  spec(walletDir = this.walletDir): WalletdSpec {
    const { profileFile: profile } = this.scene;
    const home = this.scene.appdir("home");
    const { program, hook } = this.#parts;
    const { nodeAddress: node, log } = this;
    const secretFile = this.scene.appdir("hook-secret");
    const feeds =
      hook === undefined
        ? []
        : [`--webhook-url=${hook.url}`, `--webhook-secret-file=${secretFile}`];
    const base = { profile, walletDir, node, home, log };
    return program === undefined
      ? { ...base, more: [SECRET, ...feeds] }
      : { ...base, more: feeds, program };
  }

  /** A client of the daemon that runs now. Rejects with `api/unreachable` while none listens. */
  client(token: string): WalletClient {
    const baseUrl = this.apiAddress ?? this.daemon?.address ?? null;
    if (baseUrl === null) throw new SvcError("api/unreachable", { url: "no daemon" });
    return new WalletClient({ baseUrl, token });
  }

  /** Brings the wallets into the folder and waits until they are scanned. */
  async fill(): Promise<void> {
    await this.start();
    const seeds = [
      [PAYER, PAYER_SEED],
      [SHOP, SHOP_SEED],
    ] as const;
    for (const [token, seed] of seeds) {
      await this.client(token).import({ seed_hex: encodeHex(seed), birthday: 0n }, options());
    }
    for (const [token] of seeds) await this.untilSynced(token);
  }

  /** Resolves when all of the node's chain is scanned for a wallet. */
  async untilSynced(token: string): Promise<void> {
    await untilSo(async () => {
      const status = await this.status(token);
      const { virtualDaaScore } = await this.#tipScores();
      return status !== null && status.synced && status.daa_score >= virtualDaaScore - 1;
    }, PATIENCE_MS).catch(async (error: unknown) => {
      throw new Error(`${String(error)}: ${JSON.stringify(await this.status(token), replacer)}`);
    });
  }

  async #tipScores(): Promise<{ readonly virtualDaaScore: number }> {
    const { chainIndex } = await this.node.tip();
    return { virtualDaaScore: Number(chainIndex) };
  }

  /** The status of a wallet; null while no daemon answers. */
  async status(token: string) {
    try {
      return await this.client(token).status(options());
    } catch (thrown) {
      if (isPassing(thrown)) return null;
      throw thrown;
    }
  }

  /** Waits until the daemon says that it is ready, or that it is not; resolves with why not. */
  async untilReady(isReady: boolean): Promise<string> {
    let reasons: readonly string[] = [];
    await untilSo(async () => {
      const said = await this.client(PAYER).ready(options());
      ({ reasons } = said);
      return said.ready === isReady;
    }, PATIENCE_MS);
    return reasons.join(" ");
  }

  /** Resolves when all of these payments wait at the node. */
  async untilWaiting(txids: readonly string[]): Promise<void> {
    await untilSo(async () => {
      const waiting = new Set(await this.node.waiting());
      return txids.every((txid) => waiting.has(txid));
    }, PATIENCE_MS);
  }

  /** Mines what waits at the node, and what makes it final; resolves when the payer's wallet has scanned it. */
  async settle(): Promise<void> {
    await mineAt(this.node, SETTLING_BLOCKS, payAddressOf(1));
    await this.untilSynced(PAYER);
  }

  /** Ids of the payments that blocks of the chain applied, one for each application. */
  async applied(): Promise<readonly string[]> {
    const chain = await fetch(`${this.node.http}/v1/chain?limit=200`);
    const { rows } = v.parse(chainRows, await chain.json());
    return rows.flatMap((row) => row.applied.map(({ txid }) => txid));
  }

  /** The state of somebody's wallet as the chain alone has it. */
  async scanned(who: "payer" | "shop" | "elsewhere"): Promise<WalletState> {
    const kit = this.#kit({ payer: PAYER_SEED, shop: SHOP_SEED, elsewhere: ELSEWHERE_SEED }[who]);
    try {
      const sync = await kit.open(new HttpNode(this.node.http), never);
      await sync.catchUp(never);
      return sync.state;
    } finally {
      await kit.close();
    }
  }

  /** Addresses of who is paid. */
  addressOf(who: "shop" | "elsewhere"): string {
    const kit = this.#kit(who === "shop" ? SHOP_SEED : ELSEWHERE_SEED);
    void kit.close();
    return kit.address;
  }

  /** Files of the folder that are not whole. */
  unfinished(): readonly string[] {
    return readdirSync(this.walletDir, { recursive: true, encoding: "utf8" }).filter((name) =>
      UNFINISHED.test(name),
    );
  }

  /** What `svc walletd doctor` finds in the folder, beside that it is not sealed. No daemon may run. */
  async doctor(walletDir = this.walletDir): Promise<readonly string[]> {
    const isSealed = this.#parts.program === undefined;
    const { stdout, stderr } = await programEnd([
      ...["walletd", "doctor", `--profile=${this.scene.profileFile}`],
      ...[`--wallet-dir=${walletDir}`, ...(isSealed ? [SECRET] : [])],
    ]);
    const lines = `${stdout}${stderr}`.trim().split("\n");
    const isKnown = (line: string): boolean =>
      /^\d+ wallets, \d+ findings$/.test(line) || (!isSealed && line.includes(PLAINTEXT));
    return lines.filter((line) => !isKnown(line));
  }

  #kit(seed: Uint8Array): WalletKit {
    const profileJson = callCore(() => core.canonicalProfile(pruneNetwork()));
    const prover = { prove: () => Promise.reject(new SvcError("wallet/cancelled", {})) };
    const parts = { core, profileJson, prover, clock: walletClock(systemClock) };
    return new WalletKit(parts, new Secret(seed.slice()));
  }
}

/** Options of a call that nobody gives up. */
export function options(): { readonly signal: AbortSignal } {
  return { signal: never };
}

/** What a client meets whose daemon is away, or not ready yet: it asks again. */
export function isPassing(thrown: unknown): boolean {
  const { code } = SvcError.from(thrown);
  const passing: readonly string[] = [
    "api/unreachable",
    "run/timeout",
    "wallet/opening",
    "wallet/not-synced",
    "wallet/no-anchor",
    "node/stopping",
  ];
  return passing.includes(code);
}

function replacer(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
