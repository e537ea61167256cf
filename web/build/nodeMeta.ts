/**
 * Build plugin that writes into the wallet's page what a build is told of nodes: which it may use (ADR 25), beside the policy that holds the
 * list in force, and the checkpoints of their networks. Both are in no other file of a build but `headers.json`, so builds for other nodes have
 * the same scripts.
 */
import type { Plugin } from "vite";
import { checkpointsText, type Checkpoints } from "@svc/shared/light/checkpointOf.ts";
import {
  CHECKPOINT_META,
  NODE_META,
  nodeOriginsText,
  type NodeOrigins,
} from "../state/nodeOrigins.ts";

/** The plugin, for pages that talk to these nodes. */
export function nodeMeta(nodes: NodeOrigins, checkpoints: Checkpoints): Plugin {
  return {
    name: "node-meta",
    transformIndexHtml(_html, { path }) {
      if (!path.endsWith("/wallet/index.html")) return [];
      const metas = [
        { name: NODE_META, content: nodeOriginsText(nodes) },
        { name: CHECKPOINT_META, content: checkpointsText(checkpoints) },
      ];
      return metas.map((attrs) => ({ tag: "meta", attrs, injectTo: "head" }));
    },
  };
}
