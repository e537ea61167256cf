/**
 * Durable Object that asks the nodes in the place of all instances of the Worker. It stores nothing: what it holds is in memory, and
 * bounded. The object named `tip` looks at the nodes, and tells the others which may be asked.
 */
import { DurableObject } from "cloudflare:workers";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import { edgeNow } from "../../platform/edgeClock.ts";
import { answering, type ObjectAnswer } from "../../platform/objectAnswer.ts";
import type { RestCall } from "../answers/restCall.ts";
import type { ExplorerEnv } from "./explorerEnv.ts";
import { nodeList } from "./nodeList.ts";
import { unseenNode, usableNodes, type NodeViews } from "./nodeStandings.ts";
import { HEALTH_CALL, NodeWatch, TIP_CALL } from "./nodeWatch.ts";
import { Relay, type RelayedAnswer } from "./relay.ts";

/** Name of the object that looks at the nodes. */
const TIP_OBJECT = "tip";

/** Name of the object that asks for a call. */
export function relayNameOf({ key }: Pick<RestCall, "key">): string {
  if (key === TIP_CALL.key || key === HEALTH_CALL.key) return TIP_OBJECT;
  let sum = 0;
  // Its digits spread hashes well enough.
  for (let at = 0; at < key.length; at += 1) sum = (sum * 31 + key.charCodeAt(at)) % PRIME;
  return `relay-${sum % EXPLORER_LIMITS.relays}`;
}

const PRIME = 1_000_003;

/** The object of a part of the paths. */
export class RelayObject extends DurableObject<ExplorerEnv> {
  readonly #isTip = this.ctx.id.equals(this.env.RELAYS.idFromName(TIP_OBJECT));
  readonly #nodes = nodeList(this.env);
  readonly #watch = new NodeWatch({ nodes: this.#nodes, network: this.env.SVC_NETWORK, now });
  readonly #relay = new Relay({
    ...{ nodes: this.#nodes, now },
    usable: async () => usableNodes(await this.#views(), now()),
    accept: (node, call, answer) => this.#watch.accept(node, call, answer),
  });
  #told: NodeViews = this.#nodes.map(({ name }) => unseenNode(name));
  #toldMs = 0;

  /** Answers a call. */
  async ask(call: RestCall): Promise<ObjectAnswer<RelayedAnswer>> {
    return answering(() => this.#relay.ask(call));
  }

  /** What is known of the nodes. Only the object named `tip` knows. */
  async views(): Promise<NodeViews> {
    return this.#watch.views(this.#relay);
  }

  async #views(): Promise<NodeViews> {
    if (this.#isTip) return this.#watch.views(this.#relay);
    if (now() - this.#toldMs < EXPLORER_LIMITS.standingAgeMs) return this.#told;
    try {
      this.#told = await this.env.RELAYS.getByName(TIP_OBJECT).views();
      this.#toldMs = now();
    } catch {
      // What was told before holds until the object is there again.
    }
    return this.#told;
  }
}

/** The object that looks at the nodes. */
export function tipObject(env: Pick<ExplorerEnv, "RELAYS">): DurableObjectStub<RelayObject> {
  return env.RELAYS.getByName(TIP_OBJECT);
}

function now(): number {
  return Number(edgeNow());
}
