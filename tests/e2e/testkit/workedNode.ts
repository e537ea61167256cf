/** A whole node of a network that asks for work (16 hashes a block), in this process: it serves pages, and a test mines its blocks. */
import { fileURLToPath } from "node:url";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { systemClock, type Clock } from "@svc/node-server/platform/time/clock.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { never, startJudgingNode } from "../../integration/node/nodeFixture.ts";
import { submitMined, templateFor } from "../../integration/node/workedMiner.ts";
import { placePages } from "./placePages.ts";
import { workedCheckpoint } from "./workedCheckpoint.ts";
import { freePort } from "../../network/testkit/freePort.ts";

/** The network: the rules of simnet on small windows, and real work. */
export const WORKED_PROFILE = fileURLToPath(new URL("../../profiles/worked.json", import.meta.url));

/** How a node is started, where it differs from what the pages of the project ask for. */
export type WorkedWish = {
  readonly port?: number;
  /** Folder of the pages, or null for none; where nothing is said those of the project, which know the network's work. */
  readonly pages?: string | null;
  /** Origins of other pages that may ask it. */
  readonly origins?: readonly string[];
  /** Whether it has the index, which the explorer's pages need; off where nothing is said. */
  readonly index?: "on" | "off";
  /** How far its clock, and so the time of its blocks, is behind that of the browser. */
  readonly behindMs?: bigint;
  /** File of another profile than that network's. */
  readonly profile?: string;
};

/** The node. */
export class WorkedNode {
  readonly url: string;
  readonly #node: RunningNode;
  readonly #setBehind: (ms: bigint) => void;

  readonly #pages: TemporaryFolder | null;

  private constructor(
    node: RunningNode,
    setBehind: (ms: bigint) => void,
    pages: TemporaryFolder | null,
  ) {
    this.url = node.httpAddress ?? "";
    this.#node = node;
    this.#setBehind = setBehind;
    this.#pages = pages;
  }

  /** Starts one with genesis alone. */
  static async start(wish: WorkedWish = {}): Promise<WorkedNode> {
    let behindMs = wish.behindMs ?? 0n;
    const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() - behindMs };
    const file = wish.profile ?? WORKED_PROFILE;
    const own = wish.pages === undefined ? await knowingPages(file) : null;
    const node = await startJudgingNode(null, {
      network: { file },
      pages: wish.pages ?? own?.path ?? null,
      http: { port: wish.port ?? (await freePort()) },
      httpRules: { ...OWN_PAGES, origins: wish.origins ?? [] },
      index: wish.index ?? "off",
      allowUnsyncedMining: true,
      clock,
    });
    const setBehind = (ms: bigint): void => {
      behindMs = ms;
    };
    return new WorkedNode(node, setBehind, own);
  }

  /** Its clock is right from now on. */
  catchUpClock(): void {
    this.#setBehind(0n);
  }

  /** Mines blocks that pay the first address of a seed, one on top of the other; gives them as other nodes take them. */
  async mine(count: number, seed: string): Promise<readonly Uint8Array[]> {
    const core = await loadCoreFile();
    const payScript = core.addressAt(core.fullViewingKey(decodeHex(seed)), 0);
    const { api } = this.#node;
    const blocks: Uint8Array[] = [];
    for (let mined = 0; mined < count; mined += 1) {
      blocks.push(await submitMined(api, await templateFor(api, payScript)));
    }
    return blocks;
  }

  /** Takes blocks that another node mined. Rejects where it does not accept one. */
  async take(blocks: readonly Uint8Array[]): Promise<void> {
    for (const block of blocks) {
      const outcome = await this.#node.api.submitBlock(block, never);
      if (outcome.kind !== "accepted") throw new Error(JSON.stringify(outcome));
    }
  }

  async stop(): Promise<void> {
    await this.#node.stop();
    this.#pages?.remove();
  }
}

/** The pages of the project with the work of a network. */
async function knowingPages(file: string): Promise<TemporaryFolder> {
  const folder = temporaryFolder();
  await placePages(folder.path, "self", { checkpoints: await workedCheckpoint(file) });
  return folder;
}
