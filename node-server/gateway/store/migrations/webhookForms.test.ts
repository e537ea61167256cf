import { expect, it } from "vitest";
import * as v from "valibot";
import { asMerchantId } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { folderOfTest } from "../../../platform/testkit/folderOfTest.ts";
import { openStore } from "../../../storage/openStore.ts";
import { jsonCodec, RowTable } from "../../../storage/rows/rowTable.ts";
import { nameKey } from "../../../storage/rows/storeKeys.ts";
import { StoreSteps } from "../../../storage/rows/storeSteps.ts";
import { GATEWAY_LAYOUT, GATEWAY_TABLES } from "../gatewayLayout.ts";
import { GatewayStore } from "../gatewayStore.ts";

const SHOP = asMerchantId("shop");
const LAYOUT_1 = { ...GATEWAY_LAYOUT, version: 1, migrations: [] };
/** A webhook as layout 1 has it. */
const OLD = {
  ...{ merchant: SHOP, id: `wh_${"1".repeat(32)}`, url: "https://shop.example/hook" },
  ...{ description: "", secret: "whsec_old", nextSecret: null, switchMs: null },
  ...{ events: ["invoice.paid"], disabledBy: null, deliveredMs: null },
  ...{ createdMs: "1", updatedMs: "1" },
};

it("webhooks of layout 1 have the gateway's own form, and a program of layout 1 refuses what came of it", async () => {
  const folder = folderOfTest();
  const { store } = await openStore(folder, LAYOUT_1);
  const rows = new RowTable({
    ...{ table: GATEWAY_TABLES.endpoints, name: "endpoints", seal: null },
    codec: jsonCodec(v.looseObject({})),
  });
  new StoreSteps(store, GATEWAY_TABLES.sequence).commit((batch) =>
    rows.put(batch, concatBytes(nameKey(SHOP), nameKey(OLD.id)), OLD),
  );
  await store.close();

  const opened = await GatewayStore.open(folder, null);
  expect(opened.endpoints.of(SHOP)).toMatchObject([
    { id: OLD.id, form: "svc", events: ["invoice.paid"], greenfieldEvents: null },
  ]);
  await opened.close();
  await expect(openStore(folder, LAYOUT_1)).rejects.toMatchObject({ code: "store/version" });
});
