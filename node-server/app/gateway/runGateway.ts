/** The command `svc gateway`: the gateway itself, and what its operator does with merchants and keys. */
import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  asBlueScore,
  asMerchantId,
  asSompi,
  asTimestampMs,
  type MerchantId,
  type ViewingKeyId,
} from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { networkId } from "@svc/shared/chain/profile.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { AccessStore } from "../../gateway/access/accessStore.ts";
import {
  addMerchant,
  issueKey,
  keysOf,
  revokeKey,
  setPayout,
} from "../../gateway/access/issueKeys.ts";
import type { MerchantRow } from "../../gateway/access/merchantTable.ts";
import { GATEWAY_LIMITS } from "../../gateway/gatewayLimits.ts";
import { newViewingKey, ViewingKeyFiles } from "../../gateway/keys/viewingKeyFile.ts";
import { readToken } from "../../gateway/refunds/payoutWallet.ts";
import { acquireLock } from "../../platform/files/lockFile.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { systemClock } from "../../platform/time/clock.ts";
import { makeDurableFolder } from "../../storage/durableFolder.ts";
import type { NodeProfile } from "../../rpc/service/nodeApi.ts";
import { userFolder } from "../folder/dataFolder.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { loadNetwork } from "../program/network.ts";
import type { ConfiguredWebhook } from "../../gateway/desk/webhookDesk.ts";
import {
  ENVIRONMENT_MERCHANT,
  keepEnvironmentShop,
  readEnvironmentShop,
  type EnvironmentShop,
} from "./environmentShop.ts";
import { gatewayHelpText } from "./gatewayFlags.ts";
import {
  parseGateway,
  type GatewayPlace,
  type GatewayRun,
  type GatewayScanFlags,
  type GatewayServeFlags,
} from "./parseGateway.ts";

/** The gateway's folder, with its network. */
export type OpenedPlace = { readonly profile: NodeProfile; readonly folder: string };

/** Runs the gateway until the signal fires; resolves to the exit status. */
export type ServeGateway = (
  flags: GatewayServeFlags & { readonly webhook: ConfiguredWebhook | null },
  place: OpenedPlace,
  core: CoreGlue,
  context: CommandContext,
) => Promise<number>;

/** Scans for a hosted gateway until the signal fires; resolves to the exit status. */
export type ScanGateway = (
  flags: GatewayScanFlags,
  place: OpenedPlace,
  core: CoreGlue,
  context: CommandContext,
) => Promise<number>;

const MERCHANT = /^[a-z0-9-]{1,32}$/;
const IVK_BYTES = 64;
const FVK_BYTES = 96;
const FOLDER_MODE = 0o700;

/** Runs what the command line asks for. Resolves to the exit status. */
export async function runGateway(
  context: CommandContext,
  { serve, scan }: { readonly serve: ServeGateway; readonly scan: ScanGateway },
): Promise<number> {
  const run = parseGateway(context.args, context.environment);
  if (run.command === "help") {
    context.print(gatewayHelpText(run.of));
    return 0;
  }
  const core = await loadCoreFile();
  const place = openPlace(core, "flags" in run ? run.flags : run.place);
  if (run.command === "scan") return scan(run.flags, place, core, context);
  if (run.command === "serve") {
    const shop = readEnvironmentShop(context.environment);
    const webhook = await withAccess(place.folder, async (access) => {
      const files = new ViewingKeyFiles(join(place.folder, "keys"));
      const network = networkId(place.profile);
      await keepEnvironmentShop(shop, {
        access,
        nowMs: asTimestampMs(systemClock.nowMs()),
        register: (key) => register(files, incomingOf(core, key), network),
        newMerchant: (id, key) => newMerchant(id, id, key),
      });
      return configuredWebhook(shop, access);
    });
    return serve({ ...run.flags, webhook }, place, core, context);
  }
  await withAccess(place.folder, (access) => operate(run, { access, place, core, context }));
  return 0;
}

type Operated = {
  readonly access: AccessStore;
  readonly place: OpenedPlace;
  readonly core: CoreGlue;
  readonly context: CommandContext;
};

async function operate(
  run: Exclude<GatewayRun, { readonly command: "help" | "serve" | "scan" }>,
  operated: Operated,
): Promise<void> {
  const { access, context } = operated;
  switch (run.command) {
    case "merchants add":
      return add(run, operated);
    case "merchants list":
      for (const { id, name, key } of access.merchants.all()) {
        context.print(run.json ? stableJson({ id, name, key }) : `${id}  ${key}  ${name}`);
      }
      return undefined;
    case "merchants payout":
      return namePayout(run, operated);
    case "keys issue":
      return issue(run, operated);
    case "keys list":
      for (const { row } of keysOf(access, merchantId(run.merchant))) {
        const state = row.revokedMs === null ? "good" : "revoked";
        const line = `${row.id}…  ${state}  ${row.scopes.join(" ")}  ${row.label}`;
        context.print(run.json ? stableJson({ ...row, state }) : line);
      }
      return undefined;
    case "keys revoke": {
      const merchant = merchantId(run.merchant);
      const nowMs = asTimestampMs(systemClock.nowMs());
      revokeKey(access, { merchant, id: run.key.replace("…", ""), nowMs });
      context.print(`${run.key} is revoked`);
      return undefined;
    }
  }
}

function namePayout(
  { merchant, payout }: Extract<GatewayRun, { readonly command: "merchants payout" }>,
  { access, context }: Operated,
): void {
  const id = merchantId(merchant);
  if (payout === null) {
    setPayout(access, id, null);
    return context.print(`refunds of ${id} wait: no wallet pays them`);
  }
  const { walletdUrl } = payout;
  const tokenFile = resolve(payout.tokenFile);
  readToken(tokenFile);
  setPayout(access, id, { walletdUrl, tokenFile });
  return context.print(`refunds of ${id} are paid by the wallet at ${walletdUrl}`);
}

