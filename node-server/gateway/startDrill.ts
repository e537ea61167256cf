/** Starts the gateway of a drill: the real desks, server and sender, over a chain that is played. It asks no node, and takes no x402. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { startAll, type Running } from "../platform/thread/startAll.ts";
import type { Started } from "../platform/thread/started.ts";
import { AccessStore } from "./access/accessStore.ts";
import type { ConfiguredWebhook } from "./desk/webhookDesk.ts";
import { OffsetClock } from "./drill/offsetClock.ts";
import { PlayedChain } from "./drill/playedChain.ts";
import { openDesks, serveDesks, type GatewayDeskParts } from "./gatewayDesks.ts";
import { GatewayMetrics } from "./http/gatewayMetrics.ts";
import { ViewingKeyFiles } from "./keys/viewingKeyFile.ts";
import { GatewayStore } from "./store/gatewayStore.ts";

/** How the gateway of a drill is started. */
export type DrillParts = Omit<GatewayDeskParts, "post" | "signClock" | "onMade"> & {
  /** Folder with the merchant in `access` and its viewing key in `keys`; the drill's database goes there too. */
  readonly folder: string;
  /** Where payers reach the gateway; null for where it listens. */
  readonly publicUrl: string | null;
  /** Where the shop is told. */
  readonly webhook: ConfiguredWebhook;
};

/** A running drill. */
export type Drill = Running & { readonly chain: PlayedChain };

/** Starts it. Rejects with `store/…`, `gateway/…`, `webhook/bad-target`, `node/…`; nothing runs then. */
export async function startDrill(parts: DrillParts): Promise<Drill> {
  const clock = new OffsetClock(parts.clock);
  const { webhook, webhookReach: reach } = parts;
  const chain = new PlayedChain({ clock, realClock: parts.clock, webhook, reach, randomBytes });
  const running = await startAll((started) => start(parts, { chain, clock }, started));
  return { ...running, chain };
}

async function start(
  parts: DrillParts,
  { chain, clock }: { readonly chain: PlayedChain; readonly clock: OffsetClock },
  started: Started,
): Promise<string> {
  const { folder, publicUrl, webhook, clock: signClock } = parts;
  const access = started.add(AccessStore.read(folder), (open) => open.close());
  const store = started.add(await GatewayStore.open(folder, null), (open) => open.close());
  const files = new ViewingKeyFiles(join(folder, "keys"));
  const reached = { url: publicUrl ?? "" };
  const metrics = new GatewayMetrics(clock);
  const deskParts = {
    ...parts,
    ...{ clock, signClock },
    post: chain.post.bind(chain),
    onMade: chain.made.bind(chain),
  };
  const desks = openDesks(deskParts, { access, store, files, reached, metrics }, started);
  await desks.webhooks.keepConfigured(webhook);
  await Promise.all(files.all().map(({ id }) => desks.runs.fill(id)));
  metrics.watch({ chain: PLAYED, store, watch: desks.watch });
  chain.begin({ ...desks, store });
  const served = { health: async () => HEALTHY, further: {}, metrics };
  const address = await serveDesks(deskParts, desks, served, started);
  reached.url = publicUrl ?? address;
  for (const part of [desks.looks, desks.sender]) part.start();
  return address;
}

/** A chain that is played is always at its tip. */
const PLAYED = { lagMs: 0n, problem: null, keyCount: 1 };
const HEALTHY = { reasons: [], scannerLagSeconds: 0 };
