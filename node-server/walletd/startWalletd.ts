/** Starts the wallet daemon as a program runs it: wallets over a node's chain, payments, feeds, and the API that serves them. */
import { randomBytes, randomInt } from "node:crypto";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { PolicyProfile } from "@svc/shared/wallet/state/walletPolicy.ts";
import { RpcNode } from "../client/rpcNode.ts";
import type { WebhookEndpoint } from "../client/deliveryQueue.ts";
import { WebhookSender } from "../client/webhookSender.ts";
import type { HttpRules } from "../platform/http/accessCheck.ts";
import type { Log } from "../platform/log/log.ts";
import { anchored, type Clock } from "../platform/time/clock.ts";
import { startAll, type Running } from "../platform/thread/startAll.ts";
import type { Started } from "../platform/thread/started.ts";
import { ProverThread } from "../proving/proverThread.ts";
import { ScanThreads, type KeyScanPort } from "../scanning/scanThreads.ts";
import { prepareWork } from "./device/prepareWork.ts";
import { PreparedSessions } from "./device/preparedSessions.ts";
import { DepositFeed } from "./feed/depositFeed.ts";
import { FeedDeliveries } from "./feed/feedDeliveries.ts";
import { EventFeed } from "./feed/eventFeed.ts";
import { PoolWatch } from "./feed/poolWatch.ts";
import { DaemonWallets, type HandlerParts } from "./http/daemonWallets.ts";
import { deviceHandlers } from "./http/deviceHandlers.ts";
import { disclosureHandlers } from "./http/disclosureHandlers.ts";
import { eventHandlers } from "./http/eventHandlers.ts";
import { keyHandlers } from "./http/keyHandlers.ts";
import { payoutHandlers } from "./http/payoutHandlers.ts";
import { scanHandlers } from "./http/scanHandlers.ts";
import { spendHandlers } from "./http/spendHandlers.ts";
import { statusHandlers } from "./http/statusHandlers.ts";
import type { WalletHandlers } from "./http/walletHandlers.ts";
import { tokenHandlers } from "./http/tokenHandlers.ts";
import { webhookHandlers, type DaemonWebhook } from "./http/webhookHandlers.ts";
import { WalletMetrics } from "./http/walletMetrics.ts";
import { WatchRound } from "./wallets/watchRound.ts";
import { startWalletServer } from "./http/walletServer.ts";
import { WalletFolder, type WalletFolderParts } from "./keys/walletFolder.ts";
import { ReceiptMaker } from "./receipts/receiptMaker.ts";
import { ProofQueue, type QueuedProver } from "./spend/proofQueue.ts";
import { LastingJobs } from "./spend/lastingJobs.ts";
import { rescanWork } from "./spend/rescanWork.ts";
import { seedSigner } from "./spend/seedSigner.ts";
import { refundOvertaken } from "./spend/refundOvertaken.ts";
import { SpendLimits } from "./spend/tokens/spendLimits.ts";
import { SpendService } from "./spend/spendService.ts";
import { TokenBook } from "./spend/tokens/tokenBook.ts";
import { WalletStore } from "./store/walletStore.ts";
import { walletClock, WalletDaemon, type DaemonSettings } from "./walletDaemon.ts";

/** How a daemon is started. */
export type WalletdParts = {
  readonly core: CoreGlue;
  /** Canonical JSON of the network profile. */
  readonly profileJson: string;
  /** The folder takes ownership of its secret. */
  readonly folder: WalletFolderParts;
  /** `host:port` of the node's gRPC API. */
  readonly node: string;
  readonly settings: DaemonSettings;
  readonly proofs: {
    /** Proofs made at the same time. */
    readonly atOnce: number;
    /** Threads that share one; null takes what suits the machine. */
    readonly threads: number | null;
    /** Folder for tables that the next start reads, or null. */
    readonly cacheFolder: string | null;
    /** Makes a prover for each of them; threads of this program where it is left out. */
    readonly makeProver?: () => QueuedProver;
  };
  readonly scanThreads: number;
  /** Notes above which a wallet is merged in the background; null for never. */
  readonly consolidateAbove: number | null;
  /** Where feeds are sent; null for nowhere. */
  readonly webhook: WebhookEndpoint | null;
  readonly server: {
    readonly host: string;
    readonly port: number;
    readonly option: string;
    readonly rules: HttpRules;
    readonly credentials: { readonly allowDefaultToken: boolean; readonly custodial: boolean };
    readonly bearer: string | null;
    /** Certificate and key in PEM; null for HTTP without TLS. */
    readonly tls: { readonly cert: string; readonly key: string } | null;
    readonly onRequest?: () => void;
  };
  readonly clock: Clock;
  readonly log: Log;
};

/** A running daemon. Its stop lets calls in progress end and writes the wallets. */
export type Walletd = Running;

