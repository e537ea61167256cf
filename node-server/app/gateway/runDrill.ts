/** The command `svc gateway drill`: plays every state of an invoice against the merchant's own shop on a test network. */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { networkId } from "@svc/shared/chain/profile.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { API_KEY_BYTES, makeApiKey } from "@svc/shared/gateway/apiKey.ts";
import { AccessStore } from "../../gateway/access/accessStore.ts";
import { drillTable } from "../../gateway/drill/drillTable.ts";
import { runScenes, type DrillRow, type DrillShop } from "../../gateway/drill/runScenes.ts";
import { GATEWAY_LIMITS } from "../../gateway/gatewayLimits.ts";
import { ViewingKeyFiles } from "../../gateway/keys/viewingKeyFile.ts";
import { CoinRates } from "../../gateway/prices/coinRates.ts";
import { startDrill, type Drill } from "../../gateway/startDrill.ts";
import { createLog } from "../../platform/log/log.ts";
import { systemClock } from "../../platform/time/clock.ts";
import type { NodeProfile } from "../../rpc/service/nodeApi.ts";
import { builtPages } from "../folder/dataFolder.ts";
import { badOption, type Environment } from "../options/readOptions.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { loadNetwork } from "../program/network.ts";
import { drillFolder, removeStaleFolders } from "./drillFolder.ts";
import { drillShop } from "./drillShop.ts";
import {
  ENVIRONMENT_MERCHANT,
  keepEnvironmentShop,
  readEnvironmentShop,
  type EnvironmentWebhook,
} from "./environmentShop.ts";
import { newMerchant } from "./newMerchant.ts";
import type { GatewayDrillFlags } from "./parseGateway.ts";
import { registerKey } from "./registerKey.ts";

const FAILED = 1;
const SEED_BYTES = 32;
const SECRET_BYTES = 32;

/** The drill in its folder. */
type DrillPlace = {
  readonly core: CoreGlue;
  readonly profile: NodeProfile;
  readonly folder: string;
};

/**
 * Plays the scenes; resolves to 0 where all passed, and to 1 else, also where the signal ended it. Rejects with `node/bad-option` for
 * mainnet, and where a command of the operator fails.
 */
export async function runDrill(
  flags: GatewayDrillFlags,
  core: CoreGlue,
  context: CommandContext,
): Promise<number> {
  const { environment } = context;
  const { orderCommand, handedOverCommand } = flags;
  const terminal = { input: process.stdin, output: process.stderr };
  return playDrill(flags, core, {
    ...{ context, settleMs: GATEWAY_LIMITS.drillSettleMs },
    shop: drillShop({ orderCommand, handedOverCommand, environment, terminal }),
  });
}

/** What a drill is played with. */
export type DrillPlay = {
  readonly context: CommandContext;
  readonly shop: DrillShop;
  /** ms. How late the shop may hand over. */
  readonly settleMs: number;
};

