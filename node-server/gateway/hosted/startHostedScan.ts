/** Starts what `svc gateway scan --push` runs: scans beside the operator's own node, and facts for a hosted gateway. It serves nothing. */
import { join } from "node:path";
import { asTimestampMs, type ViewingKeyId } from "@svc/shared/base/brand.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import { networkId, type NetworkProfile } from "@svc/shared/chain/profile.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { PricePort } from "@svc/shared/gateway/pricePort.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { Checkpoints } from "@svc/shared/light/checkpointOf.ts";
import type { ChainDepth } from "@svc/shared/light/workLadder.ts";
import { RpcNode } from "../../client/rpcNode.ts";
import type { Log } from "../../platform/log/log.ts";
import { startAll, type Running } from "../../platform/thread/startAll.ts";
import type { Started } from "../../platform/thread/started.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { ScanThreads } from "../../scanning/scanThreads.ts";
import type { MerchantPayout } from "../access/merchantTable.ts";
import { GatewayChain, type GatewayChainParts } from "../gatewayChain.ts";
import { keepLooking } from "../keys/keepLooking.ts";
import { depthOf } from "../proof/chainDepth.ts";
import { networkWork, type NetworkWork } from "../proof/networkWork.ts";
import type { ScanProof } from "../proof/scanProof.ts";
import { RefundPayer } from "../refunds/refundPayer.ts";
import { ViewingKeyFiles } from "../keys/viewingKeyFile.ts";
import { FactOutbox } from "./factOutbox.ts";
import { FactSender } from "./factSender.ts";
import { HostedRefunds } from "./hostedRefunds.ts";
import { HostedRuns } from "./hostedRuns.ts";
import { RateTeller } from "./rateTeller.ts";
import { PayoutLedger } from "./payoutLedger.ts";
import { payoutWallets } from "./payoutWallets.ts";
import { OutboxStore } from "./outboxStore.ts";

/** How a scan is started. The caller holds the folder's lock. */
export type HostedScanParts = {
  readonly core: CoreGlue;
  readonly profile: Pick<NetworkProfile, "hrp" | "networkName"> & {
    readonly canonicalJson: string;
  };
  /** Folder of the gateway, with `keys` in it. */
  readonly folder: string;
  /** `host:port` of the node's gRPC API. */
  readonly node: string;
  /** It is the operator's own: no evidence is asked for. */
  readonly trustsNode: boolean;
  /** Work that the operator knows of networks, beside the release's. */
  readonly checkpoints: Checkpoints;
  readonly scanThreads: number;
  /** The hosted gateway, without a slash at its end. */
  readonly url: string;
  /** The name under which facts are told. */
  readonly scanner: string;
  /** Signs what is told. */
  readonly secret: Secret;
  /** The wallets that pay refunds, by viewing key. */
  readonly payouts: ReadonlyMap<ViewingKeyId, MerchantPayout>;
  /** The operator's prices. */
  readonly prices: PricePort;
  readonly clock: Clock;
  readonly log: Log;
};

/** Starts it, also while node or gateway are away. Rejects with `store/…`, `gateway/key-file`, `gateway/storage`; nothing runs then. */
export function startHostedScan(parts: HostedScanParts): Promise<Running> {
  return startAll((started) => start(parts, started));
}

async function start(parts: HostedScanParts, started: Started): Promise<string> {
  const { core, profile, folder, url, scanner, secret, clock, log } = parts;
  const profileJson = profile.canonicalJson;
  const store = started.add(await OutboxStore.open(folder), (open) => open.close());
  const work = networkWork(core, profileJson, parts.checkpoints);
  const depth = parts.trustsNode ? {} : { depth: storedDepth(store.proof.read(), work) };
  const outbox = new FactOutbox({ store, scanner, clock, ...depth });
  const files = new ViewingKeyFiles(join(folder, "keys"));
  const node = started.add(new RpcNode(parts.node, { core, profileJson }), (port) => port.close());
  const threads = { profileJson, threads: parts.scanThreads, log };
  const scan = started.add(new ScanThreads(threads), (running) => running.stop());
  const held = heldNode(node, outbox);
  const view = store.view.blocks();
  const { trustsNode } = parts;
  const { proof, receipts } = store;
  const seen = { node: held, view, proof, receipts, trustsNode, work };
  const eyes = { core, profileJson, scan, clock, log, ...seen };
  const hear = (): void => takeVerdict(chain, outbox);
  const taken = takers(outbox, hear);
  const chain: GatewayChain = started.add(new GatewayChain({ ...eyes, ...taken }), (run) =>
    run.stop(),
  );
  const runs = started.add(
    new HostedRuns({
      ...{ outbox, files, clock, log },
      derive: (ivk, from, count) => callCore(() => core.incomingAddresses(ivk, from, count)),
      addressText: (raw) => callCore(() => core.encodeAddress(profile.hrp, raw)),
    }),
    (running) => running.stop(),
  );
  const network = networkId(profile);
  const tell = problemTeller(chain, log);
  const look = async (): Promise<void> => {
    tell();
    const keys = files.all().filter((file) => file.network === network);
    chain.add(keys);
    runs.keep(keys.map(({ id }) => id));
    hear();
  };
  await look();
  const onLow: HostedRuns["low"] = (key, sequence) => runs.low(key, sequence);
  const sender = new FactSender({ url, secret, clock, log, outbox, onLow });
  started.add(sender, (running) => running.stop());
  started.add(
    node.onNews(() => chain.wake()),
    (end) => end(),
  );
  started.add(keepLooking(look, clock, log), (end) => end());
  const { prices } = parts;
  const teller = started.add(new RateTeller({ url, secret, clock, log, prices }), (running) =>
    running.stop(),
  );
  startPayouts(parts, { store, outbox }, started);
  chain.start();
  sender.start();
  teller.start();
  return url;
}

