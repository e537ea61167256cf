/** The gateway's database of an older layout: brought up to date, with all that it knew. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as v from "valibot";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GATEWAY_LAYOUT } from "@svc/node-server/gateway/store/gatewayLayout.ts";
import { GatewayStore } from "@svc/node-server/gateway/store/gatewayStore.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { textKey } from "@svc/node-server/storage/rows/storeKeys.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";

/** Written by the program of layout 2: six invoices, three of them challenges of x402. */
const FIXTURE = new URL("../../fixtures/stores/gateway-2.jsonl.gz", import.meta.url);
const LAYOUT_2 = { ...GATEWAY_LAYOUT, version: 2, migrations: [] };

const bytes = v.pipe(v.string(), v.transform(decodeHex));
const line = v.union([
  v.strictObject({ origin: v.string() }),
  v.strictObject({ stored: v.object({ table: v.number(), key: bytes, value: bytes }) }),
]);

let root: string;
let remove: () => void;
beforeEach(() => ({ path: root, remove } = temporaryFolder()));
afterEach(() => remove());

async function writeOld(): Promise<void> {
  const lines = gunzipSync(readFileSync(FIXTURE)).toString("utf8").trimEnd().split("\n");
  const rows = lines.map((text) => v.parse(line, JSON.parse(text)));
  const { store } = await openStore(root, LAYOUT_2);
  store.commit(rows.flatMap((entry) => ("stored" in entry ? [entry.stored] : [])));
  await store.close();
}

test("layout 2 of the gateway becomes 3: what waits in the pool has its index row, and challenges have their ends", async () => {
  await writeOld();
  const store = await GatewayStore.open(root, null);
  expect(store.flaws()).toEqual([]);
  // The payment that waits, and that of the challenge that was settled.
  expect([...store.invoices.waiting()].map(({ index }) => index - 0x8000_0000)).toEqual([5, 1]);
  const ends = store.challenges.over(10n ** 15n, 10);
  expect(ends.map(({ id, keyHash }) => [id.slice(4, 8), keyHash !== null])).toEqual([
    ["27e8", true],
    ["5427", false],
    ["cdee", false],
  ]);
  expect(ends[0]?.keyHash).toEqual(textKey("k-open"));
  await store.close();
  await expect(openStore(root, LAYOUT_2)).rejects.toMatchObject({ code: "store/version" });
});
