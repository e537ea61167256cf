/**
 * Build plugin that writes the list of nodes into the wallet's page (ADR 25), beside the policy that holds it in force. The
 * list is in no other file of a build but `headers.json`, so builds for other nodes have the same scripts.
 */
import type { Plugin } from "vite";
import { NODE_META, nodeOriginsText, type NodeOrigins } from "../state/nodeOrigins.ts";

/** The plugin, for pages that talk to these nodes. */
export function nodeMeta(nodes: NodeOrigins): Plugin {
  return {
    name: "node-meta",
    transformIndexHtml(_html, { path }) {
      if (!path.endsWith("/wallet/index.html")) return [];
      const attrs = { name: NODE_META, content: nodeOriginsText(nodes) };
      return [{ tag: "meta", attrs, injectTo: "head" }];
    },
  };
}
