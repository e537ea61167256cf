import { describe, expect, it } from "vitest";
import { asAddressText } from "../../base/brand.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "../testkit/chainModel.ts";
import { advance, eventsToMempool, payeeOf, withPlanned } from "../testkit/payments.ts";
import { lookAlike, paidAddresses, type KnownAddress } from "./lookAlike.ts";

const MIDDLE = "q".repeat(67);
const address = (first: string, middle: string, last: string, hrp = "test") =>
  asAddressText(`${hrp}:${first}${middle}${last}`);
const PAID = address("px8lxw", MIDDLE, "re9cf7");
const paid = (...addresses: readonly (typeof PAID)[]): readonly KnownAddress[] =>
  addresses.map((one) => ({ address: one, kind: "paid" }));
const OTHER = address("px8lxw", `${MIDDLE.slice(1)}p`, "re9cf7");

describe("an address that looks like a known one", () => {
  it("is found by both of its ends, and the known one is told", () => {
    const own: KnownAddress = { address: PAID, kind: "own" };
    expect(lookAlike(OTHER, paid(PAID))).toEqual({ address: PAID, kind: "paid" });
    expect(lookAlike(OTHER, [own])).toBe(own);
    expect(lookAlike(` ${OTHER.toUpperCase()}\n`, paid(PAID))?.address).toBe(PAID);
  });

  it("is none when it is known itself, whatever else it looks like", () => {
    expect(lookAlike(PAID, paid(PAID))).toBeNull();
    expect(lookAlike(OTHER, paid(PAID, OTHER))).toBeNull();
    expect(lookAlike(OTHER.toUpperCase(), paid(PAID, OTHER))).toBeNull();
  });

  it.each([
    ["a beginning alone", address("px8lxw", MIDDLE, "re9cf8")],
    ["an end alone", address("px8lxv", MIDDLE, "re9cf7")],
    ["the ends on another network", address("px8lxw", `${MIDDLE.slice(1)}p`, "re9cf7", "other")],
    ["no more than the prefix typed", "test:"],
    ["fewer characters than both ends", "test:px8lxwre9cf"],
    ["no prefix", OTHER.slice(5)],
    ["nothing", ""],
  ])("is none with %s", (_, typed) => {
    expect(lookAlike(typed, paid(PAID))).toBeNull();
  });

  it("is looked for in a flood of known ones, and in a flood of text", () => {
    const many = Array.from({ length: 60_000 }, (_, at) =>
      address("px8lxw", MIDDLE, String(at).padStart(6, "0")),
    );
    expect(lookAlike(OTHER, paid(...many, PAID))?.address).toBe(PAID);
    expect(lookAlike("q:".repeat(1_000_000), paid(PAID))).toBeNull();
  });
});

describe("known addresses", () => {
  const model = new ChainModel();
  model.add({ mined: [500_000_000n] });
  model.addEmpty(10);
  const fresh = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
  const planned = withPlanned(fresh, TEST_POLICY, { id: "p", payees: [payeeOf(100_000_000n)] });
  const known = (state: typeof fresh) => [...paidAddresses(state)].map((one) => one.address);

  it("are those of payments that were signed, also before a block has them", () => {
    expect(known(fresh)).toEqual([]);
    expect(known(advance(planned, "p", eventsToMempool(model.txid())))).toEqual(["test:payee"]);
  });

  it("are not those of a payment that was given up: whoever was warned is warned again", () => {
    expect(known(planned)).toEqual([]);
    expect(known(advance(planned, "p", [{ type: "cancel" }]))).toEqual([]);
  });
});
