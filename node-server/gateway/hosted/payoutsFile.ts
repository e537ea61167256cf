/**
 * The operator's file that names the wallets which pay refunds of a hosted gateway: by viewing key, so that what was paid to one merchant
 * is paid back by no other one's wallet, whatever the gateway says. It names files of tokens and holds no secret.
 */
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as v from "valibot";
import type { ViewingKeyId } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { safeUrl } from "../../platform/net/safeUrl.ts";
import type { MerchantPayout } from "../access/merchantTable.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";

const form = v.record(
  v.string(),
  v.strictObject({
    walletdUrl: v.string(),
    tokenFile: v.pipe(v.string(), v.minLength(1)),
    bearerFile: v.optional(v.pipe(v.string(), v.minLength(1))),
  }),
);

/**
 * Reads it: `{"key_…": {"walletdUrl": "http://127.0.0.1:8500", "tokenFile": "shop.token"}}`; `bearerFile` where the daemon asks
 * for a bearer token. The files are found from this one.
 * Throws `gateway/storage`.
 */
export function readPayouts(path: string): ReadonlyMap<ViewingKeyId, MerchantPayout> {
  const payouts = new Map<ViewingKeyId, MerchantPayout>();
  for (const [name, { walletdUrl: url, ...files }] of Object.entries(contentOf(path))) {
    const key = v.safeParse(fields.viewingKeyId, name);
    const walletdUrl = safeUrl(url);
    if (!key.success) throw bad(`${name.slice(0, 24)} is no viewing key`);
    if (walletdUrl === null)
      throw bad(`the wallet of ${name} is neither https nor on this machine`);
    const fileAt = (file: string): string => resolve(dirname(path), file);
    payouts.set(key.output, {
      walletdUrl,
      tokenFile: fileAt(files.tokenFile),
      bearerFile: files.bearerFile === undefined ? null : fileAt(files.bearerFile),
    });
  }
  return payouts;
}

function contentOf(path: string): v.InferOutput<typeof form> {
  try {
    if (statSync(path).size > GATEWAY_LIMITS.payoutsFileBytes) throw new TypeError("size");
    return v.parse(form, JSON.parse(readFileSync(path, "utf8")));
  } catch {
    throw bad("the file of payout wallets cannot be read");
  }
}

function bad(reason: string): SvcError {
  return new SvcError("gateway/storage", { reason });
}
