/** What the explorer's Worker is given by `wrangler.toml`. */
import type { RelayObject } from "./relayObject.ts";

/** Bindings. */
export type ExplorerEnv = {
  /** Search and history. */
  readonly DB: D1Database;
  /** The objects that ask the nodes. */
  readonly RELAYS: DurableObjectNamespace<RelayObject>;
  /** The built files of the pages; left out, there are no pages. */
  readonly ASSETS?: Pick<Fetcher, "fetch">;
  /** Counts the calls of a visitor that reach a relay, over all instances of a data centre. */
  readonly READS?: RateLimit;
  /** Nodes that are asked: `<name>=<URL>`, several with commas between them. */
  readonly SVC_NODES: string;
  /** Secret. Bearer tokens of nodes that ask for one: `<name>:<token>`, several with commas between them. */
  readonly SVC_NODE_TOKENS?: string;
  /** Name of the network; a node of another one is not asked. */
  readonly SVC_NETWORK: string;
  /** Calls of one visitor in a minute, where it is not `readsPerMinute`. */
  readonly SVC_READS_PER_MINUTE?: string;
};