async function issue(
  run: Extract<GatewayRun, { readonly command: "keys issue" }>,
  { access, place, context }: Operated,
): Promise<void> {
  const mode = networkId(place.profile) === "mainnet" ? "live" : "test";
  const nowMs = asTimestampMs(systemClock.nowMs());
  const wish = { merchant: merchantId(run.merchant), label: run.label, scopes: run.scopes };
  const { text, id } = await issueKey(access, { ...wish, mode, nowMs }, randomBytes);
  context.print(run.json ? stableJson({ id, key: text }) : text);
}

async function add(
  run: Extract<GatewayRun, { readonly command: "merchants add" }>,
  { access, place, core, context }: Operated,
): Promise<void> {
  const id = merchantId(run.merchant);
  const files = new ViewingKeyFiles(join(place.folder, "keys"));
  const key =
    run.keyFile === null
      ? onlyKey(files)
      : register(files, readKey(core, run.keyFile), networkId(place.profile));
  const storeName = run.storeName ?? run.merchant;
  const { frameOrigins } = run;
  addMerchant(access, { ...newMerchant(id, storeName, key), frameOrigins });
  context.print(`${id} has the viewing key ${key}`);
}

/** A key that is registered already keeps its place: no index of it comes again. */
function register(files: ViewingKeyFiles, ivk: Uint8Array, network: string): ViewingKeyId {
  const fresh = newViewingKey(ivk, network);
  if (files.get(fresh.id) === null) files.put(fresh);
  return fresh.id;
}

function onlyKey(files: ViewingKeyFiles): ViewingKeyId {
  const [first, ...more] = files.all();
  if (first !== undefined && more.length === 0) return first.id;
  const reason = "name the file of the merchant's viewing key";
  throw new SvcError("node/bad-option", { option: "--viewing-key-file", reason });
}

/** Whose webhook that of the environment is: of the merchant `default`, else of the only one. Throws `node/bad-option`. */
function configuredWebhook(
  { webhook }: EnvironmentShop,
  { merchants }: AccessStore,
): ConfiguredWebhook | null {
  if (webhook === null) return null;
  const all = merchants.all();
  const own =
    all.find(({ id }) => id === ENVIRONMENT_MERCHANT) ?? (all.length === 1 ? all[0] : undefined);
  if (own !== undefined) return { merchant: own.id, ...webhook };
  const reason = "it is of the merchant default, or of the only one; there is neither";
  throw new SvcError("node/bad-option", { option: "SVC_GATEWAY_WEBHOOK_URL", reason });
}

/** The incoming viewing key of a file. Throws `node/bad-option`, `keys/bad-viewing-key`. */
function readKey(core: CoreGlue, path: string): Uint8Array {
  return incomingOf(core, hexIn(path));
}

/** The incoming part of a viewing key. Throws `keys/bad-viewing-key`. */
function incomingOf(core: CoreGlue, key: Uint8Array): Uint8Array {
  if (key.length === FVK_BYTES) return callCore(() => core.incomingViewingKey(key));
  callCore(() => core.incomingAddresses(key, 0, 1));
  return key;
}

function hexIn(path: string): Uint8Array<ArrayBuffer> {
  const reason = "it holds no viewing key in hex, of 64 or 96 bytes";
  const bad = new SvcError("node/bad-option", { option: "--viewing-key-file", reason });
  try {
    if (statSync(path).size > GATEWAY_LIMITS.keyFileBytes) throw bad;
    const bytes = decodeHex(readFileSync(path, "utf8").trim());
    if (bytes.length === IVK_BYTES || bytes.length === FVK_BYTES) return bytes;
  } catch {
    throw bad;
  }
  throw bad;
}

function merchantId(text: string): MerchantId {
  if (MERCHANT.test(text)) return asMerchantId(text);
  const reason = "write 1 to 32 small letters, digits and dashes";
  throw new SvcError("node/bad-option", { option: "MERCHANT", reason });
}

function newMerchant(id: MerchantId, name: string, key: ViewingKeyId): MerchantRow {
  return {
    id,
    name,
    key,
    policy: {
      requiredBlueScore: asBlueScore(BigInt(MERCHANT_LIMITS.depthDefault)),
      toleranceUnder: asSompi(0n),
      toleranceOver: asSompi(0n),
      graceMs: GATEWAY_LIMITS.graceMs,
      late: "hold",
      monitorMs: BigInt(MERCHANT_LIMITS.monitorSecondsDefault) * 1_000n,
      poolLimit: asSompi(0n),
    },
    expiresInS: MERCHANT_LIMITS.expirySecondsDefault,
    frameOrigins: [],
    language: null,
    payout: null,
    createdMs: asTimestampMs(systemClock.nowMs()),
    closedMs: null,
  };
}

function openPlace(core: CoreGlue, { network, networkName, folder }: GatewayPlace): OpenedPlace {
  const profile = loadNetwork(core, network);
  const name = networkName ?? networkId(profile);
  const home = userFolder();
  const own = name === "mainnet" ? join(home, "gateway") : join(home, name, "gateway");
  const path = folder ?? own;
  makeDurableFolder(path, FOLDER_MODE);
  return { profile, folder: path };
}

/** One command at a time writes who may use the gateway. A gateway that runs reads it meanwhile. */
async function withAccess<T>(folder: string, use: (access: AccessStore) => Promise<T>): Promise<T> {
  const lock = acquireLock(join(folder, ".access.lock"));
  try {
    const access = await AccessStore.open(folder);
    try {
      return await use(access);
    } finally {
      await access.close();
    }
  } finally {
    lock.release();
  }
}
