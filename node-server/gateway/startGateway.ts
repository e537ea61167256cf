/** Starts the gateway as a program runs it: invoices over a node's chain, webhooks, and the API that serves them. */
import { randomBytes, randomInt } from "node:crypto";
import { join } from "node:path";
import {
  asAddressText,
  asTimestampMs,
  type AddressText,
  type BlueScore,
  type MerchantId,
  type RawAddress,
  type ViewingKeyId,
} from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { networkId, type NetworkProfile } from "@svc/shared/chain/profile.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { coinCode } from "@svc/shared/gateway/greenfield/coinCode.ts";
import { checkoutHandlers } from "@svc/shared/gateway/handlers/checkoutHandlers.ts";
import { invoiceHandlers } from "@svc/shared/gateway/handlers/invoiceHandlers.ts";
import { refundHandlers } from "@svc/shared/gateway/handlers/refundHandlers.ts";
import {
  serviceHandlers,
  type GatewayHealth,
} from "@svc/shared/gateway/handlers/serviceHandlers.ts";
import { tillHandlers } from "@svc/shared/gateway/handlers/tillHandlers.ts";
import { webhookHandlers } from "@svc/shared/gateway/handlers/webhookHandlers.ts";
import type { GatewayHandlers } from "@svc/shared/gateway/gatewayHandlers.ts";
import { x402Handlers } from "@svc/shared/gateway/x402/x402Handlers.ts";
import { x402Network } from "@svc/shared/protocol/gateway/x402Records.ts";
import type { RecordPlace } from "@svc/shared/gateway/invoiceRecordOf.ts";
import type { AddressCheck } from "@svc/shared/gateway/refundPort.ts";
import type { PricePort } from "@svc/shared/gateway/pricePort.ts";
import { GATEWAY_RETRIES } from "@svc/shared/gateway/retrySchedule.ts";
import { lowerCaseAddress } from "@svc/shared/wallet/plan/payee.ts";
import { webhookUrl, type WebhookReach } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import { RpcNode } from "../client/rpcNode.ts";
import { WebhookSender } from "../client/webhookSender.ts";
import type { HttpRules } from "../platform/http/accessCheck.ts";
import type { Log } from "../platform/log/log.ts";
import { startAll, type Running } from "../platform/thread/startAll.ts";
import type { Started } from "../platform/thread/started.ts";
import type { Clock } from "../platform/time/clock.ts";
import { ScanThreads } from "../scanning/scanThreads.ts";
import { AccessStore } from "./access/accessStore.ts";
import { MerchantDirectory } from "./access/merchantDirectory.ts";
import { applyFacts, applyScan } from "./desk/applyScan.ts";
import { DeskDeliveries } from "./desk/deskDeliveries.ts";
import { DeskEvents } from "./desk/deskEvents.ts";
import { DeskLooks } from "./desk/deskLooks.ts";
import { InvoiceDesk } from "./desk/invoiceDesk.ts";
import { InvoiceWatch } from "./desk/invoiceWatch.ts";
import { RefundDesk } from "./desk/refundDesk.ts";
import { TillDesk } from "./desk/tillDesk.ts";
import { WebhookDesk, type ConfiguredWebhook } from "./desk/webhookDesk.ts";
import { GatewayChain, type GatewayChainParts } from "./gatewayChain.ts";
import { GATEWAY_LIMITS } from "./gatewayLimits.ts";
import { readCheckoutFiles } from "./http/checkoutFiles.ts";
import { GatewayMetrics } from "./http/gatewayMetrics.ts";
import { startGatewayServer } from "./http/gatewayServer.ts";
import { AddressRuns } from "./keys/addressRuns.ts";
import { keepLooking } from "./keys/keepLooking.ts";
import { ViewingKeyFiles } from "./keys/viewingKeyFile.ts";
import { WalletdPayout, type PayoutWallet } from "./refunds/payoutWallet.ts";
import { ChallengeDesk } from "./x402/challengeDesk.ts";
import { Facilitator } from "./x402/facilitator.ts";
import { PaymentReader } from "./x402/paymentReader.ts";
import { SettlementLoop } from "./x402/settlementLoop.ts";
import { RefundPayer } from "./refunds/refundPayer.ts";
import type { ScannedKey } from "./scan/scannedKey.ts";
import { GatewayStore } from "./store/gatewayStore.ts";

