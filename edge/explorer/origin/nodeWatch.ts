/** Looks at the nodes: which network each is of, how far its tip is, and whether it says that it is well. */
import * as v from "valibot";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import type { KeptAnswer } from "../answers/keptAnswer.ts";
import type { RestCall } from "../answers/restCall.ts";
import type { OriginNode } from "./nodeList.ts";
import { unseenNode, usableNodes, withHealth, withTip, type NodeViews } from "./nodeStandings.ts";
import type { Relay } from "./relay.ts";

/** The call whose answer tells network and tip. */
export const TIP_CALL: RestCall = {
  ...{ name: "blockDag", path: "/info/blockdag", body: null },
  key: "/info/blockdag",
};
/** The call by which a node says whether it is well. */
export const HEALTH_CALL: RestCall = {
  ...{ name: "health", path: "/health", body: null, key: "/health" },
};

const tipForm = v.object({ networkName: v.string(), virtualDaaScore: v.string() });

/** Dependencies of the watch. */
export type NodeWatchParts = {
  readonly nodes: readonly OriginNode[];
  /** Name of the network. */
  readonly network: string;
  readonly now: () => number;
};

/** The watch over the nodes. */
export class NodeWatch {
  readonly #parts: NodeWatchParts;
  #views: NodeViews;
  #lookedMs = 0;
  #looking: Promise<void> | null = null;

  constructor(parts: NodeWatchParts) {
    this.#parts = parts;
    this.#views = parts.nodes.map(({ name }) => unseenNode(name));
  }

  /** What is known of them; looks again where that is older than `nodeLookMs`, and waits for it where it is far older. */
  async views(relay: Relay): Promise<NodeViews> {
    const age = this.#parts.now() - this.#lookedMs;
    if (age >= EXPLORER_LIMITS.nodeLookMs) {
      this.#looking ??= this.#look(relay).finally(() => {
        this.#looking = null;
      });
    }
    if (age >= EXPLORER_LIMITS.nodeSeenMs) await this.#looking;
    return this.#views;
  }

  /** Takes notice of an answer; false for one that tells of another network. */
  accept(node: string, call: RestCall, { status, bytes }: KeptAnswer): boolean {
    if (call.key === HEALTH_CALL.key) this.#views = withHealth(this.#views, node, true);
    if (call.key !== TIP_CALL.key || status !== 200) return true;
    const tip = v.parse(tipForm, JSON.parse(new TextDecoder().decode(bytes)));
    const isOurs = tip.networkName === this.#parts.network;
    const score = Number(tip.virtualDaaScore);
    this.#views = withTip(this.#views, node, { isOurs, score }, this.#parts.now());
    return isOurs;
  }

  async #look(relay: Relay): Promise<void> {
    const { nodes, now } = this.#parts;
    const beganMs = now();
    const tips = new Map<string, KeptAnswer>();
    await Promise.all(
      nodes.map(async (node) => {
        const tip = await relay.look(node, TIP_CALL).catch(() => null);
        if (tip?.kind === "answer") tips.set(node.name, tip.answer);
        const health = await relay.look(node, HEALTH_CALL).catch(() => null);
        if (health?.kind === "none") this.#views = withHealth(this.#views, node.name, false);
      }),
    );
    const [first = ""] = usableNodes(this.#views, now());
    const tip = tips.get(first);
    // Nobody has to ask the node for it once more.
    if (tip !== undefined) relay.keep(TIP_CALL, tip);
    this.#lookedMs = beganMs;
  }
}
