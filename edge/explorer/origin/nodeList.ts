/** The nodes that an explorer asks, as its variables name them. */
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import type { ExplorerEnv } from "./explorerEnv.ts";

/** A node. */
export type OriginNode = {
  readonly name: string;
  /** Without a slash at its end; its `/api` stands below it. */
  readonly url: string;
  /** The bearer token that it asks for. */
  readonly token: Secret | null;
};

const NODE_FORM = /^([a-z0-9-]{1,16})=(.+)$/;
const TOKEN_FORM = /^([a-z0-9-]{1,16}):([\x21-\x2b\x2d-\x7e]{1,255})$/;
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/;

/** Reads them. Throws `node/bad-option`, which repeats nothing of a token. */
export function nodeList(env: Pick<ExplorerEnv, "SVC_NODES" | "SVC_NODE_TOKENS">): OriginNode[] {
  const tokens = tokensOf(env.SVC_NODE_TOKENS ?? "");
  const parts = env.SVC_NODES.split(",").filter((part) => part.trim() !== "");
  if (parts.length === 0 || parts.length > EXPLORER_LIMITS.originNodes) {
    throw badNodes(`1 to ${EXPLORER_LIMITS.originNodes} nodes are needed`);
  }
  const nodes = parts.map((part) => {
    const [, name = "", text = ""] = NODE_FORM.exec(part.trim()) ?? [];
    if (name === "") throw badNodes("a node is a name, an equals sign and a URL");
    return { name, url: urlOf(text), token: tokens.get(name) ?? null };
  });
  const names = new Set(nodes.map(({ name }) => name));
  if (names.size < nodes.length) throw badNodes("two nodes have one name");
  if ([...tokens.keys()].some((name) => !names.has(name))) throw badTokens("it names no node");
  return nodes;
}

/** HTTPS, or HTTP on this machine: what is asked for is nobody's business on the way. */
function urlOf(text: string): string {
  if (!URL.canParse(text)) throw badNodes("a URL is malformed");
  const url = new URL(text);
  const isOpen = url.protocol === "http:" && LOOPBACK.test(url.hostname);
  if (url.protocol !== "https:" && !isOpen) throw badNodes("a node is reached over https");
  if (url.username !== "" || url.search !== "" || url.hash !== "") {
    throw badNodes("a URL has a host and a path alone");
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function tokensOf(text: string): Map<string, Secret> {
  const tokens = new Map<string, Secret>();
  for (const part of text.split(",").filter((each) => each !== "")) {
    const [, name = "", token = ""] = TOKEN_FORM.exec(part) ?? [];
    if (name === "" || tokens.has(name)) {
      throw badTokens("a token is a node's name, a colon and visible characters, one a node");
    }
    tokens.set(name, new Secret(new TextEncoder().encode(token)));
  }
  return tokens;
}

function badNodes(reason: string): SvcError {
  return new SvcError("node/bad-option", { option: "SVC_NODES", reason });
}

function badTokens(reason: string): SvcError {
  return new SvcError("node/bad-option", { option: "SVC_NODE_TOKENS", reason });
}
