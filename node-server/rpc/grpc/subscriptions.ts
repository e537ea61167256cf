/** Subscriptions of one gRPC client: the notifications that an event is for it (specification network 2.4). */
import { RpcNotifyCommand } from "@svc/shared/protocol/rpc/generated/rpcMessages.ts";
import type { RequestPayload, ResponsePayload } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import type { NodeNotification } from "../service/nodeApi.ts";
import type { NotifyMethod } from "../service/rpcMethods.ts";
import type { NotificationForm } from "./renderNotification.ts";

/** A request that subscribes or unsubscribes. */
export type NotifyRequest = Extract<RequestPayload, { readonly $case: NotifyMethod }>;

const NONE = { error: undefined };

/** Whether a request is a subscribe request. */
export function isNotifyRequest(payload: RequestPayload): payload is NotifyRequest {
  return payload.$case.startsWith("notify");
}

/** The subscriptions of one client. */
export class Subscriptions {
  #blocks = false;
  #templates = false;
  #chain: "chain" | "chainWithIds" | null = null;

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
        this.#chain = on ? (withIds ? "chainWithIds" : "chain") : null;
        return { $case: "notifyVirtualChainChanged", value: NONE };
      }
    }
  }

  /**
   * Whether the client puts facts together from what it is told: when some may be missing, or the chain is another one,
   * it has to begin anew.
   */
  get followsFacts(): boolean {
    return this.#blocks || this.#chain !== null;
  }

  /** Whether an event concerns this client's subscriptions. */
  wants(news: NodeNotification): boolean {
    if (news.type === "engineRestarted") return this.#templates || this.followsFacts;
    if (news.type === "blockAdded") return this.#blocks;
    return news.type === "virtualChanged" && (this.#templates || this.#chain !== null);
  }

  /** What this client is told of an event, in order. */
  forms(news: NodeNotification): readonly NotificationForm[] {
    if (news.type === "blockAdded") return this.#blocks ? ["blockAdded"] : [];
    if (news.type === "engineRestarted") return this.#templates ? ["newBlockTemplate"] : [];
    if (news.type !== "virtualChanged") return [];
    const forms: NotificationForm[] = [];
    const moved = news.added.length > 0 || news.removed.length > 0;
    if (this.#chain !== null && moved) forms.push(this.#chain);
    // A template stands on virtual, which is at rest after the last page only.
    if (this.#templates && news.last) forms.push("newBlockTemplate");
    return forms;
  }
}
