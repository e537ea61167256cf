/** The desks of a gateway over its database, what sends their webhooks, and the server in front of them. Who opens them moves the chain. */
import { randomBytes, randomInt } from "node:crypto";
import {
  asAddressText,
  asTimestampMs,
  type AddressText,
  type InvoiceId,
  type RawAddress,
} from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { networkId, type NetworkProfile } from "@svc/shared/chain/profile.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { coinCode } from "@svc/shared/gateway/greenfield/coinCode.ts";
import { checkoutHandlers } from "@svc/shared/gateway/handlers/checkoutHandlers.ts";
import { invoiceHandlers } from "@svc/shared/gateway/handlers/invoiceHandlers.ts";
import { receiptHandlers } from "@svc/shared/gateway/handlers/receiptHandlers.ts";
import { refundHandlers } from "@svc/shared/gateway/handlers/refundHandlers.ts";
import {
  serviceHandlers,
  type GatewayHealth,
} from "@svc/shared/gateway/handlers/serviceHandlers.ts";
import { tillHandlers } from "@svc/shared/gateway/handlers/tillHandlers.ts";
import { webhookHandlers } from "@svc/shared/gateway/handlers/webhookHandlers.ts";
import type { GatewayHandlers } from "@svc/shared/gateway/gatewayHandlers.ts";
import type { RecordPlace } from "@svc/shared/gateway/invoiceRecordOf.ts";
import type { AddressCheck } from "@svc/shared/gateway/refundPort.ts";
import type { ReceiptPort } from "@svc/shared/gateway/receiptPort.ts";
import type { PricePort } from "@svc/shared/gateway/pricePort.ts";
import { GATEWAY_RETRIES } from "@svc/shared/gateway/retrySchedule.ts";
import { lowerCaseAddress } from "@svc/shared/wallet/plan/payee.ts";
import { webhookUrl, type WebhookReach } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import { WebhookSender, type WebhookSenderParts } from "../client/webhookSender.ts";
import type { HttpRules } from "../platform/http/accessCheck.ts";
import type { Log } from "../platform/log/log.ts";
import type { Started } from "../platform/thread/started.ts";
import type { Clock } from "../platform/time/clock.ts";
import type { AccessStore } from "./access/accessStore.ts";
import { MerchantDirectory } from "./access/merchantDirectory.ts";
import { DeskDeliveries } from "./desk/deskDeliveries.ts";
import { DeskEvents } from "./desk/deskEvents.ts";
import { DeskLooks } from "./desk/deskLooks.ts";
import { InvoiceDesk } from "./desk/invoiceDesk.ts";
import { InvoiceWatch } from "./desk/invoiceWatch.ts";
import { RefundDesk } from "./desk/refundDesk.ts";
import { TillDesk } from "./desk/tillDesk.ts";
import { WebhookDesk } from "./desk/webhookDesk.ts";
import { GATEWAY_LIMITS } from "./gatewayLimits.ts";
import { readCheckoutFiles } from "./http/checkoutFiles.ts";
import type { GatewayMetrics } from "./http/gatewayMetrics.ts";
import { startGatewayServer } from "./http/gatewayServer.ts";
import { AddressRuns } from "./keys/addressRuns.ts";
import type { ViewingKeyFiles } from "./keys/viewingKeyFile.ts";
import { WalletdPayout, type PayoutWallet } from "./refunds/payoutWallet.ts";
import { RefundPayer } from "./refunds/refundPayer.ts";
import type { DueRefund } from "./store/refundTable.ts";
import type { GatewayStore } from "./store/gatewayStore.ts";

