import { expect, it } from "vitest";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { encodeInvoice } from "@svc/shared/invoice/invoiceCodec.ts";
import { reduceInvoice } from "@svc/shared/invoice/reduceInvoice.ts";
import { blockAt, momentAt, outputOf, testInvoice } from "@svc/shared/invoice/testkit/invoices.ts";
import { folderOfTest } from "../../../platform/testkit/folderOfTest.ts";
import { openStore } from "../../../storage/openStore.ts";
import { RowTable } from "../../../storage/rows/rowTable.ts";
import { StoreSteps } from "../../../storage/rows/storeSteps.ts";
import { invoiceKey } from "../gatewayKeys.ts";
import { GATEWAY_LAYOUT, GATEWAY_TABLES } from "../gatewayLayout.ts";
import { GatewayStore } from "../gatewayStore.ts";

const NEWER = new Set<number>([
  GATEWAY_TABLES.receipts,
  GATEWAY_TABLES.receiptNotes,
  GATEWAY_TABLES.receiptsDue,
  GATEWAY_TABLES.receiptsByState,
]);
const LAYOUT_3 = {
  ...GATEWAY_LAYOUT,
  version: 3,
  migrations: [],
  tables: GATEWAY_LAYOUT.tables.filter(({ number }) => !NEWER.has(number)),
};

it("payments of layout 3 are there as they were, without a receipt, and a program of layout 3 refuses what came of it", async () => {
  const folder = folderOfTest();
  const { store } = await openStore(folder, LAYOUT_3);
  const block = blockAt(1_001n, 1_000_000n);
  const mined = { kind: "mined", output: outputOf(1, 100n), block } as const;
  const { invoice } = reduceInvoice(testInvoice(), [mined], momentAt(1n, 1_011n));
  const rows = new RowTable<string>({
    ...{ table: GATEWAY_TABLES.invoices, name: "invoices", seal: null },
    codec: {
      encode: (text) => new TextEncoder().encode(text),
      decode: (body) => new TextDecoder().decode(body),
    },
  });
  const { id } = invoice.terms;
  new StoreSteps(store, GATEWAY_TABLES.sequence).commit((batch) =>
    rows.put(batch, concatBytes(invoiceKey(id)), encodeInvoice(invoice)),
  );
  await store.close();

  const opened = await GatewayStore.open(folder, null);
  expect(opened.invoices.get(id)).toEqual(invoice);
  expect(opened.invoices.get(id)?.payments[0]).not.toHaveProperty("hasReceipt");
  expect(opened.receipts.receipt(mined.output.cmx, block.hash)).toBeNull();
  await opened.close();
  await expect(openStore(folder, LAYOUT_3)).rejects.toMatchObject({ code: "store/version" });
});
