/** A node with a busy chain, and folders of wallets that own parts of it, for benchmarks of the wallet daemon. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RpcNode } from "@svc/node-server/client/rpcNode.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import type { WalletToken } from "@svc/node-server/walletd/keys/walletToken.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { keptStore } from "../../network/testkit/keptStore.ts";
import { pruneNetwork } from "../../network/testkit/networkSizes.ts";
import { mineAt, payAddressOf } from "../../network/testkit/nodeMiner.ts";
import { NodeProcess } from "../../network/testkit/nodeProcess.ts";
import { makeWallets, openBenchDaemon, type BenchDaemon } from "./benchDaemon.ts";
import { busyChain, busySeed } from "./busyChain.ts";

/** Blocks of the chain: below the pruning depth of its network. */
const BLOCKS = 3_000;
/** Wallets that mine. */
const WALLETS = 100;
/** The byte of a wallet that mines for nobody. */
const STRANGER = 77;
/** Milliseconds for the start of the node. */
const PATIENCE_MS = 120_000;

/** A daemon over the scene's node. */
export type SceneDaemon = BenchDaemon & { readonly tokens: readonly WalletToken[] };

/** The scene. */
export class WalletScene {
  readonly core: CoreGlue;
  readonly profile: string;
  readonly blocks = BLOCKS;
  readonly #folder: string;
  readonly #node: NodeProcess;
  #folders = 0;

  private constructor(core: CoreGlue, folder: string, node: NodeProcess) {
    this.core = core;
    this.profile = pruneNetwork();
    this.#folder = folder;
    this.#node = node;
  }

  /** Starts the node; its chain is made when there is none. */
  static async start(folder: string): Promise<WalletScene> {
    const core = await loadCoreFile();
    const profile = pruneNetwork();
    const blocks = await busyChain(core, { profile, blocks: BLOCKS, wallets: WALLETS });
    const stored = await keptStore(core, { profile, blocks });
    const profileFile = join(folder, "network.json");
    writeFileSync(profileFile, profile);
    const appdir = join(folder, "node");
    cpSync(stored, appdir, { recursive: true });
    const more = ["--loglevel=warn"];
    const node = await NodeProcess.start({ name: "node", profile: profileFile, appdir, more });
    await node.keysReady(PATIENCE_MS);
    return new WalletScene(core, folder, node);
  }

  /** File of the network's profile. */
  get profileFile(): string {
    return this.#node.spec.profile;
  }

  /** `host:port` of the node's RPC server. */
  get nodeAddress(): string {
    return this.#node.grpcAddress;
  }

  /** Mines so many blocks, for a wallet of nobody's. */
  async mine(count: number): Promise<void> {
    await mineAt(this.#node, count, payAddressOf(STRANGER));
  }

  /** A connection to the node. */
  connect(): RpcNode {
    const profileJson = callCore(() => this.core.canonicalProfile(this.profile));
    return new RpcNode(this.#node.grpcAddress, { core: this.core, profileJson });
  }

  /** A folder that is not there yet. */
  newFolder(): string {
    this.#folders += 1;
    const path = join(this.#folder, `wallets-${this.#folders}`);
    mkdirSync(path);
    return path;
  }

  /** A daemon with so many of the wallets, which has scanned nothing. */
  async daemon(wallets: number): Promise<SceneDaemon> {
    const { core, profile } = this;
    const path = this.newFolder();
    const seeds = Array.from({ length: wallets }, (_, number) => busySeed(number));
    const tokens = await makeWallets({ core, profile, path }, seeds);
    const node = this.connect();
    const open = await openBenchDaemon({ core, profile, path, node, most: WALLETS });
    const stop = async (): Promise<void> => {
      await open.stop();
      node.close();
    };
    return { ...open, tokens, stop };
  }

  /** Ends the node. */
  async stop(): Promise<void> {
    await this.#node.kill();
  }
}
