import { describe, expect, test } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { AddressLabels } from "@svc/shared/wallet/labels/addressLabels.ts";
import { applyFacts } from "@svc/shared/wallet/reduce/applyFacts.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "@svc/shared/wallet/testkit/chainModel.ts";
import { LabelBook } from "./labelBook.ts";
import { OwnAddresses } from "./ownAddresses.ts";

/** Addresses of a wallet that handed out three, was paid at the first, and stores its labels in memory. */
function addresses(refuse = false) {
  const model = new ChainModel();
  model.add({ mined: [5n, 6n] });
  const scanned = applyFacts(freshWallet(), model.page(1), TEST_POLICY);
  const state = { ...scanned, account: { ...scanned.account, nextAddressIndex: 3 } };
  const stored: AddressLabels[] = [];
  const own = new OwnAddresses({
    state: () => state,
    text: (index) => `test:${index}`,
    labels: new LabelBook(
      {
        load: async () => stored.at(-1) ?? new Map(),
        store: async (labels) => {
          if (refuse) throw new SvcError("wallet/storage-full", {});
          stored.push(labels);
        },
      },
      () => undefined,
    ),
  });
  return { own, stored };
}

describe("the list of addresses", () => {
  test("is newest first, with names and what each received", async () => {
    const { own } = addresses();
    await own.label(0, " Shop ");
    const { rows, total } = await own.list(50);
    expect(total).toBe(3);
    expect(rows.map(({ index, label }) => [index, label])).toEqual([
      [2, ""],
      [1, ""],
      [0, "Shop"],
    ]);
    expect(rows.at(-1)).toMatchObject({ text: "test:0", received: 11n, payments: 2 });
    expect((await own.list(1)).rows).toHaveLength(1);
  });

  test("keeps every name of several given at once, and none of an address that was not handed out", async () => {
    const { own, stored } = addresses();
    await Promise.all([own.label(0, "a"), own.label(1, "b"), own.label(2, "c"), own.label(3, "d")]);
    expect([...(stored.at(-1) ?? [])]).toEqual([
      [0, "a"],
      [1, "b"],
      [2, "c"],
    ]);
    await own.label(1, "");
    expect((await own.list(50)).rows.map(({ label }) => label)).toEqual(["c", "", "a"]);
  });

  test("shows no name that could not be stored", async () => {
    const { own } = addresses(true);
    await expect(own.label(0, "lost")).rejects.toThrow(SvcError);
    expect((await own.list(50)).rows.at(-1)?.label).toBe("");
  });
});
