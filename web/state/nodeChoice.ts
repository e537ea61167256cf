/** Stored choice of the node that this browser's wallet talks to, among those that the build allows. */
import {
  nodeToUse,
  otherNode,
  readNodeAddress,
  readNodeOrigins,
  type NodeAddress,
  type NodeOrigins,
} from "./nodeOrigins.ts";

const KEY = "svc.node";

/** Set by the build (`vite.config.ts`); tests and the development server have none. */
const OPTION: unknown = import.meta.env.SVC_NODE_ORIGINS;

/** The nodes of this build. */
export const BUILD_NODES: NodeOrigins = readNodeOrigins(
  typeof OPTION === "string" ? OPTION : undefined,
);

/** The node to talk to. */
export function currentNode(): string {
  return nodeToUse(stored(), BUILD_NODES, location.origin);
}

/** Another node of this build, with which the first is compared; null where the build lists only one, or any. */
export function secondNode(): string | null {
  return otherNode(currentNode(), BUILD_NODES, location.origin);
}

/** Remembers another node, if this build allows it; it is used from the next load of the page on. */
export function chooseNode(text: string): NodeAddress {
  const address = readNodeAddress(text, BUILD_NODES, location.origin);
  if (address.kind !== "usable") return address;
  try {
    localStorage.setItem(KEY, address.url);
  } catch {
    // Storage is refused: the choice lasts until the page is loaded again.
  }
  return address;
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