/** How a gateway is started. The caller holds the folder's lock. */
export type GatewayParts = {
  readonly core: CoreGlue;
  readonly profile: Pick<NetworkProfile, "hrp" | "networkName"> & {
    readonly canonicalJson: string;
  };
  /** Folder of the gateway, with `access` in it. */
  readonly folder: string;
  /** `host:port` of the node's gRPC API. */
  readonly node: string;
  readonly scanThreads: number;
  /** Where payers reach the gateway, without a slash at its end; null for where it listens. */
  readonly publicUrl: string | null;
  readonly webhookReach: WebhookReach;
  /** The webhook that the operator configured; null for none. */
  readonly webhook: ConfiguredWebhook | null;
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

/** A running gateway. */
export type Gateway = Running;

/** Starts it. It serves before the node answers. Rejects with `store/…`, `gateway/…`, `node/…`; nothing runs then. */
export function startGateway(parts: GatewayParts): Promise<Gateway> {
  return startAll((started) => start(parts, started));
}

async function start(parts: GatewayParts, started: Started): Promise<string> {
  const { core, profile, folder, clock, log } = parts;
  const profileJson = profile.canonicalJson;
  const access = started.add(AccessStore.read(folder), (open) => open.close());
  const store = started.add(await GatewayStore.open(folder, null), (open) => open.close());
  const files = new ViewingKeyFiles(join(folder, "keys"));
  const node = started.add(new RpcNode(parts.node, { core, profileJson }), (port) => port.close());
  const threads = { profileJson, threads: parts.scanThreads, log };
  const scan = started.add(new ScanThreads(threads), (running) => running.stop());
  // Where it listens is known when it does: nothing is told of an invoice before.
  const reached = { url: parts.publicUrl ?? "" };
  const metrics = new GatewayMetrics(clock);
  const desks = desksOf(parts, { access, store, files, reached, metrics }, started);
  const { desk, looks, watch } = desks;
  const eyes = { core, profileJson, node, scan, clock, log, view: store.view.blocks() };
  const taken = takers(store, desks);
  const chain = started.add(new GatewayChain({ ...eyes, ...taken }), (running) => running.stop());
  await desks.webhooks.keepConfigured(parts.webhook);
  const { runs, webhooks, refunds } = desks;
  const keys = new RegisteredKeys({ access, files, chain, runs, network: networkId(profile) });
  await keys.look();
  metrics.watch({ chain, store, watch });
  const payments = paymentsOf(parts, desks, { store, node, scan, chain }, started);
  const { facilitator } = payments;
  const health = (): Promise<GatewayHealth> => healthOf(chain);
  const handlers = {
    ...handlersOf(parts, desks, health),
    ...x402Handlers({ facilitator, place: desks.place }),
  };
  const { merchants, place } = desks;
  const assets = readCheckoutFiles(parts.pages, log);
  const topUp = handlers.topUpCheckout;
  const server = startGatewayServer({
    ...parts.server,
    ...{ handlers, merchants, metrics },
    pages: { invoices: desk, merchants, place, topUp, assets },
    till: { ...tillPartsOf(parts, desks), assets },
    greenfield: {
      ...{ invoices: desk, webhooks, refunds, prices: parts.prices, health, place },
      coin: coinCode(profile.hrp),
    },
    randomBytes,
    clock,
    log,
  });
  const { address } = started.add(await server, (running) => running.stop());
  reached.url = parts.publicUrl ?? address;
  started.add(
    node.onNews(() => chain.wake()),
    (end) => end(),
  );
  started.add(
    keepLooking(() => keys.look(), clock, log),
    (end) => end(),
  );
  for (const part of [chain, looks, desks.sender, desks.payer, payments.loop]) part.start();
  return address;
}

type Stores = {
  readonly access: AccessStore;
  readonly store: GatewayStore;
  readonly files: ViewingKeyFiles;
  /** Where payers reach the gateway. */
  readonly reached: { readonly url: string };
  readonly metrics: GatewayMetrics;
};

/** The desks over the database, and what sends their webhooks. */
function desksOf(parts: GatewayParts, stores: Stores, started: Started) {
  const { access, store, files, reached, metrics } = stores;
  const { core, profile, clock, log, webhookReach } = parts;
  const merchants = new MerchantDirectory(access);
  const watch = new InvoiceWatch(clock);
  const queue = new DeskDeliveries({ store, clock, reach: webhookReach });
  const random = (): number => randomInt(2 ** 32);
  const sender = new WebhookSender({
    ...{ queue, clock, random, log, retries: GATEWAY_RETRIES },
    concurrency: GATEWAY_LIMITS.deliveriesAtOnce,
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
    },
  });
  const looks: DeskLooks = new DeskLooks({ store, desk, clock, log });
  started.add(looks, (running) => running.stop());
  const checkUrl = (url: string): void => void webhookUrl(url, webhookReach);
  const webhooks = new WebhookDesk({ store, clock, randomBytes, checkUrl, onDeliveries });
  const { refunds, payer } = refundsOf(parts, stores, started);
  const tills = new TillDesk({ access, store, clock, randomBytes });
  return { desk, looks, watch, webhooks, refunds, payer, merchants, sender, runs, place, tills };
}

type Desks = ReturnType<typeof desksOf>;

/** What becomes of what the scans find: invoices change, and whoever watches them hears of it. */
function takers(
  store: GatewayStore,
  { desk, looks, watch }: Desks,
): Pick<GatewayChainParts, "commit" | "takePool" | "onTip"> {
  let score: BlueScore | null = null;
  return {
    commit: (step, recentBlocks) => {
      applyScan({ store, desk, recentBlocks }, step);
      watch.moved();
    },
    // What waits is applied beside other changes.
    takePool: async (facts) => {
      await store.run((batch) => applyFacts({ store, desk }, batch, facts));
      watch.moved();
    },
    onTip: ({ sinkBlueScore }) => {
      if (sinkBlueScore === score) return;
      score = sinkBlueScore;
      looks.moveTip(score);
      watch.moved();
    },
  };
}

