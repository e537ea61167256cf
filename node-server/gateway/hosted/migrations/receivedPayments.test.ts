/** A scanner's database of layout 1: what its addresses have received is known once it is opened. */
import { expect, it } from "vitest";
import { asChainIndex } from "@svc/shared/base/brand.ts";
import { folderOfTest } from "../../../platform/testkit/folderOfTest.ts";
import { openStore } from "../../../storage/openStore.ts";
import { StoreSteps } from "../../../storage/rows/storeSteps.ts";
import { FoundTable } from "../../store/foundTable.ts";
import { minedPayment, SCANNED_KEY, scannedBlock } from "../../testkit/scannedChain.ts";
import { OUTBOX_LAYOUT, OUTBOX_TABLES } from "../outboxLayout.ts";
import { OutboxStore } from "../outboxStore.ts";

const FIRST_INDEX = 0x8000_0000;
const NEWER = new Set<number>([
  OUTBOX_TABLES.received,
  OUTBOX_TABLES.payouts,
  OUTBOX_TABLES.payoutsByAddress,
]);
const LAYOUT_1 = {
  ...OUTBOX_LAYOUT,
  version: 1,
  migrations: [],
  tables: OUTBOX_LAYOUT.tables.filter(({ number }) => !NEWER.has(number)),
};
const PAYMENTS = 1_200;

it("payments of layout 1 count for what their addresses have received, and a program of layout 1 refuses the database", async () => {
  const folder = folderOfTest();
  const { store } = await openStore(folder, LAYOUT_1);
  const found = new FoundTable(store, OUTBOX_TABLES.found);
  new StoreSteps(store, OUTBOX_TABLES.sequence).commit((batch) => {
    for (let number = 0; number < PAYMENTS; number += 1) {
      const { key, index, input } = minedPayment(number, scannedBlock(number));
      if (input.kind !== "mined") continue;
      const { output, block } = input;
      found.put(batch, asChainIndex(BigInt(number)), { key, index, output, block });
    }
  });
  await store.close();

  const opened = await OutboxStore.open(folder);
  const sum = (number: number, deepest: number) =>
    opened.received.sum(SCANNED_KEY, FIRST_INDEX + number, BigInt(deepest));
  expect([sum(0, 0), sum(700, 699), sum(700, 700), sum(PAYMENTS - 1, PAYMENTS)]).toEqual([
    1n,
    0n,
    701n,
    BigInt(PAYMENTS),
  ]);
  await opened.close();
  await expect(openStore(folder, LAYOUT_1)).rejects.toMatchObject({ code: "store/version" });
});