/** What the desks and their server need. */
export type GatewayDeskParts = {
  readonly core: CoreGlue;
  readonly profile: Pick<NetworkProfile, "hrp" | "networkName"> & {
    readonly canonicalJson: string;
  };
  readonly webhookReach: WebhookReach;
  /** Sends a webhook in place of `postWebhook`. */
  readonly post?: WebhookSenderParts["post"];
  /** What webhooks are signed by; `clock` when left out. */
  readonly signClock?: WebhookSenderParts["signClock"];
  /** Hears of each invoice that was made. */
  readonly onMade?: (id: InvoiceId) => void;
  readonly prices: PricePort;
  /** Folder of the built pages; null for checkout pages without their script. */
  readonly pages: string | null;
  readonly server: {
    readonly host: string;
    readonly port: number;
    readonly option: string;
    readonly rules: HttpRules;
    readonly hasLimits: boolean;
  };
  readonly clock: Clock;
  readonly log: Log;
};

/** The databases and files that the desks work on. */
export type DeskStores = {
  readonly access: AccessStore;
  readonly store: GatewayStore;
  readonly files: ViewingKeyFiles;
  /** Where payers reach the gateway. */
  readonly reached: { readonly url: string };
  readonly metrics: GatewayMetrics;
};

/** Opens the desks. What sends webhooks, pays refunds and looks at invoices is started by the caller. */
export function openDesks(parts: GatewayDeskParts, stores: DeskStores, started: Started) {
  const { access, store, files, reached, metrics } = stores;
  const { core, profile, clock, log, webhookReach, post, signClock } = parts;
  const merchants = new MerchantDirectory(access);
  const watch = new InvoiceWatch(clock);
  const queue = new DeskDeliveries({ store, clock, reach: webhookReach });
  const random = (): number => randomInt(2 ** 32);
  const sender = new WebhookSender({
    ...{ queue, clock, random, log, retries: GATEWAY_RETRIES },
    concurrency: GATEWAY_LIMITS.deliveriesAtOnce,
    ...(post && { post }),
    ...(signClock && { signClock }),
  });
  started.add(sender, (running) => running.stop());
  const onDeliveries = (): void => void setImmediate(() => sender.wake());
  const place = (): RecordPlace => placeOf(parts, reached.url, desk);
  const addressText = (raw: RawAddress): AddressText =>
    asAddressText(callCore(() => core.encodeAddress(profile.hrp, decodeHex(raw))));
  const derive = (ivk: Uint8Array, from: number, count: number): Uint8Array =>
    callCore(() => core.incomingAddresses(ivk, from, count));
  const runs = new AddressRuns({ store, files, derive, log });
  const desk: InvoiceDesk = new InvoiceDesk({
    store,
    merchants: access.merchants,
    events: new DeskEvents({ store, place, onDeliveries }),
    clock,
    randomBytes,
    addressText,
    moreAddresses: (key) => runs.more(key),
    onChange: (id, key) => {
      looks.wake();
      watch.changed(id);
      if (key === null) return;
      runs.taken(key);
      metrics.made();
      parts.onMade?.(id);
    },
  });
  const onLooked = (id: InvoiceId): void => watch.changed(id);
  const looks: DeskLooks = new DeskLooks({ store, desk, clock, log, onLooked });
  started.add(looks, (running) => running.stop());
  const checkUrl = (url: string): void => void webhookUrl(url, webhookReach);
  const webhooks = new WebhookDesk({ store, clock, randomBytes, checkUrl, onDeliveries });
  const { refunds, payer } = refundsOf(parts, stores, started);
  const tills = new TillDesk({ access, store, clock, randomBytes });
  const receipts: ReceiptPort = {
    receipt: async ({ cmx, block }) => store.receipts.receipt(cmx, block),
  };
  const served = { desk, watch, webhooks, refunds, merchants, place, tills, receipts };
  return { ...served, looks, payer, sender, runs };
}

/** The desks. */
export type GatewayDesks = ReturnType<typeof openDesks>;

/** What a server of the desks tells besides them. */
export type ServedDesks = {
  readonly health: () => Promise<GatewayHealth>;
  /** Handlers of rows that the desks do not have. */
  readonly further: Partial<GatewayHandlers>;
  readonly metrics: GatewayMetrics;
};

