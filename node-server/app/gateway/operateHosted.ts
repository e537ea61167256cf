/** What an operator does at a hosted gateway: merchants and API keys, by the commands that do it beside a node, and a look at the scanner. */
import { randomBytes } from "node:crypto";
import type { MerchantId, ViewingKeyId } from "@svc/shared/base/brand.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import type { ApiKeyMode } from "@svc/shared/gateway/apiKey.ts";
import { GATEWAY_LIMITS } from "../../gateway/gatewayLimits.ts";
import type { HostedAdmin, ToldScanner } from "../../gateway/hosted/hostedAdmin.ts";
import { isoTime } from "../../platform/time/clock.ts";
import { merchantId, newMerchant } from "./newMerchant.ts";
import type { GatewayRun } from "./parseGateway.ts";

/** A command that can be told a hosted gateway. */
export type HostedRun = Extract<GatewayRun, { readonly hosted: unknown }>;

/** What the commands need. */
export type HostedOperation = {
  readonly admin: HostedAdmin;
  /** Registers the viewing key of a file, or takes the only one. Its addresses go to the gateway with the next scan. */
  readonly keyOf: (file: string | null) => ViewingKeyId;
  readonly mode: ApiKeyMode;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
};

/** Does it. Rejects as `HostedAdmin` and `keyOf` do, and with `node/bad-option`. */
export async function operateHosted(run: HostedRun, operation: HostedOperation): Promise<void> {
  const { admin, print, signal } = operation;
  switch (run.command) {
    case "scanner":
      return showScanner(await admin.scanner(signal), run.json, print);
    case "merchants add":
      return addMerchant(run, operation);
    case "merchants list":
      return listMerchants(run.json, operation);
    case "keys issue": {
      const { label, scopes } = run;
      const wish = { merchant: merchantId(run.merchant), label, scopes, mode: operation.mode };
      const { text, id } = await admin.issueKey(wish, randomBytes, signal);
      return print(run.json ? stableJson({ id, key: text }) : text);
    }
    case "keys list":
      for (const row of await admin.listKeys(merchantId(run.merchant), signal)) {
        const state = row.revokedMs === null ? "good" : "revoked";
        const line = `${row.id}  ${state}  ${row.scopes.join(" ")}  ${row.label}`;
        print(run.json ? stableJson({ ...row, state }) : line);
      }
      return undefined;
    case "keys revoke":
      await admin.revokeKey(merchantId(run.merchant), run.key, signal);
      return print(`${run.key} is revoked`);
  }
}

function showScanner(answer: ToldScanner, json: boolean, print: (line: string) => void): void {
  if (json) return print(stableJson(answer));
  const { scanner, told, reasons } = answer;
  print(`scanner   ${scanner}`);
  if (told !== null) {
    print(`told      ${isoTime(told.toldMs)}`);
    print(`tip       blue score ${told.blueScore}, of ${isoTime(told.blockMs)}`);
    print(`believes  ${told.proves ? "what its node proves" : "its node"}`);
  }
  for (const reason of reasons) print(`not ready ${reason}`);
}

/** The key is registered first: a merchant whose addresses nobody derives could make no invoice. */
async function addMerchant(
  run: Extract<HostedRun, { readonly command: "merchants add" }>,
  { admin, keyOf, print, signal }: HostedOperation,
): Promise<void> {
  const id = merchantId(run.merchant);
  const key = keyOf(run.keyFile);
  const { name, policy, expiresInS, language } = newMerchant(id, run.storeName ?? id, key);
  const { frameOrigins } = run;
  await admin.addMerchant({ id, name, key, policy, expiresInS, frameOrigins, language }, signal);
  print(`${id} has the viewing key ${key}`);
}

async function listMerchants(
  json: boolean,
  { admin, print, signal }: HostedOperation,
): Promise<void> {
  let after: MerchantId | null = null;
  for (let page = 0; page < GATEWAY_LIMITS.hostedPages; page += 1) {
    const part = await admin.listMerchants(after, signal);
    for (const { id, name, key } of part.merchants) {
      print(json ? stableJson({ id, name, key }) : `${id}  ${key}  ${name}`);
    }
    after = part.next;
    if (after === null) return;
  }
}
