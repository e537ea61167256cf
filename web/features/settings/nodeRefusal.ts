/** Error texts for nodes that cannot be added to the list. */
import { t } from "../../i18n/translate.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import type { AddedNode } from "../../state/nodeList.ts";

/** A sentence, or null for a node that can be used. `listed` are the nodes of this build, null for any. */
export function nodeRefusal(added: AddedNode, listed: readonly string[] | null): string | null {
  switch (added.kind) {
    case "added":
      return null;
    case "malformed":
      return t("nodes.malformed");
    case "insecure":
      return t("nodes.insecure");
    case "not-listed":
      return t("nodes.listed", { nodes: listed?.join(", ") ?? "" });
    case "known":
      return t("nodes.known");
    case "too-many":
      return t("nodes.tooMany", { count: PAGE_LIMITS.knownNodesMax });
  }
}
