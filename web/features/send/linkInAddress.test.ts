import { parsePaymentUri } from "@svc/shared/wallet/plan/paymentUri.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { describe, expect, test } from "vitest";
import { linkInAddress } from "./linkInAddress.ts";

const link = `test:${"q".repeat(79)}?amount=1.5&memo=Two%20loaves%2B&label=Bakery`;
const network = { hrp: "test", decodeAddress: () => new Uint8Array(43) };

describe("a link in the address", () => {
  test.each([
    [
      "as a protocol handler escapes it",
      `#/send?payment=${encodeURIComponent(`web+${link}`)}`,
      `web+${link}`,
    ],
    ["escaped", `#/send?payment=${encodeURIComponent(link)}`, link],
    ["as it stands", `#/send?payment=${link}`, link],
  ])("is found %s", (_, hash, found) => {
    expect(linkInAddress(hash)).toBe(found);
    expect(parsePaymentUri(found, network).label).toBe("Bakery");
  });

  test.each([
    "",
    "#/",
    "#/send",
    "#/send?payment=",
    "#/send?to=x",
    "#/receive?payment=x",
    "#/send/review",
  ])("is not in “%s”", (hash) => expect(linkInAddress(hash)).toBeNull());

  test("that is a flood is cut, and refused by its reader", () => {
    const found = linkInAddress(`#/send?payment=${"%41".repeat(1_000_000)}`) ?? "";
    expect(found.length).toBe(WALLET_LIMITS.paymentUriChars + 1);
    expect(() => parsePaymentUri(found, network)).toThrow(
      expect.objectContaining({ code: "uri/too-long" }),
    );
  });

  test("that is half an escape is handed on for its reader to refuse", () => {
    expect(linkInAddress("#/send?payment=%E2%9")).toBe("%E2%9");
  });
});
