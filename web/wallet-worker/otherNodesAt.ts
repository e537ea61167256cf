/** The nodes of a wallet that it does not follow, over HTTP, and the view of them for the page. */
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import { OtherNodes } from "@svc/shared/wallet/node/otherNodes.ts";
import type { Network } from "../node/networks.ts";
import type { OthersView } from "../wallet-api/walletApi.ts";
import { browserClock } from "./browserClock.ts";

/** Nodes at these origins, the one first that gives the second opinion; null without one. */
export function otherNodesAt(
  urls: readonly string[],
  { genesis, view }: Network,
  onChange: () => void,
): OtherNodes | null {
  const [first, ...more] = urls.map((url) => new HttpNode(url));
  if (first === undefined) return null;
  const network = { genesis: asBlockHash(genesis), profileDigest: view.digest };
  return new OtherNodes([first, ...more], { network, clock: browserClock, onChange });
}

/** What the page is shown of them. `followed`: where payments go when there is no other node. */
export function othersView(others: OtherNodes | null, followed: string): OthersView {
  if (others === null) return { asked: null, pays: followed, words: [] };
  const { asked, order, words } = others;
  return { asked: asked.url, pays: order[0]?.url ?? followed, words };
}
