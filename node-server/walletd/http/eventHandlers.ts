/** Handler of the deposit feed. */
import { decodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { RouteAnswer } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { EventFeed } from "../feed/eventFeed.ts";
import type { FeedEntry } from "../store/eventTable.ts";
import type { WalletHandlers } from "./walletHandlers.ts";
import { memoText } from "./answerValues.ts";
import type { DaemonWallets } from "./daemonWallets.ts";

type Events = RouteAnswer<"events">;

/** Dependencies of the handler. */
export type EventHandlerParts = {
  readonly core: Pick<CoreGlue, "encodeAddress">;
  /** Prefix of the network's addresses. */
  readonly hrp: string;
  readonly wallets: Pick<DaemonWallets, "glance">;
  readonly feed: EventFeed;
};

/**
 * Makes the handler. What the store has is told at once. The wallet is opened behind that, and kept so while somebody asks: a
 * wallet that is not open is not scanned for, and whoever asks for nothing but its feed would never hear of a deposit.
 */
export function eventHandlers(parts: EventHandlerParts): Pick<WalletHandlers, "events"> {
  const { core, hrp, wallets, feed } = parts;
  const addressText = (raw: string): string =>
    callCore(() => core.encodeAddress(hrp, decodeHex(raw)));
  return {
    events: async ({ token, query, signal }): Promise<Events> => {
      if ((await wallets.glance(token)) === null) throw new SvcError("wallet/no-wallet", {});
      const { after, limit, wait } = query;
      const page = await feed.wait(token, after, { limit, waitMs: wait * 1_000 }, signal);
      return {
        events: page.entries.map((entry) => eventOf(entry, addressText)),
        next: String(page.next),
        more: page.next < page.head,
      };
    },
  };
}

function eventOf({ cursor, event }: FeedEntry, addressText: (raw: string) => string) {
  const { daaScore, blueScore, memo } = event;
  return {
    cursor: String(cursor),
    kind: event.kind,
    txid: event.txid,
    output: event.outputIndex,
    amount_sompi: event.amount,
    amount_sompi_exact: event.amount,
    recipient: addressText(event.recipient),
    memo: memo === null ? null : memoText(memo),
    memo_known: memo !== null,
    daa_score: daaScore === null ? null : Number(daaScore),
    blue_score: blueScore === null ? null : Number(blueScore),
    accepting_block: event.blockHash,
    unix: Number(event.createdMs / 1_000n),
  };
}
