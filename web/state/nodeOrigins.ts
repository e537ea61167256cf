/**
 * Allow list of the nodes that a build of the pages may talk to (ADR 25). The list is fixed when the pages are built: the
 * wallet's page names it, and it becomes the `connect-src` of the content security policy, so that no script can widen it.
 */
import { PAGE_LIMITS } from "../pageLimits.ts";

/** The nodes of a build: a list of origins, or any node at all (a variant with a weaker promise). */
export type NodeOrigins =
  | { readonly kind: "listed"; readonly origins: readonly string[] }
  | { readonly kind: "any" };

/** Name of the `<meta>` of the wallet's page that holds the list of its build. */
export const NODE_META = "svc-node-origins";

/** Name of the `<meta>` that holds the checkpoints of its build. */
export const CHECKPOINT_META = "svc-checkpoints";

/** Stands in the list for the origin that serves the pages. */
export const OWN_ORIGIN = "self";
const HOST_FORM = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/;
/** The whole text of the list for the variant that talks to any node. */
const ANY_NODE = "any";

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);
/** What the variant for any node may reach: everything encrypted, and this machine. */
const ANY_SOURCES = ["https:", "wss:", "http://127.0.0.1:*", "ws://127.0.0.1:*"];

/** A node's address as somebody wrote it: usable, or why it is not. */
export type NodeAddress =
  | { readonly kind: "usable"; readonly url: string }
  | { readonly kind: "malformed" | "insecure" | "not-listed" };

/**
 * Reads the option of the build: origins with blanks or commas between them, `self` among them for the origin that
 * serves the pages, or `any` alone. Nothing means `self`. Throws an `Error` that names the part that is no origin, and for too many.
 */
export function readNodeOrigins(text: string | undefined): NodeOrigins {
  const parts = (text ?? "").split(/[\s,]+/).filter((part) => part !== "");
  if (parts.length === 1 && parts[0] === ANY_NODE) return { kind: "any" };
  const origins = (parts.length === 0 ? [OWN_ORIGIN] : parts).map((part) => {
    if (part === OWN_ORIGIN) return part;
    const origin = originOf(part);
    if (origin === null || origin !== part.replace(/\/$/, "") || !isSafe(origin)) {
      throw new Error(
        `${part} is not the origin of a node: https://HOST[:PORT], or http:// for this machine`,
      );
    }
    return origin;
  });
  const distinct = [...new Set(origins)];
  const max = PAGE_LIMITS.knownNodesMax;
  if (distinct.length > max) throw new Error(`a build lists ${max} nodes at most`);
  return { kind: "listed", origins: distinct };
}

/** The list as the option of the build has it, each origin once, with one blank between them. */
export function nodeOriginsText(nodes: NodeOrigins): string {
  return nodes.kind === "any" ? ANY_NODE : nodes.origins.join(" ");
}

/** The sources of `connect-src`. The pages always fetch their own files from where they came. */
export function connectSources(nodes: NodeOrigins): string {
  if (nodes.kind === "any") return ["'self'", ...ANY_SOURCES].join(" ");
  const others = nodes.origins.filter((origin) => origin !== OWN_ORIGIN);
  return ["'self'", ...others.flatMap((origin) => [origin, origin.replace(/^http/, "ws")])].join(
    " ",
  );
}

/** The origins of the list with `self` resolved; null for the variant for any node. */
export function listedNodes(nodes: NodeOrigins, own: string): readonly string[] | null {
  if (nodes.kind === "any") return null;
  return nodes.origins.map((origin) => (origin === OWN_ORIGIN ? own : origin));
}

/** Checks the address of a node that somebody typed. `own` is the origin that serves the pages. */
export function readNodeAddress(text: string, nodes: NodeOrigins, own: string): NodeAddress {
  const url = originOf(text.trim());
  if (url === null) return { kind: "malformed" };
  const listed = listedNodes(nodes, own);
  if (listed !== null)
    return listed.includes(url) ? { kind: "usable", url } : { kind: "not-listed" };
  return isSafe(url) ? { kind: "usable", url } : { kind: "insecure" };
}

/** The node to talk to: the one that was chosen before, if this build allows it, else the first of the list. */
export function nodeToUse(chosen: string | null, nodes: NodeOrigins, own: string): string {
  const address = chosen === null ? null : readNodeAddress(chosen, nodes, own);
  if (address?.kind === "usable") return address.url;
  return listedNodes(nodes, own)?.[0] ?? own;
}

function originOf(text: string): string | null {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (parsed === null || (parsed.protocol !== "https:" && parsed.protocol !== "http:")) return null;
  // A name that a policy would read as a wildcard or as more than one source is none of a node.
  if (!HOST_FORM.test(parsed.hostname)) return null;
  const bare = parsed.pathname === "/" && parsed.search === "" && parsed.hash === "";
  return bare && parsed.username === "" && parsed.password === "" ? parsed.origin : null;
}

/** Encrypted on the way, or not leaving this machine. */
function isSafe(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" || LOOPBACK.has(hostname);
}