/**
 * Starts the daemon. It serves before the node answers. Rejects with what `WalletFolder.open`, `WalletStore.open` and
 * `startWalletServer` reject with; nothing runs then.
 */
export function startWalletd(parts: WalletdParts): Promise<Walletd> {
  return startAll((started) => start(parts, started));
}

async function start(parts: WalletdParts, started: Started): Promise<string> {
  const { core, profileJson, clock, log } = parts;
  const folder = started.add(await WalletFolder.open(parts.folder), (open) => open.close());
  const opening = WalletStore.open(parts.folder.path, folder.rowSeal());
  const store = started.add(await opening, (open) => open.close());
  const node = started.add(new RpcNode(parts.node, { core, profileJson }), (port) => port.close());
  const metrics = new WalletMetrics(clock);
  const threads = { profileJson, threads: parts.scanThreads, log };
  const scanner = started.add(new ScanThreads(threads), (running) => running.stop());
  const scan = metrics.countScans(scanner);
  const events = new EventFeed(store.events, clock);
  const base = { core, profileJson, folder, store, clock, log };
  const webhook = webhookOf(parts, base, started);
  const { daemon, pool } = chainOf(parts, { ...base, node, scan, events, webhook }, started);
  const proofs = proofsOf(parts, metrics, started);
  const paying = { ...base, node, daemon, proofs };
  const spend = spendOf(parts, paying, started);
  const sessions = sessionsOf({ ...paying, limits: spend.limits }, started);
  const tokens = new TokenBook({ store, clock: anchored(clock), randomBytes });
  const jobs = lastingOf({ ...paying, sessions }, started);
  const receipts = new ReceiptMaker({ ...base, node, view: () => daemon.lanes.main.view });
  const asked = { daemon, events, webhook, spend, sessions, tokens, jobs, receipts };
  const handlers = handlersOf({ ...base, ...asked });
  metrics.watch({ daemon, store, proofs, webhooks: webhook === null ? null : webhook.counts });
  const opened = startWalletServer({ ...parts.server, handlers, tokens, clock, log, metrics });
  const { address } = started.add(await opened, (running) => running.stop());
  const round = webhook === null ? null : roundOf({ ...base, daemon }, started);
  const endNews = node.onNews(() => {
    daemon.wake();
    pool.wake();
  });
  started.add(endNews, (end) => end());
  daemon.start();
  pool.start();
  spend.start();
  webhook?.start();
  round?.start();
  // Wallets with payments under way are opened without anybody asking.
  Promise.all([spend.resume(), jobs.resume()]).catch((err: unknown) =>
    log.error({ err }, "jobs of an earlier run were not resumed"),
  );
  return address;
}

type Base = Pick<HandlerParts, "core" | "profileJson" | "folder" | "store" | "clock"> & {
  readonly log: Log;
};

/** The queue of webhooks, and what sends it. */
type RunningWebhook = DaemonWebhook & {
  readonly deliveries: FeedDeliveries;
  readonly counts: () => ReturnType<FeedDeliveries["counts"]>;
  readonly start: () => void;
};

function webhookOf(
  { webhook: endpoint, clock, log }: WalletdParts,
  { core, profileJson, store }: Base,
  started: Started,
): RunningWebhook | null {
  if (endpoint === null) return null;
  const { hrp } = profileOf(profileJson);
  const deliveries = new FeedDeliveries({
    store,
    endpoint,
    clock,
    randomBytes,
    addressText: (recipient) => callCore(() => core.encodeAddress(hrp, decodeHex(recipient))),
  });
  const random = () => randomInt(2 ** 32);
  const sender = new WebhookSender({ queue: deliveries, clock, random, log });
  started.add(sender, (running) => running.stop());
  return {
    deliveries,
    counts: () => deliveries.counts(),
    wake: () => sender.wake(),
    start: () => sender.start(),
  };
}

/** A receiver that waits for the webhook asks for no wallet. */
function roundOf(
  { daemon, ...parts }: Base & { readonly daemon: WalletDaemon },
  started: Started,
): WatchRound {
  const round = new WatchRound({ ...parts, wallets: daemon.wallets });
  return started.add(round, (running) => running.stop());
}

