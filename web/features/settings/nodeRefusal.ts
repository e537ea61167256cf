/** Error texts for node addresses that cannot be used. */
import { t } from "../../i18n/translate.ts";
import type { NodeAddress } from "../../state/nodeOrigins.ts";

/** A sentence, or null for a node that can be used. `listed` are the nodes of this build, null for any. */
export function nodeRefusal(address: NodeAddress, listed: readonly string[] | null): string | null {
  switch (address.kind) {
    case "usable":
      return null;
    case "malformed":
      return t("node.malformed");
    case "insecure":
      return t("node.insecure");
    case "not-listed":
      return t("node.notListed", { nodes: listed?.join(", ") ?? "" });
  }
}
