/** Subscriptions of one gRPC client, and the notifications made for it (specification network 2.4). */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { RpcNotifyCommand } from "@svc/shared/protocol/rpc/generated/rpcMessages.ts";
import type { RpcAcceptedTransactionIds } from "@svc/shared/protocol/rpc/generated/rpcValues.ts";
import type { RequestPayload, ResponsePayload } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import type { VirtualChanged } from "../../engine/calls/engineFacts.ts";
import { askChainHash } from "../service/knownBlocks.ts";
import { describeBlock } from "../service/describeBlock.ts";
import type { NodeNotification } from "../service/nodeApi.ts";
import type { HandlerContext, NotifyMethod } from "../service/rpcMethods.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** A request that subscribes or unsubscribes. */
export type NotifyRequest = Extract<RequestPayload, { readonly $case: NotifyMethod }>;

const NONE = { error: undefined };

/** Whether a request is a subscribe request. */
export function isNotifyRequest(payload: RequestPayload): payload is NotifyRequest {
  return payload.$case.startsWith("notify");
}

/** The subscriptions of one client. */
export class Subscriptions {
  readonly #context: HandlerContext;
  #blocks = false;
  #templates = false;
  #chain: "off" | "blocks" | "blocksAndIds" = "off";

  constructor(context: HandlerContext) {
    this.#context = context;
  }

  /** Handles a subscribe request and returns its reply. A request without a command subscribes. */
  take(request: NotifyRequest): ResponsePayload {
    const on = request.value.command !== RpcNotifyCommand.NOTIFY_STOP;
    switch (request.$case) {
      case "notifyBlockAdded":
        this.#blocks = on;
        return { $case: "notifyBlockAdded", value: NONE };
      case "notifyNewBlockTemplate":
        this.#templates = on;
        return { $case: "notifyNewBlockTemplate", value: NONE };
      case "notifyVirtualChainChanged": {
        const withIds = request.value.includeAcceptedTransactionIds === true;
        this.#chain = on ? (withIds ? "blocksAndIds" : "blocks") : "off";
        return { $case: "notifyVirtualChainChanged", value: NONE };
      }
    }
  }

  /**
   * Whether the client puts facts together from what it is told: when some may be missing, or the chain is another one,
   * it has to begin anew.
   */
  get followsFacts(): boolean {
    return this.#blocks || this.#chain !== "off";
  }

  /** Whether an event concerns this client's subscriptions. */
  wants(news: NodeNotification): boolean {
    if (news.type === "engineRestarted") return this.#templates || this.followsFacts;
    if (news.type === "blockAdded") return this.#blocks;
    return news.type === "virtualChanged" && (this.#templates || this.#chain !== "off");
  }

  /** The notifications of an event for this client, in order. */
  async notifications(news: NodeNotification): Promise<ResponsePayload[]> {
    if (news.type === "blockAdded" && this.#blocks) {
      const block = await describeBlock(news.hash, true, this.#context);
      return [{ $case: "blockAdded", value: { block } }];
    }
    if (news.type === "engineRestarted" && this.#templates) {
      return [{ $case: "newBlockTemplate", value: {} }];
    }
    if (news.type !== "virtualChanged") return [];
    const made: ResponsePayload[] = [];
    const moved = news.added.length > 0 || news.removed.length > 0;
    if (this.#chain !== "off" && moved) made.push(await this.#chainChanged(news));
    // A template stands on virtual, which is at rest after the last page only.
    if (this.#templates && news.last) made.push({ $case: "newBlockTemplate", value: {} });
    return made;
  }

  async #chainChanged({ removed, added }: VirtualChanged): Promise<ResponsePayload> {
    const acceptedTransactionIds: RpcAcceptedTransactionIds[] = [];
    if (this.#chain === "blocksAndIds") {
      for (const { hash, index } of added) {
        acceptedTransactionIds.push(await this.#acceptedBy(hash, index));
      }
    }
    const addedChainBlockHashes = added.map(({ hash }) => hash);
    const value = {
      removedChainBlockHashes: removed,
      addedChainBlockHashes,
      acceptedTransactionIds,
    };
    return { $case: "virtualChainChanged", value };
  }

  /** Ids that a chain block accepted; none when it has left the chain meanwhile, which the next news tell. */
  async #acceptedBy(hash: BlockHash, index: bigint): Promise<RpcAcceptedTransactionIds> {
    const { node, signal } = this.#context;
    const below = index === 0n ? hash : await askChainHash(node, index - 1n, signal);
    const chain = await askFacts(node, "virtualChainFrom", [below, 1], signal);
    const found = chain.added.find((block) => block.hash === hash);
    return { acceptingBlockHash: hash, acceptedTransactionIds: found?.acceptedTxids ?? [] };
  }
}
