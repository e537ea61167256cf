/** Stored choice of the nodes that this browser's wallet talks to, among those that the build allows. */
import { readCheckpoints, type Checkpoints } from "@svc/shared/light/checkpointOf.ts";
import {
  nodeRoles,
  readNodeWish,
  writeNodeWish,
  type NodePlace,
  type NodeRoles,
  type NodeWish,
} from "./nodeList.ts";
import { CHECKPOINT_META, NODE_META, readNodeOrigins, type NodeOrigins } from "./nodeOrigins.ts";

const KEY = "svc.nodes";
/** Where version 1 kept the address of the followed node. */
const FIRST_KEY = "svc.node";

/** The nodes of this build, which its page names. Where no page does, in tests, it is the server of the pages alone. */
export const BUILD_NODES: NodeOrigins = readNodeOrigins(named(NODE_META));

/** Work of networks that this build names, beside the release's. */
export const BUILD_CHECKPOINTS: Checkpoints = readCheckpoints(named(CHECKPOINT_META));

/** What the page says of its build under a name. */
function named(name: string): string | undefined {
  if (typeof document === "undefined") return undefined;
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
}

/** The nodes of this build and the origin that serves the pages. */
export function nodePlace(): NodePlace {
  return { nodes: BUILD_NODES, own: location.origin };
}

/** What was wished in this browser. */
export function nodeWish(): NodeWish {
  return readNodeWish(stored(KEY), stored(FIRST_KEY));
}

let used: NodeRoles | null = null;

/** The roles of this load of the page: the workers know them from their start on. */
export function rolesInUse(): NodeRoles {
  used ??= nodeRoles(nodeWish(), nodePlace());
  return used;
}

/** Remembers a wish; it holds from the next load of the page on. */
export function keepNodeWish(wish: NodeWish): void {
  try {
    localStorage.setItem(KEY, writeNodeWish(wish));
    localStorage.removeItem(FIRST_KEY);
  } catch {
    // Storage is refused: the wish is forgotten when the page is loaded again.
  }
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
