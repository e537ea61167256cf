/**
 * Node monitor: polls the node for the page and reports its tip, its network, whether it answers and whether it mines on
 * request.
 */
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PAGE_LIMITS } from "../pageLimits.ts";
import type { TipAnswer } from "@svc/shared/protocol/facts/tipFacts.ts";
import { browserClock } from "./browserClock.ts";
import type { NodeView } from "../wallet-api/walletApi.ts";
import type { Network } from "../node/networks.ts";
import { askMiner, askTip } from "../node/nodeQuestions.ts";

/** Fetches and checks the profile of the node's network. */
export type NetworkReader = (signal: AbortSignal) => Promise<Network>;

/** Looks at the node again and again until its signal fires. */
export class NodeWatch {
  readonly #url: string;
  readonly #readNetwork: NetworkReader;
  readonly #onChange: () => void;
  #view: NodeView;
  #network: Network | null = null;
  #tip: TipAnswer | null = null;
  #wake: () => void = () => undefined;

  constructor(url: string, readNetwork: NetworkReader, onChange: () => void) {
    this.#url = url;
    this.#readNetwork = readNetwork;
    this.#onChange = onChange;
    this.#view = {
      url,
      state: "connecting",
      live: false,
      answerMs: null,
      network: null,
      tip: null,
      minesOnRequest: false,
      problem: null,
    };
  }

  get view(): NodeView {
    return this.#view;
  }

  /** The node's network; null until it has told. */
  get network(): Network | null {
    return this.#network;
  }

  /** The last tip; null until the first. */
  get tip(): TipAnswer | null {
    return this.#tip;
  }

  /** Looks now instead of later. */
  wake(): void {
    this.#wake();
  }

  /** The live connection came up or went down. */
  setLive(live: boolean): void {
    this.#set({ live });
  }

  /** Runs until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#look(signal);
      const stop = new AbortController();
      this.#wake = () => stop.abort();
      const pause = AbortSignal.any([signal, stop.signal]);
      await browserClock.sleep(PAGE_LIMITS.walletPollMs, pause).catch(() => undefined);
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    try {
      const asked = performance.now();
      const tip = await askTip(this.#url, signal);
      const answerMs = BigInt(Math.round(performance.now() - asked));
      if (this.#network?.view.digest !== tip.profileDigest) await this.#meet(tip, signal);
      this.#tip = tip;
      this.#set({
        state: "online",
        problem: null,
        answerMs,
        tip: {
          chainIndex: tip.chainIndex,
          blueScore: tip.sinkBlueScore,
          mempoolSize: tip.mempoolSize,
          isSynced: tip.isSynced,
          proverReady: tip.proverReady,
        },
      });
    } catch (thrown) {
      if (signal.aborted) return;
      const error = SvcError.from(thrown);
      this.#set({ state: stateOf(error), problem: error.toJSON() });
    }
  }

  /** First answer, or another network than before. */
  async #meet(tip: TipAnswer, signal: AbortSignal): Promise<void> {
    const network = await this.#readNetwork(signal);
    if (network.view.digest !== tip.profileDigest) {
      const data = { expected: network.view.digest, found: tip.profileDigest };
      throw new SvcError("wallet/node-wrong-network", data);
    }
    this.#network = network;
    const miner = await askMiner(this.#url, signal);
    this.#set({ network: network.view, minesOnRequest: miner !== null });
  }

  #set(change: Partial<NodeView>): void {
    this.#view = { ...this.#view, ...change };
    this.#onChange();
  }
}

function stateOf(error: ErrorJson): NodeView["state"] {
  const refused = error.code === "wallet/node-wrong-network" || error.code.startsWith("profile/");
  return refused ? "refused" : "offline";
}