/** As `runDrill`, with a shop. */
export async function playDrill(
  flags: GatewayDrillFlags,
  core: CoreGlue,
  play: DrillPlay,
): Promise<number> {
  const profile = loadNetwork(core, flags.network);
  if (networkId(profile) === "mainnet") {
    throw badOption("network", "a drill pays nothing: write a test network");
  }
  removeStaleFolders();
  const folder = drillFolder();
  try {
    return await playIn({ core, profile, folder }, flags, play);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function playIn(
  place: DrillPlace,
  flags: GatewayDrillFlags,
  { context, shop, settleMs }: DrillPlay,
): Promise<number> {
  const { print, signal } = context;
  const { webhook, fresh } = await makeMerchant(place, flags.webhookUrl, context.environment);
  const drill = await openDrill(place, flags, webhook);
  try {
    tell(flags, { gateway: flags.publicUrl ?? drill.address, ...fresh }, print);
    const { chain } = drill;
    const { scenes } = flags;
    // The table at the end says it once more, with what left later.
    const ended = ({ scene, pass }: DrillRow): void => {
      if (!flags.json) print(`${pass ? "pass" : "FAIL"}  ${scene}`);
    };
    const timing = { clock: systemClock, settleMs, signal };
    const rows = await runScenes({ chain, shop, scenes, ...timing, onScene: ended });
    if (flags.json) for (const row of rows) print(stableJson(row));
    else for (const line of drillTable(rows)) print(line);
    return rows.every(({ pass }) => pass) ? 0 : FAILED;
  } catch (thrown) {
    if (!SvcError.is(thrown, "run/aborted")) throw thrown;
    if (!flags.json) print("the drill was ended");
    return FAILED;
  } finally {
    await drill.stop();
  }
}

function openDrill(
  { core, profile, folder }: DrillPlace,
  flags: GatewayDrillFlags,
  webhook: EnvironmentWebhook,
): Promise<Drill> {
  const log = createLog(flags.logLevel, { masksAddresses: true });
  const { host, port } = flags.listen;
  const oldestMs = BigInt(flags.rateMaxAgeS) * 1_000n;
  const { rates: fixed, ratesFile: file, publicUrl } = flags;
  return startDrill({
    ...{ core, profile, folder, publicUrl, log, clock: systemClock },
    webhook: { merchant: ENVIRONMENT_MERCHANT, ...webhook },
    webhookReach: flags.webhookAllowPrivate ? "private" : "loopback",
    prices: new CoinRates({ fixed, file, oldestMs, clock: systemClock, log }),
    pages: builtPages(),
    server: {
      ...{ host, port, option: "--gateway-listen", hasLimits: true },
      rules: { ...flags.hosts, origins: [] },
    },
  });
}

/** The merchant of the drill, whose viewing key nobody has paid. What the environment does not give is made, and told once. */
async function makeMerchant(
  { core, profile, folder }: DrillPlace,
  webhookUrl: string,
  environment: Environment,
): Promise<{
  readonly webhook: EnvironmentWebhook;
  readonly fresh: Readonly<Record<string, string>>;
}> {
  const given = (name: string): string | null => environment[name] || null;
  const [ownKey, ownSecret] = [given("SVC_GATEWAY_API_KEY"), given("SVC_GATEWAY_WEBHOOK_SECRET")];
  const apiKey = ownKey ?? makeApiKey("test", randomBytes(API_KEY_BYTES));
  const webhookSecret = ownSecret ?? `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  const shop = readEnvironmentShop({
    SVC_GATEWAY_FVK: encodeHex(callCore(() => core.fullViewingKey(randomBytes(SEED_BYTES)))),
    SVC_GATEWAY_API_KEY: apiKey,
  });
  const files = new ViewingKeyFiles(join(folder, "keys"));
  const access = await AccessStore.open(folder);
  try {
    await keepEnvironmentShop(shop, {
      access,
      nowMs: asTimestampMs(systemClock.nowMs()),
      register: (key) => registerKey({ core, files, network: networkId(profile) }, key),
      newMerchant: (id, key) => newMerchant(id, "drill", key),
    });
  } finally {
    await access.close();
  }
  return {
    webhook: { url: webhookUrl, secret: webhookSecret },
    fresh: { ...(ownKey === null && { apiKey }), ...(ownSecret === null && { webhookSecret }) },
  };
}

function tell(
  { json, webhookUrl }: GatewayDrillFlags,
  told: Readonly<Record<string, string>>,
  print: (line: string) => void,
): void {
  if (json) return print(stableJson(told));
  const width = "webhookSecret".length;
  for (const [name, text] of Object.entries(told)) print(`${name.padEnd(width)}  ${text}`);
  print(`${"webhook".padEnd(width)}  ${webhookUrl}`);
  return print("Nothing is paid here. Set the test shop to this gateway, key and secret.");
}