/** The desk of refunds, and what pays them. */
function refundsOf(
  { clock, log }: GatewayParts,
  { access, store }: Stores,
  started: Started,
): { readonly refunds: RefundDesk; readonly payer: RefundPayer } {
  const onApproved = (): void => void setImmediate(() => payer.wake());
  const refunds = new RefundDesk({ store, clock, randomBytes, onApproved });
  const walletOf = (merchant: MerchantId): PayoutWallet | null => {
    const payout = access.merchants.get(merchant)?.payout ?? null;
    return payout === null ? null : new WalletdPayout(payout);
  };
  const payer: RefundPayer = new RefundPayer({ refunds, walletOf, clock, log });
  started.add(payer, (running) => running.stop());
  return { refunds, payer };
}

/** The facilitator of x402, and what sends again what it has sent. */
function paymentsOf(
  { core, profile, clock, log }: GatewayParts,
  { desk, watch, looks }: Desks,
  eyes: {
    readonly store: GatewayStore;
    readonly node: RpcNode;
    readonly scan: ScanThreads;
    readonly chain: GatewayChain;
  },
  started: Started,
): { readonly facilitator: Facilitator; readonly loop: SettlementLoop } {
  const { store, node, scan, chain } = eyes;
  const profileJson = profile.canonicalJson;
  const challenges = new ChallengeDesk({ store, desk, clock });
  const keyOf = (id: ViewingKeyId): ScannedKey | undefined => chain.keyOf(id);
  const facilitator = new Facilitator({
    network: x402Network(callCore(() => core.genesisHash(profileJson))),
    ...{ store, challenges, node, watch, clock },
    reader: new PaymentReader({ core, profileJson, node, scan, keyOf }),
    onChange: (id) => {
      looks.wake();
      watch.changed(id);
    },
  });
  const loop = new SettlementLoop({ facilitator, challenges, clock, log });
  started.add(loop, (running) => running.stop());
  return { facilitator, loop };
}

function placeOf(
  { profile, clock }: GatewayParts,
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
function tillPartsOf({ prices }: GatewayParts, { desk, tills, place }: Desks) {
  const isSecure = (): boolean => place().publicUrl.startsWith("https:");
  return { tills, isSecure, invoices: desk, prices, place };
}

function handlersOf(
  parts: GatewayParts,
  desks: Desks,
  health: () => Promise<GatewayHealth>,
): Partial<GatewayHandlers> & Pick<GatewayHandlers, "topUpCheckout"> {
  const { prices } = parts;
  const { desk, watch, webhooks, refunds, merchants, place } = desks;
  const checkAddress = addressCheckOf(parts);
  return {
    ...invoiceHandlers({ invoices: desk, prices, place }),
    ...checkoutHandlers({ invoices: desk, merchants, prices, changes: watch, place }),
    ...webhookHandlers(webhooks),
    ...refundHandlers({ refunds, merchants, checkAddress, place }),
    ...serviceHandlers({ prices, health, place }),
    ...tillHandlers(tillPartsOf(parts, desks)),
  };
}

/** The core decodes what a payer gives as an address of the network. */
function addressCheckOf({ core, profile }: Pick<GatewayParts, "core" | "profile">): AddressCheck {
  return async (text) => {
    const address = lowerCaseAddress(text.trim());
    callCore(() => core.decodeAddress(profile.hrp, address));
    return asAddressText(address);
  };
}

async function healthOf(chain: GatewayChain): Promise<GatewayHealth> {
  const { problem, lagMs } = chain;
  const reasons: string[] = [];
  if (problem !== null) reasons.push(sentenceOf(problem.toJSON()));
  else if (lagMs === null) reasons.push("The scan has not come to the tip of the chain yet.");
  else if (lagMs > GATEWAY_LIMITS.lagMs) {
    reasons.push(`The scan was at the tip of the chain ${lagMs / 1_000n} s ago.`);
  }
  return { reasons, scannerLagSeconds: lagMs === null ? null : Number(lagMs / 1_000n) };
}

type RegisteredKeysParts = {
  readonly access: AccessStore;
  readonly files: ViewingKeyFiles;
  readonly chain: GatewayChain;
  readonly runs: AddressRuns;
  readonly network: string;
};

/** The viewing keys of the merchants: they are looked for payments with, and have addresses ready. */
class RegisteredKeys {
  readonly #parts: RegisteredKeysParts;

  constructor(parts: RegisteredKeysParts) {
    this.#parts = parts;
  }

  /** Takes in keys of merchants that are new. Rejects with `gateway/key-file`, `gateway/storage`. */
  async look(): Promise<void> {
    const { access, files, chain, runs, network } = this.#parts;
    const wanted = new Set(access.merchants.all().map(({ key }) => key));
    const found = files.all().filter((file) => wanted.has(file.id) && file.network === network);
    chain.add(found);
    await Promise.all(found.map(({ id }) => runs.fill(id)));
  }
}
