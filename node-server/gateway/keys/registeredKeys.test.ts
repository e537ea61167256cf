/** Many viewing keys: what is done with them in one turn of the event loop. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import {
  asMerchantId,
  asTimestampMs,
  type MerchantId,
  type ViewingKeyId,
} from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { TEST_POLICY } from "@svc/shared/invoice/testkit/invoices.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { IS_FULL } from "../../platform/testkit/testRun.ts";
import { AccessStore } from "../access/accessStore.ts";
import type { ScannedKey } from "../scan/scannedKey.ts";
import { GatewayStore } from "../store/gatewayStore.ts";
import { AddressRuns } from "./addressRuns.ts";
import { RegisteredKeys } from "./registeredKeys.ts";
import { FIRST_INVOICE_INDEX, viewingKeyIdOf, ViewingKeyFiles } from "./viewingKeyFile.ts";

const KEYS = IS_FULL ? 10_000 : 1_500;
const NETWORK = "simnet";

function ivkOf(number: number): Uint8Array<ArrayBuffer> {
  const ivk = new Uint8Array(64);
  new DataView(ivk.buffer).setUint32(0, number);
  return ivk;
}

/** A folder with the file of a key, without the flush of a disk for each. */
function writeKey(folder: string, number: number, network: string): ViewingKeyId {
  const id = viewingKeyIdOf(ivkOf(number));
  const content = { magic: "svc-gateway-key", version: 1, network, ivk: encodeHex(ivkOf(number)) };
  const text = JSON.stringify({ ...content, nextIndex: FIRST_INVOICE_INDEX });
  writeFileSync(join(folder, `${id}.json`), text);
  return id;
}

async function scene() {
  const folder = folderOfTest();
  const files = new ViewingKeyFiles(folder);
  const [access, store] = [await AccessStore.open(null), await GatewayStore.open(null, null)];
  const known = new Map<ViewingKeyId, ScannedKey>();
  /** What was done since the last turn, and the most in one. */
  const turn = { read: 0, derived: 0, mostRead: 0, mostDerived: 0, reads: 0 };
  const read = (id: ViewingKeyId) => {
    turn.read += 1;
    turn.reads += 1;
    turn.mostRead = Math.max(turn.mostRead, turn.read);
    return files.get(id);
  };
  const derive = (_ivk: Uint8Array, _from: number, count: number): Uint8Array => {
    turn.derived += 1;
    turn.mostDerived = Math.max(turn.mostDerived, turn.derived);
    return new Uint8Array(43 * count);
  };
  const runs = new AddressRuns({ store, files, derive, log: { error: () => undefined } });
  const keys = new RegisteredKeys({
    merchants: access.merchants,
    files: { get: read },
    chain: {
      add: (fresh) => fresh.forEach((key) => known.set(key.id, key)),
      keyOf: (id) => known.get(id),
    },
    ...{ runs, network: NETWORK },
  });
  const life = { isOver: false };
  const turns = (async () => {
    while (!life.isOver) {
      await setImmediate();
      turn.read = 0;
      turn.derived = 0;
    }
  })();
  onTestFinished(async () => {
    await keys.stop();
    life.isOver = true;
    await turns;
    await store.close();
    await access.close();
  });
  const add = (merchants: readonly (readonly [MerchantId, ViewingKeyId])[]): void =>
    access.commit((batch) => {
      for (const [id, key] of merchants) {
        access.merchants.put(batch, {
          ...{ id, name: id, key, policy: TEST_POLICY, expiresInS: 900, frameOrigins: [] },
          ...{ language: null, payout: null, createdMs: asTimestampMs(0n), closedMs: null },
        });
      }
    });
  return { folder, store, keys, known, turn, runs, add };
}

it("many viewing keys are read and filled a part at a time, and each of them once", async () => {
  const { folder, store, keys, known, turn, runs, add } = await scene();
  const ids = Array.from({ length: KEYS }, (_, number) => writeKey(folder, number, NETWORK));
  const elsewhere = writeKey(folder, KEYS, "testnet");
  add([
    ...ids.map((id, number) => [asMerchantId(`shop-${number}`), id] as const),
    [asMerchantId("elsewhere"), elsewhere],
  ]);
  await keys.look();
  expect(known.size).toBe(KEYS);
  expect(known.has(elsewhere)).toBe(false);
  expect(turn.mostRead).toBeLessThanOrEqual(64);
  // What is known is not read again.
  turn.reads = 0;
  await keys.look();
  expect(turn.reads).toBe(1);
  // Who needs an address has one while others wait for their turn.
  const last = ids.at(-1);
  if (last === undefined) throw new Error("no keys");
  await runs.more(last);
  expect(store.addresses.left(last)).toBeGreaterThan(0);
  for (let turns = 0; turns < 100; turns += 1) await setImmediate();
  // One key has its turn, and one more that somebody waits for.
  expect(turn.mostDerived).toBeGreaterThan(0);
  expect(turn.mostDerived).toBeLessThanOrEqual(2);
  // Those that wait for their turn have none yet.
  expect(ids.slice(-10, -1).some((id) => store.addresses.left(id) === 0)).toBe(true);
});