/** The wallets over the chain, their feeds, and what waits for them in the pool. */
function chainOf(
  { settings }: WalletdParts,
  parts: Base & {
    readonly node: RpcNode;
    readonly scan: KeyScanPort;
    readonly events: EventFeed;
    readonly webhook: RunningWebhook | null;
  },
  started: Started,
): { readonly daemon: WalletDaemon; readonly pool: PoolWatch } {
  const { store, clock, events, webhook } = parts;
  const feed: DepositFeed = new DepositFeed({
    store,
    clock,
    policy: { settleDepth: BigInt(profileOf(parts.profileJson).wallet.settleDepth) },
    also: (batch, token, entry) => webhook?.deliveries.add(batch, token, entry),
    onNews: (token) => {
      events.changed(token);
      webhook?.wake();
    },
  });
  const limits = new SpendLimits(store, walletClock(clock));
  const daemon: WalletDaemon = started.add(
    new WalletDaemon({
      ...parts,
      settings,
      follow: (batch, moved) => {
        feed.follow(batch, moved);
        refundOvertaken(limits, batch, moved);
      },
      incoming: (wallet) => pool.incoming(wallet),
    }),
    (running) => running.stop(),
  );
  const pool: PoolWatch = started.add(
    new PoolWatch({
      ...parts,
      wallets: () =>
        daemon.wallets.all.filter(({ wallet }) => wallet.isBegun).map(({ wallet }) => wallet),
      onSeen: (wallet, notes) => feed.seen(wallet.keys.token, notes, wallet.state),
    }),
    (running) => running.stop(),
  );
  return { daemon, pool };
}

/** One queue for every proof: of payments, merges and prepared payments. */
function proofsOf(
  { proofs, clock, log }: WalletdParts,
  metrics: WalletMetrics,
  started: Started,
): ProofQueue {
  const { threads: proofThreads, cacheFolder } = proofs;
  const thread = (): QueuedProver => new ProverThread({ prover: "own", proofThreads, cacheFolder });
  const makeProver = proofs.makeProver ?? thread;
  const provers = Array.from({ length: Math.max(1, proofs.atOnce) }, () =>
    metrics.countProofs(makeProver()),
  );
  const queue = started.add(new ProofQueue({ provers, clock }), (all) => all.stop());
  // The first payment finds the keys made.
  queue.warm().catch((err: unknown) => log.warn({ err }, "the prover was not warmed"));
  return queue;
}

/** What both kinds of payments need. */
type PayingParts = Base & {
  readonly node: RpcNode;
  readonly daemon: WalletDaemon;
  readonly proofs: ProofQueue;
};

function sessionsOf(
  parts: PayingParts & { readonly limits: SpendLimits },
  started: Started,
): PreparedSessions {
  const { daemon, proofs, clock } = parts;
  const sessions = new PreparedSessions({
    ...parts,
    wallets: daemon.wallets,
    proverFor: (token) => proofs.proverFor(token),
    policy: daemon.policy,
    clock: { ...walletClock(clock), steadyMs: () => clock.steadyMs() },
    newId,
  });
  return started.add(sessions, (running) => running.stop());
}

function lastingOf(
  parts: PayingParts & { readonly sessions: PreparedSessions },
  started: Started,
): LastingJobs {
  const { daemon, clock, sessions } = parts;
  const { wallets } = daemon;
  const works = { rescan: rescanWork({ wallets, clock }), prove: prepareWork(sessions) };
  const jobs = new LastingJobs({ ...parts, wallets, works, newId });
  return started.add(jobs, (running) => running.stop());
}

function newId(): string {
  return encodeHex(randomBytes(16));
}

function spendOf(
  { consolidateAbove }: WalletdParts,
  parts: PayingParts,
  started: Started,
): SpendService {
  const { core, folder, daemon, profileJson } = parts;
  const service = new SpendService({
    ...parts,
    wallets: daemon.wallets,
    signerFor: (token) => seedSigner({ folder, core }, token),
    policy: daemon.policy,
    profile: JSON.parse(profileJson),
    newId,
    consolidateAbove,
  });
  return started.add(service, (running) => running.stop());
}

function handlersOf(
  parts: Base & {
    readonly daemon: WalletDaemon;
    readonly events: EventFeed;
    readonly webhook: RunningWebhook | null;
    readonly spend: SpendService;
    readonly sessions: PreparedSessions;
    readonly tokens: TokenBook;
    readonly jobs: LastingJobs;
    readonly receipts: ReceiptMaker;
  },
): WalletHandlers {
  const wallets = new DaemonWallets(parts);
  const { hrp } = profileOf(parts.profileJson);
  return {
    ...statusHandlers(parts, wallets),
    ...keyHandlers(parts, wallets),
    ...scanHandlers(parts, wallets, parts.jobs),
    ...spendHandlers(parts.spend, wallets, parts.jobs),
    ...deviceHandlers(parts, wallets),
    ...disclosureHandlers(parts, wallets),
    ...eventHandlers({ ...parts, hrp, wallets, feed: parts.events }),
    ...webhookHandlers(parts),
    ...tokenHandlers({ ...parts, hrp }, wallets),
    ...payoutHandlers({ ...parts, hrp }, wallets),
  };
}

function profileOf(profileJson: string): PolicyProfile {
  return JSON.parse(profileJson);
}