/** Serves the desks over HTTP; resolves to where. Rejects with `node/port-in-use`, `node/bad-option`. */
export async function serveDesks(
  parts: GatewayDeskParts,
  desks: GatewayDesks,
  { health, further, metrics }: ServedDesks,
  started: Started,
): Promise<string> {
  const { profile, prices, clock, log } = parts;
  const { desk, merchants, place, webhooks, refunds } = desks;
  const handlers = { ...handlersOf(parts, desks, health), ...further };
  const assets = readCheckoutFiles(parts.pages, log);
  const server = startGatewayServer({
    ...parts.server,
    ...{ handlers, merchants, metrics },
    pages: {
      invoices: desk,
      merchants,
      place,
      topUp: handlers.topUpCheckout,
      claims: claimsOf(parts, desks),
      assets,
      hasSocket: false,
    },
    till: { ...tillPartsOf(parts, desks), assets },
    greenfield: {
      ...{ invoices: desk, webhooks, refunds, prices, health, place },
      coin: coinCode(profile.hrp),
    },
    randomBytes,
    clock,
    log,
  });
  return started.add(await server, (running) => running.stop()).address;
}

/** The desk of refunds, and what pays them. */
function refundsOf(
  { clock, log }: GatewayDeskParts,
  { access, store }: DeskStores,
  started: Started,
): { readonly refunds: RefundDesk; readonly payer: RefundPayer } {
  const onApproved = (): void => void setImmediate(() => payer.wake());
  const refunds = new RefundDesk({ store, clock, randomBytes, onApproved });
  const walletOf = ({ merchant }: DueRefund): PayoutWallet | null => {
    const payout = access.merchants.get(merchant)?.payout ?? null;
    return payout === null ? null : new WalletdPayout(payout);
  };
  const payer: RefundPayer = new RefundPayer({ refunds, walletOf, clock, log });
  started.add(payer, (running) => running.stop());
  return { refunds, payer };
}

function placeOf(
  { profile, clock }: GatewayDeskParts,
  publicUrl: string,
  desk: InvoiceDesk,
): RecordPlace {
  return {
    publicUrl,
    network: networkId(profile),
    livemode: networkId(profile) === "mainnet",
    tip: desk.tip(),
    nowMs: asTimestampMs(clock.nowMs()),
  };
}

/** What tills work with. Their cookie goes over https alone where the gateway is reached so. */
function tillPartsOf({ prices }: GatewayDeskParts, { desk, tills, place }: GatewayDesks) {
  const isSecure = (): boolean => place().publicUrl.startsWith("https:");
  return { tills, isSecure, invoices: desk, prices, place };
}

function handlersOf(
  parts: GatewayDeskParts,
  desks: GatewayDesks,
  health: () => Promise<GatewayHealth>,
): Partial<GatewayHandlers> & Pick<GatewayHandlers, "topUpCheckout"> {
  const { prices } = parts;
  const { desk, watch, webhooks, merchants, receipts, place } = desks;
  return {
    ...invoiceHandlers({ invoices: desk, prices, place }),
    ...checkoutHandlers({ invoices: desk, merchants, prices, changes: watch, place }),
    ...webhookHandlers(webhooks),
    ...refundHandlers(claimsOf(parts, desks)),
    ...receiptHandlers({ invoices: desk, receipts, place }),
    ...serviceHandlers({ prices, health, place }),
    ...tillHandlers(tillPartsOf(parts, desks)),
  };
}

/** Where payers find refunds. */
function claimsOf(
  parts: Pick<GatewayDeskParts, "core" | "profile">,
  { refunds, merchants, place }: Pick<GatewayDesks, "refunds" | "merchants" | "place">,
) {
  return { refunds, merchants, place, checkAddress: addressCheckOf(parts) };
}

/** The core decodes what a payer gives as an address of the network. */
function addressCheckOf({
  core,
  profile,
}: Pick<GatewayDeskParts, "core" | "profile">): AddressCheck {
  return async (text) => {
    const address = lowerCaseAddress(text.trim());
    callCore(() => core.decodeAddress(profile.hrp, address));
    return asAddressText(address);
  };
}
