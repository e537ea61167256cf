/** Starts the gateway as a program runs it: invoices over a node's chain, webhooks, and the API that serves them. */
import { join } from "node:path";
import { type ViewingKeyId } from "@svc/shared/base/brand.ts";
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { networkId } from "@svc/shared/chain/profile.ts";
import type { Checkpoints } from "@svc/shared/light/checkpointOf.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { type GatewayHealth } from "@svc/shared/gateway/handlers/serviceHandlers.ts";
import { x402Handlers } from "@svc/shared/gateway/x402/x402Handlers.ts";
import { x402Network } from "@svc/shared/protocol/gateway/x402Records.ts";
import { RpcNode } from "../client/rpcNode.ts";
import { startAll, type Running } from "../platform/thread/startAll.ts";
import type { Started } from "../platform/thread/started.ts";
import type { Repeater } from "../platform/time/repeater.ts";
import { ScanThreads } from "../scanning/scanThreads.ts";
import { AccessStore } from "./access/accessStore.ts";
import { type ConfiguredWebhook } from "./desk/webhookDesk.ts";
import { GatewayChain } from "./gatewayChain.ts";
import { GATEWAY_LIMITS } from "./gatewayLimits.ts";
import { GatewayMetrics } from "./http/gatewayMetrics.ts";
import { keepLooking } from "./keys/keepLooking.ts";
import { RegisteredKeys } from "./keys/registeredKeys.ts";
import { ViewingKeyFiles } from "./keys/viewingKeyFile.ts";
import { ChallengeDesk } from "./x402/challengeDesk.ts";
import { Facilitator } from "./x402/facilitator.ts";
import { PaymentReader } from "./x402/paymentReader.ts";
import { settlementLoop } from "./x402/settlementLoop.ts";
import type { ScannedKey } from "./scan/scannedKey.ts";
import { scanTakers } from "./scanTakers.ts";
import { networkWork } from "./proof/networkWork.ts";
import { GatewayStore } from "./store/gatewayStore.ts";
import { openDesks, serveDesks, type GatewayDeskParts, type GatewayDesks } from "./gatewayDesks.ts";

/** How a gateway is started. The caller holds the folder's lock. */
export type GatewayParts = GatewayDeskParts & {
  /** Folder of the gateway, with `access` in it. */
  readonly folder: string;
  /** `host:port` of the node's gRPC API. */
  readonly node: string;
  /** It is the operator's own: no evidence is asked for. */
  readonly trustsNode: boolean;
  /** Work that the operator knows of networks, beside the release's. */
  readonly checkpoints: Checkpoints;
  readonly scanThreads: number;
  /** Where payers reach the gateway, without a slash at its end; null for where it listens. */
  readonly publicUrl: string | null;
  /** The webhook that the operator configured; null for none. */
  readonly webhook: ConfiguredWebhook | null;
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
  const desks = openDesks(parts, { access, store, files, reached, metrics }, started);
  const { desk, looks, watch } = desks;
  const view = store.view.blocks();
  const { trustsNode } = parts;
  const work = networkWork(core, profileJson, parts.checkpoints);
  const { proof, receipts } = store;
  const seen = { view, proof, receipts };
  const eyes = { core, profileJson, node, scan, clock, log, trustsNode, work, ...seen };
  const taken = scanTakers({ store, desk, looks, watch });
  const chain = started.add(new GatewayChain({ ...eyes, ...taken }), (running) => running.stop());
  await desks.webhooks.keepConfigured(parts.webhook);
  const { runs } = desks;
  const network = networkId(profile);
  files.forgetDrafts();
  const registered = { merchants: access.merchants, files, chain, runs, network };
  const keys = started.add(new RegisteredKeys(registered), (running) => running.stop());
  await keys.look();
  metrics.watch({ chain, store, watch });
  const payments = paymentsOf(parts, desks, { store, node, scan, chain }, started);
  const { facilitator } = payments;
  const health = (): Promise<GatewayHealth> => healthOf(chain);
  const further = x402Handlers({ facilitator, place: desks.place });
  const address = await serveDesks(parts, desks, { health, further, metrics }, started);
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

/** The facilitator of x402, and what sends again what it has sent. */
function paymentsOf(
  { core, profile, clock, log }: GatewayParts,
  { desk, watch, looks }: GatewayDesks,
  eyes: {
    readonly store: GatewayStore;
    readonly node: RpcNode;
    readonly scan: ScanThreads;
    readonly chain: GatewayChain;
  },
  started: Started,
): { readonly facilitator: Facilitator; readonly loop: Repeater } {
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
  const loop = settlementLoop({ facilitator, challenges, clock, log });
  started.add(loop, (running) => running.stop());
  return { facilitator, loop };
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
