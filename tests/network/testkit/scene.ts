/**
 * Test environment of the network suite: nodes, TCP lines and folders of a test or of a file, which all end with it. A
 * failed test shows what the nodes logged.
 */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFailed, onTestFinished } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { seededRandom, type SeededRandom } from "../../testkit/seededRandom.ts";
import { madeChain, type ChainWish, type MadeChain } from "./chainMaker.ts";
import { keptStore } from "./keptStore.ts";
import { NodeProcess, type NodeSpec } from "./nodeProcess.ts";
import { PERFECT_LINE, TcpProxy, type LineQuality } from "./tcpProxy.ts";

const LOOPBACK = "127.0.0.1";

/** The core in the test's own thread. */
export const core: CoreGlue = await loadCoreFile();

/** What a node of a scene is started with; folder and profile are the scene's. */
export type SceneNode = Omit<NodeSpec, "profile" | "appdir">;

/** The environment of one test, or of the tests of a file. */
export class Scene {
  readonly profile: string;
  readonly random: SeededRandom;
  readonly #folder = temporaryFolder();
  readonly #nodes: NodeProcess[] = [];
  readonly #lines: TcpProxy[] = [];

  /** Begins in a test or hook, with the JSON of a profile. One of a file is ended by it, and shown by each of its tests. */
  constructor(profile: string, { isOfFile = false }: { readonly isOfFile?: boolean } = {}) {
    this.profile = profile;
    this.random = seededRandom("lines");
    writeFileSync(this.profileFile, profile);
    if (isOfFile) return;
    this.showIfFailed();
    onTestFinished(() => this.end());
  }

  /** Prints what its nodes logged when the test that runs fails. */
  showIfFailed(): void {
    onTestFailed(() => console.error(this.#nodes.map(({ log }) => log).join("\n")));
  }

  /** The profile as a file. */
  get profileFile(): string {
    return join(this.#folder.path, "network.json");
  }

  /** Where the node of this name keeps its data. */
  appdir(name: string): string {
    return join(this.#folder.path, name);
  }

  /** Starts a node. */
  async node(spec: SceneNode): Promise<NodeProcess> {
    const appdir = this.appdir(spec.name);
    const node = await NodeProcess.start({ ...spec, profile: this.profileFile, appdir });
    this.#nodes.push(node);
    return node;
  }

  /** Starts a node and does not wait for it. */
  begin(spec: SceneNode): NodeProcess {
    const appdir = this.appdir(spec.name);
    const node = NodeProcess.begin({ ...spec, profile: this.profileFile, appdir });
    this.#nodes.push(node);
    return node;
  }

  /** Starts a line to a port, where it comes from an address of this machine. */
  async line(
    port: number,
    quality: LineQuality = PERFECT_LINE,
    from = LOOPBACK,
  ): Promise<TcpProxy> {
    const line = await TcpProxy.start({ port, from }, quality, this.random);
    this.#lines.push(line);
    return line;
  }

  /** Gives a node that does not run a copy of a store. */
  copyStore({ from, name }: { readonly from: string; readonly name: string }): void {
    mkdirSync(this.appdir(name), { recursive: true });
    cpSync(from, this.appdir(name), { recursive: true });
  }

  /** Ends everything in it. */
  async end(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.kill()));
    await Promise.all(this.#lines.map((line) => line.stop()));
    this.#folder.remove();
  }
}

/** A chain, and the folder of a store that it was loaded into. */
export type StoredChain = MadeChain & {
  /** To be copied to nodes, never to be written to. */
  readonly path: string;
};

/** Makes or finds a chain and the store with it. */
export async function storedChain(wish: ChainWish): Promise<StoredChain> {
  const chain = await madeChain(core, wish);
  const path = await keptStore(core, { profile: wish.profile, blocks: chain.blocks });
  return { ...chain, path };
}
