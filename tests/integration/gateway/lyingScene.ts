/**
 * Two nodes of one chain and a wallet: the wallet pays at a node of its own, and who is paid asks the other one through a proxy that lies
 * where a test has it lie.
 */
import { expect } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { RpcNode } from "@svc/node-server/client/rpcNode.ts";
import { readRecords, type RecordTransaction } from "@svc/shared/protocol/http/recordContainer.ts";
import { core } from "../engine/engineFixture.ts";
import { LyingProxy } from "./lyingProxy.ts";
import { never, startTestNode, tipOf } from "../node/nodeFixture.ts";
import { untilFound } from "../node/untilFound.ts";
import { ALICE, fixture, fund, mine, options } from "../walletd/walletApiCalls.ts";
import { WalletApiScene } from "../walletd/walletApiScene.ts";

const { alice } = fixture.owners;
const LOOK_MS = 250;

/** As soon as `look` finds something; a gateway that is asked more often refuses. */
export function untilAnswered<T>(
  look: () => T | null | false | Promise<T | null | false>,
): Promise<T> {
  return untilFound(look, LOOK_MS);
}

/** The nodes, the proxy and the wallet. */
export class LyingScene {
  /** The wallet's node. */
  readonly there: RunningNode;
  /** The one behind the proxy. */
  readonly here: RunningNode;
  readonly proxy: LyingProxy;
  readonly #wallet: WalletApiScene;

  private constructor(
    { there, here }: Pick<LyingScene, "there" | "here">,
    proxy: LyingProxy,
    wallet: WalletApiScene,
  ) {
    this.there = there;
    this.here = here;
    this.proxy = proxy;
    this.#wallet = wallet;
  }

  /** Starts them on one chain, on which the wallet has notes. */
  static async start(): Promise<LyingScene> {
    const there = await startTestNode(null);
    const here = await startTestNode(null);
    await fund(there);
    const proxy = await LyingProxy.before(here.grpcAddress ?? "");
    const wallet = await WalletApiScene.start({ node: there.grpcAddress ?? "" });
    await wallet.client(ALICE).import({ seed_hex: alice.seed }, options);
    const scene = new LyingScene({ there, here }, proxy, wallet);
    await scene.copyChain();
    return scene;
  }

  /** The wallet pays; the payment waits at its own node alone. */
  async pay(to: string, amount: bigint): Promise<RecordTransaction> {
    await this.#wallet.untilAtTip(this.there, ALICE);
    const body = { to, amount_sompi: String(amount) };
    expect((await this.#wallet.ask("send", { token: ALICE, body })).status).toBe(200);
    const profileJson = core.builtInProfile("simnet");
    const port = new RpcNode(this.there.grpcAddress ?? "", { core, profileJson });
    const [waiting] = await port.pool(never);
    port.close();
    const payment = waiting === undefined ? [] : readRecords(waiting.page)[0]?.transactions;
    if (payment?.[0] === undefined) throw new Error("the payment does not wait");
    return payment[0];
  }

  /** Brings the wallet's chain to the other node. */
  async copyChain(): Promise<void> {
    const { chainIndex } = await tipOf(this.there);
    for (let index = 1n; index <= chainIndex; index += 1n) {
      const hash = (await this.there.api.ask("chainHashAt", [index])) ?? "";
      const raw = await this.there.api.ask("blockBytes", [hash]);
      if (raw === undefined || raw === null) throw new Error(`block ${hash} is missing`);
      await this.here.api.submitBlock(raw, never);
    }
  }

  /** Blocks come to both. */
  async grow(blocks: number): Promise<void> {
    await mine(this.there, blocks);
    await this.copyChain();
  }

  /** Blocks come, and whoever asks the proxy looks at them. */
  async deeper(blocks: number): Promise<void> {
    await this.grow(blocks);
    const before = this.proxy.asked.length;
    await untilAnswered(
      () => this.proxy.asked.slice(before).filter((one) => one === "getBlockDagInfo").length > 1,
    );
  }

  /** Ends them. */
  async stop(): Promise<void> {
    await this.#wallet.stop();
    this.proxy.close();
    await Promise.all([this.there.stop(), this.here.stop()]);
  }
}
