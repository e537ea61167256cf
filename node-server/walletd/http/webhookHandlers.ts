/** Handlers that show the deliveries of a feed to the webhook, and send them again. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { apiErrorOf } from "@svc/shared/protocol/wallet/apiError.ts";
import type { RouteAnswer } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import type { FeedDeliveries } from "../feed/feedDeliveries.ts";
import type { WalletFolder } from "../keys/walletFolder.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import type { PlacedDelivery } from "../store/deliveryTable.ts";
import type { WalletStore } from "../store/walletStore.ts";
import type { WalletHandlers } from "./walletHandlers.ts";

/** The daemon's webhook. */
export type DaemonWebhook = {
  readonly deliveries: Pick<FeedDeliveries, "redeliver">;
  /** There is something new to send. */
  readonly wake: () => void;
};

/** Dependencies of the handlers. */
export type WebhookHandlerParts = {
  readonly folder: Pick<WalletFolder, "facts">;
  readonly store: Pick<WalletStore, "deliveries">;
  /** Null for a daemon that sends none; what an earlier run left is shown all the same. */
  readonly webhook: DaemonWebhook | null;
};

/** Makes the handlers. Deliveries are read from the store: their wallet need not be open. */
export function webhookHandlers({
  folder,
  store,
  webhook,
}: WebhookHandlerParts): Pick<WalletHandlers, "webhooks" | "redeliver"> {
  const checkWallet = async (token: WalletToken): Promise<void> => {
    if ((await folder.facts(token)) === null) throw new SvcError("wallet/no-wallet", {});
  };
  return {
    webhooks: async ({ token, query }) => {
      await checkWallet(token);
      const { after, limit, dead } = query;
      const { deliveries } = store;
      // One more than asked for tells whether there are more.
      const found = dead
        ? deliveries.deadAfter(token, after, limit + 1)
        : deliveries.after(token, after, limit + 1);
      const page = found.slice(0, limit);
      return {
        deliveries: page.map(deliveryOf),
        next: String(page.at(-1)?.cursor ?? after),
        more: found.length > page.length,
      };
    },
    redeliver: async ({ token, params }) => {
      await checkWallet(token);
      if (webhook === null) throw new SvcError("webhook/not-set-up", {});
      const again = webhook.deliveries.redeliver(token, params.id);
      webhook.wake();
      return deliveryOf(again);
    },
  };
}

function deliveryOf({ cursor, row }: PlacedDelivery): RouteAnswer<"redeliver"> {
  const { id, state, attempts, createdMs, dueMs, error } = row;
  const why = error === null ? null : apiErrorOf(SvcError.fromJson(error)).body;
  return {
    id,
    cursor: String(cursor),
    state,
    attempts,
    created_unix: Number(createdMs / 1_000n),
    due_unix: state === "waiting" ? Number(dueMs / 1_000n) : null,
    error: why === null ? null : { error: why.error, code: why.code },
  };
}
