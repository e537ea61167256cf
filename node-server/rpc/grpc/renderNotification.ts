/** Rendering of one event as a notification of the gRPC API (specification network 2.4). */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RpcAcceptedTransactionIds } from "@svc/shared/protocol/rpc/generated/rpcValues.ts";
import type { ResponsePayload } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import type { VirtualChanged } from "../../engine/calls/engineFacts.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";
import { askChainHash } from "../service/knownBlocks.ts";
import { describeBlock } from "../service/describeBlock.ts";
import type { NodeNotification } from "../service/nodeApi.ts";
import type { HandlerContext } from "../service/rpcMethods.ts";

/** The notifications that an event may become; `chainWithIds` names the payments too. */
export type NotificationForm = "blockAdded" | "chain" | "chainWithIds" | "newBlockTemplate";

/** What rendering asks. */
export type RenderContext = Pick<HandlerContext, "node" | "signal">;

/** Renders an event in a form that fits it. Rejects with the engine's errors. */
export async function renderNotification(
  news: NodeNotification,
  form: NotificationForm,
  context: RenderContext,
): Promise<ResponsePayload> {
  if (form === "newBlockTemplate") return { $case: "newBlockTemplate", value: {} };
  if (form === "blockAdded" && news.type === "blockAdded") {
    const block = await describeBlock(news.hash, true, context);
    return { $case: "blockAdded", value: { block } };
  }
  if (form !== "blockAdded" && news.type === "virtualChanged") {
    return chainChanged(news, form === "chainWithIds", context);
  }
  throw new SvcError("internal/unexpected", { message: `${news.type} told as ${form}` });
}

async function chainChanged(
  { removed, added }: VirtualChanged,
  includeIds: boolean,
  context: RenderContext,
): Promise<ResponsePayload> {
  const acceptedTransactionIds: RpcAcceptedTransactionIds[] = [];
  if (includeIds) {
    for (const { hash, index } of added) {
      acceptedTransactionIds.push(await acceptedBy(hash, index, context));
    }
  }
  const addedChainBlockHashes = added.map(({ hash }) => hash);
  const value = { removedChainBlockHashes: removed, addedChainBlockHashes, acceptedTransactionIds };
  return { $case: "virtualChainChanged", value };
}

/** Ids that a chain block accepted; none when it has left the chain meanwhile, which the next news tell. */
async function acceptedBy(
  hash: BlockHash,
  index: bigint,
  { node, signal }: RenderContext,
): Promise<RpcAcceptedTransactionIds> {
  const below = index === 0n ? hash : await askChainHash(node, index - 1n, signal);
  const chain = await askFacts(node, "virtualChainFrom", [below, 1], signal);
  const found = chain.added.find((block) => block.hash === hash);
  return { acceptingBlockHash: hash, acceptedTransactionIds: found?.acceptedTxids ?? [] };
}