/** Pays what the gateway's merchants approved, where a wallet is named. */
function startPayouts(
  parts: HostedScanParts,
  { store, outbox }: { readonly store: OutboxStore; readonly outbox: FactOutbox },
  started: Started,
): void {
  const { core, profile, payouts, url, secret, clock, log } = parts;
  if (payouts.size === 0) return;
  const walletOf = payoutWallets(payouts);
  const refunds: HostedRefunds = new HostedRefunds({
    ...{ url, secret, clock, log },
    ledger: new PayoutLedger({ store, deepTo: (required) => outbox.deepTo(required) }),
    hasWallet: (key) => payouts.has(key),
    checkAddress: (address) => void callCore(() => core.decodeAddress(profile.hrp, address)),
    onDue: () => payer.wake(),
  });
  const payer = new RefundPayer({
    ...{ refunds, clock, log },
    walletOf: ({ id }) => {
      const key = refunds.keyOf(id);
      return key === null ? null : walletOf(key);
    },
  });
  started.add(payer, (running) => running.stop());
  started.add(refunds, (running) => running.stop());
  refunds.start();
  payer.start();
}

/** Says once what keeps the scan from following the node or believing it, and that it follows again: there is no other place where it shows. */
function problemTeller(
  chain: Pick<GatewayChain, "problem">,
  log: Pick<Log, "info" | "warn">,
): () => void {
  let said: string | null = null;
  return () => {
    const { problem } = chain;
    const code = problem?.code ?? null;
    if (code === said) return;
    said = code;
    if (problem === null) log.info("the node is followed and believed again");
    else log.warn({ err: problem }, "the node is not followed, or not believed");
  };
}

/** What is known of the node's evidence goes to the gateway. Throws the store's error. */
function takeVerdict({ verdict }: Pick<GatewayChain, "verdict">, outbox: FactOutbox): void {
  if (verdict !== undefined) outbox.takeVerdict(verdict?.toJSON() ?? null);
}

/** What is found is written down, to be told. `hear` comes before a tip is told. */
function takers(
  outbox: FactOutbox,
  hear: () => void,
): Pick<GatewayChainParts, "commit" | "takePool" | "endPoolLook" | "onCut" | "onTip"> {
  return {
    onCut: (depth) => outbox.moveDepth(depth),
    commit: (step, recentBlocks) => outbox.takeStep(step, recentBlocks),
    takePool: async (facts) => outbox.takePool(facts),
    endPoolLook: async () => outbox.endPoolLook(),
    onTip: (depth, block) => {
      outbox.moveDepth(depth);
      hear();
      outbox.takeTip(block);
    },
  };
}

/** The node, which is asked for nothing more while the outbox is full. */
function heldNode(node: RpcNode, outbox: FactOutbox): GatewayChainParts["node"] {
  return {
    tip: (signal) => node.tip(signal),
    start: (index, signal) => node.start(index, signal),
    opening: (of, part, signal) => node.opening(of, part, signal),
    run: (from, to, signal) => node.run(from, to, signal),
    submit: (raw, signal) => node.submit(raw, signal),
    blocks: async (after, limit, signal, place) => {
      await outbox.room(signal);
      return node.blocks(after, limit, signal, place);
    },
    pool: async (signal) => {
      await outbox.roomAtBlock(signal);
      return node.pool(signal);
    },
  };
}

/** Where payments are deep by what an earlier start proved. Until something new is proved no time eases the measure. */
function storedDepth(stored: ScanProof | undefined, work: NetworkWork): ChainDepth {
  return depthOf(stored, work, asTimestampMs(0n));
}
