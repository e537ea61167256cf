import { beforeEach, describe, expect, it } from "vitest";
import { asSompi, asTimestampMs, asViewingKeyId } from "@svc/shared/base/brand.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { hashApiKey } from "@svc/shared/gateway/apiKey.ts";
import { TEST_POLICY } from "@svc/shared/invoice/testkit/invoices.ts";
import { AccessStore } from "../../gateway/access/accessStore.ts";
import { MerchantDirectory } from "../../gateway/access/merchantDirectory.ts";
import {
  ENVIRONMENT_MERCHANT,
  keepEnvironmentShop,
  readEnvironmentShop,
} from "./environmentShop.ts";

const FVK = "0a".repeat(96);
const KEY = "an-api-key-of-the-operator";
let access: AccessStore;

beforeEach(async () => {
  access = await AccessStore.open(null);
});

function keep(variables: Readonly<Record<string, string>>): Promise<void> {
  return keepEnvironmentShop(readEnvironmentShop(variables), {
    access,
    nowMs: asTimestampMs(1n),
    register: (key) => asViewingKeyId(`key_${String(key[0]).padStart(16, "0")}`),
    newMerchant: (id, key) => ({
      id,
      name: id,
      key,
      policy: { ...TEST_POLICY, poolLimit: asSompi(0n) },
      expiresInS: 900,
      frameOrigins: [],
      language: null,
      payout: null,
      createdMs: asTimestampMs(1n),
      closedMs: null,
    }),
  });
}

const holder = async (key: string) =>
  (await new MerchantDirectory(access).keyOf(await hashApiKey(key)))?.merchant.id ?? null;

describe("the shop of the environment", () => {
  it("is there after a start, and the same after the next", async () => {
    await keep({ SVC_GATEWAY_FVK: FVK, SVC_GATEWAY_API_KEY: KEY });
    await keep({ SVC_GATEWAY_FVK: FVK, SVC_GATEWAY_API_KEY: KEY });
    expect(await holder(KEY)).toBe(ENVIRONMENT_MERCHANT);
    const keys = access.apiKeys.of(ENVIRONMENT_MERCHANT);
    expect(keys).toHaveLength(1);
    expect(KEY).not.toContain(keys[0]?.row.id.slice("env_".length));
  });

  it("gives up a key that the environment no longer has, and takes it again", async () => {
    await keep({ SVC_GATEWAY_FVK: FVK, SVC_GATEWAY_API_KEY: KEY });
    await keep({ SVC_GATEWAY_FVK: FVK, SVC_GATEWAY_API_KEY: `${KEY}-2` });
    expect([await holder(KEY), await holder(`${KEY}-2`)]).toEqual([null, ENVIRONMENT_MERCHANT]);
    await keep({ SVC_GATEWAY_FVK: FVK, SVC_GATEWAY_API_KEY: KEY });
    expect([await holder(KEY), await holder(`${KEY}-2`)]).toEqual([ENVIRONMENT_MERCHANT, null]);
  });

  it("is not given another viewing key", async () => {
    await keep({ SVC_GATEWAY_FVK: FVK });
    expect(await rejectionCode(keep({ SVC_GATEWAY_FVK: "0b".repeat(96) }))).toBe("node/bad-option");
  });

  it("is none without a viewing key", async () => {
    await keep({});
    expect(access.merchants.all()).toEqual([]);
  });

  it.each([
    [{ SVC_GATEWAY_FVK: "0a" }],
    [{ SVC_GATEWAY_FVK: "zz".repeat(96) }],
    [{ SVC_GATEWAY_API_KEY: KEY }],
    [{ SVC_GATEWAY_FVK: FVK, SVC_GATEWAY_API_KEY: "short" }],
    [{ SVC_GATEWAY_FVK: FVK, SVC_GATEWAY_API_KEY: "with a blank in the key" }],
    [{ SVC_GATEWAY_WEBHOOK_URL: "https://shop.example/hook" }],
    [{ SVC_GATEWAY_WEBHOOK_URL: "https://shop.example/hook", SVC_GATEWAY_WEBHOOK_SECRET: "" }],
  ])("is refused with %j", (variables) => {
    expect(codeOf(() => readEnvironmentShop(variables))).toBe("node/bad-option");
  });
});
