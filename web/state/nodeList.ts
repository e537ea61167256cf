/**
 * The nodes that a wallet knows, and the role of each: one is followed, one gives the second opinion, the rest stand in for it. Payments go to
 * a node that is not followed. What a person wished is stored with a version.
 */
import * as v from "valibot";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { listedNodes, nodeToUse, readNodeAddress, type NodeOrigins } from "./nodeOrigins.ts";

/** Stands in a wish for no second node. */
export const NO_NODE = "none";

/** What a person wished. */
export type NodeWish = {
  /** The node to follow; null for the first one. */
  readonly followed: string | null;
  /** The node that gives the second opinion, or `NO_NODE`; null for the next one of the list. */
  readonly second: string | null;
  /** Nodes that were added, in a build for any node. */
  readonly added: readonly string[];
};

/** The nodes by their roles. */
export type NodeRoles = {
  readonly followed: string;
  /** Null for none: then the followed node gets the payments, too. */
  readonly second: string | null;
  /** Who stands in for the second one, in this order. */
  readonly spare: readonly string[];
};

/** A build and the origin that serves its pages. */
export type NodePlace = { readonly nodes: NodeOrigins; readonly own: string };

/** The outcome of adding a node: the wish with it, or why not. */
export type AddedNode =
  | { readonly kind: "added"; readonly wish: NodeWish }
  | { readonly kind: "malformed" | "insecure" | "not-listed" | "known" | "too-many" };

/** Nothing was wished. */
export const NO_WISH: NodeWish = { followed: null, second: null, added: [] };

/** Version of the stored form; the one before was the address of the followed node alone. */
const VERSION = 2;
const stored = v.object({
  version: v.literal(VERSION),
  followed: v.nullable(v.string()),
  second: v.nullable(v.string()),
  added: v.pipe(v.array(v.string()), v.maxLength(PAGE_LIMITS.knownNodesMax)),
});

/**
 * Reads a stored wish: of this version, else `first`, what version 1 stored under its own name. What cannot be read, and what a later version
 * wrote, counts as nothing.
 */
export function readNodeWish(text: string | null, first: string | null): NodeWish {
  if (text === null) return first === null ? NO_WISH : { ...NO_WISH, followed: first };
  if (text.length > PAGE_LIMITS.storedNodesChars) return NO_WISH;
  try {
    const { followed, second, added } = v.parse(stored, JSON.parse(text));
    return { followed, second, added };
  } catch {
    return NO_WISH;
  }
}

/** The stored form of a wish. */
export function writeNodeWish({ followed, second, added }: NodeWish): string {
  return JSON.stringify({ version: VERSION, followed, second, added });
}

/** The nodes that a person may choose among, the same order whoever is followed. */
export function knownNodes(wish: NodeWish, { nodes, own }: NodePlace): readonly string[] {
  const listed = listedNodes(nodes, own);
  if (listed !== null) return [...new Set(listed)];
  const usable = [...wish.added, nodeToUse(wish.followed, nodes, own)].flatMap((text) => {
    const address = readNodeAddress(text, nodes, own);
    return address.kind === "usable" ? [address.url] : [];
  });
  return [...new Set([own, ...usable])];
}

/**
 * Who has which role. A node that the build does not know has none. The nodes after the followed one come next in the list, round and round,
 * so that the one that was left is the last. In a build for any node the server of the pages is asked only where somebody chose it: it need
 * not be a node.
 */
export function nodeRoles(wish: NodeWish, place: NodePlace): NodeRoles {
  const { nodes, own } = place;
  const followed = nodeToUse(wish.followed, nodes, own);
  if (wish.second === NO_NODE) return { followed, second: null, spare: [] };
  const known = knownNodes(wish, place);
  const at = known.indexOf(followed);
  const ring = [...known.slice(at + 1), ...known.slice(0, Math.max(at, 0))];
  const isAny = nodes.kind === "any";
  const asked = ring.filter((url) => !isAny || url !== own || url === wish.second);
  const second = asked.find((url) => url === wish.second) ?? asked[0] ?? null;
  return { followed, second, spare: asked.filter((url) => url !== second) };
}

/** The wish with one more node to choose among. */
export function withNode(wish: NodeWish, text: string, place: NodePlace): AddedNode {
  const address = readNodeAddress(text, place.nodes, place.own);
  if (address.kind !== "usable") return address;
  const known = knownNodes(wish, place);
  if (known.includes(address.url)) return { kind: "known" };
  if (known.length >= PAGE_LIMITS.knownNodesMax) return { kind: "too-many" };
  return { kind: "added", wish: { ...wish, added: [...wish.added, address.url] } };
}

/** The wish without a node that was added. Who followed it follows the first one again. */
export function withoutNode({ followed, second, added }: NodeWish, url: string): NodeWish {
  return {
    followed: followed === url ? null : followed,
    second: second === url ? null : second,
    added: added.filter((node) => node !== url),
  };
}
