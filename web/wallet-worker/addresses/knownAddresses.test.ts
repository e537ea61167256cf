import { describe, expect, test } from "vitest";
import { asAddressText, type AddressText } from "@svc/shared/base/brand.ts";
import { freshWallet } from "@svc/shared/wallet/testkit/chainModel.ts";
import { KnownAddresses } from "./knownAddresses.ts";

const address = (middle: string) => asAddressText(`test:px8lxw${middle.repeat(67)}re9cf7`);
const ANN = address("q");
const EVE = address("p");

describe("addresses that the owner knows", () => {
  test("of contacts are known as soon as they are read", () => {
    let read: readonly AddressText[] = [];
    const known = new KnownAddresses({
      state: freshWallet,
      text: (index) => `test:own${index}`,
      contacts: () => read,
    });
    expect(known.lookAlike(EVE)).toBeNull();
    read = [ANN];
    expect(known.lookAlike(EVE)).toEqual({ address: ANN, kind: "contact" });
    expect(known.lookAlike(ANN)).toBeNull();
    // Whoever made the other one a contact, too, knows both.
    read = [ANN, EVE];
    expect(known.lookAlike(EVE)).toBeNull();
  });
});
