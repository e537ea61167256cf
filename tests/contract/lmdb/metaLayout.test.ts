/** The node's own database of an older layout: brought up to date, with all that it knew. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AddressBook } from "@svc/node-server/p2p/addresses/addressBook.ts";
import { BanList } from "@svc/node-server/p2p/addresses/banList.ts";
import { addressText } from "@svc/node-server/platform/net/netAddress.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { META_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "@svc/node-server/p2p/p2pLimits.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";

const FIXTURE = new URL("../../fixtures/stores/meta-1.jsonl", import.meta.url);
/** Half a day after the ban of the fixture. */
const NOW_MS = 1_700_043_200_000n;

const bytes = v.pipe(v.string(), v.transform(decodeHex));
const line = v.union([
  v.strictObject({ origin: v.string() }),
  v.strictObject({ stored: v.object({ table: v.number(), key: bytes, value: bytes }) }),
]);

let root: string;
let remove: () => void;
beforeEach(() => ({ path: root, remove } = temporaryFolder()));
afterEach(() => remove());

test("layout 1 becomes 2: addresses keep what was known of them and begin to age", async () => {
  const lines = readFileSync(FIXTURE, "utf8").trimEnd().split("\n");
  const rows = lines.map((text) => v.parse(line, JSON.parse(text)));
  const old = new LmdbKv({ path: join(root, META_LAYOUT.name) });
  old.commit(rows.flatMap((entry) => ("stored" in entry ? [entry.stored] : [])));
  await old.close();

  const { store, migration } = await openStore(root, META_LAYOUT);
  expect(migration).toEqual({ found: 1, steps: ["a time for each address of a peer"] });
  const clock = new ManualClock(NOW_MS);
  const book = new AddressBook({ store, random: () => 0.5, clock });
  const texts = book.list().map(addressText).toSorted();
  expect(texts).toEqual(["1.2.3.4:16811", "5.6.7.8:1", "[2001:db8::1]:16811"]);
  // Two failures more are too many for the one that had failed, and not for the one that had been reached.
  for (let time = 0; time < 2; time += 1) {
    for (const ip of ["1.2.3.4", "5.6.7.8"])
      book.failed({ ip, port: ip === "1.2.3.4" ? 16811 : 1 });
  }
  expect(book.size).toBe(2);
  expect(new BanList({ store, clock }).has("6.6.6.6")).toBe(true);
  clock.advance(P2P_LIMITS.p2pAddressOldMs);
  expect(book.pick(9, () => false)).toHaveLength(2);
  clock.advance(1);
  expect(book.pick(9, () => false)).toEqual([]);
  await store.close();
  const again = await openStore(root, META_LAYOUT);
  expect(again.migration).toEqual({ found: 2, steps: [] });
  await again.store.close();
});
