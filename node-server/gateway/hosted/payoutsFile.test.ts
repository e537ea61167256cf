/** The file that names the wallets which pay refunds of a hosted gateway. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { readPayouts } from "./payoutsFile.ts";

const KEY = `key_${"1".repeat(16)}`;
const WALLET = { walletdUrl: "http://127.0.0.1:8500/", tokenFile: "shop.token" };

function read(text: string) {
  const folder = folderOfTest();
  const path = join(folder, "payouts.json");
  writeFileSync(path, text);
  return { folder, payouts: readPayouts(path) };
}

function refusalOf(text: string): SvcError {
  try {
    read(text);
  } catch (thrown) {
    return SvcError.from(thrown);
  }
  throw new Error("it was read");
}

describe("the file of payout wallets", () => {
  it("names a wallet for each viewing key, and finds tokens beside itself", () => {
    const { folder, payouts } = read(JSON.stringify({ [KEY]: WALLET }));
    const tokenFile = join(folder, "shop.token");
    const wallet = { walletdUrl: "http://127.0.0.1:8500", tokenFile, bearerFile: null };
    expect([...payouts]).toEqual([[KEY, wallet]]);
  });

  it("may name a bearer token, which lies in a file, too", () => {
    const { folder, payouts } = read(
      JSON.stringify({ [KEY]: { ...WALLET, bearerFile: "daemon.bearer" } }),
    );
    expect([...payouts.values()]).toMatchObject([{ bearerFile: join(folder, "daemon.bearer") }]);
  });

  it.each([
    ["no JSON", "{"],
    ["a list", "[1]"],
    ["no viewing key", JSON.stringify({ shop: WALLET })],
    [
      "a wallet in the clear",
      JSON.stringify({ [KEY]: { ...WALLET, walletdUrl: "http://a.example" } }),
    ],
    ["a token in place of a file", JSON.stringify({ [KEY]: { ...WALLET, token: "svct.secret" } })],
    ["too much", `{"a":"${"x".repeat(300_000)}"}`],
  ])("that is %s is refused, and repeated nowhere", (_, text) => {
    const error = refusalOf(text);
    expect(error.code).toBe("gateway/storage");
    expect(JSON.stringify(error.toJSON())).not.toContain("secret");
  });

  it("that is not there is refused", () => {
    expect(() => readPayouts(join(folderOfTest(), "none.json"))).toThrow(SvcError);
  });
});
