import { beforeEach, describe, expect, it } from "vitest";
import { join } from "node:path";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { GatewayStore } from "../store/gatewayStore.ts";
import { AddressRuns } from "./addressRuns.ts";
import { newViewingKey, ViewingKeyFiles, type ViewingKeyFile } from "./viewingKeyFile.ts";

const ADDRESS_BYTES = 43;
let store: GatewayStore;
let files: ViewingKeyFiles;
let key: ViewingKeyFile;
let derived: number;
let faults: number;
let fails: boolean;

beforeEach(async () => {
  store = await GatewayStore.open(null, null);
  files = new ViewingKeyFiles(join(folderOfTest(), "keys"));
  key = newViewingKey(new Uint8Array(64), "simnet");
  files.put(key);
  [derived, faults, fails] = [0, 0, false];
});

/** Addresses that tell their index. */
function derive(_ivk: Uint8Array, from: number, count: number): Uint8Array {
  if (fails) throw new SvcError("keys/bad-viewing-key", {});
  derived += count;
  const bytes = new Uint8Array(count * ADDRESS_BYTES);
  for (let place = 0; place < count; place += 1) {
    new DataView(bytes.buffer).setUint32(place * ADDRESS_BYTES, from + place);
  }
  return bytes;
}

function makeRuns(): AddressRuns {
  return new AddressRuns({ store, files, derive, log: { error: () => void (faults += 1) } });
}

function take(): { readonly index: number; readonly raw: string } {
  return store.commit((batch) => store.addresses.take(batch, key.id));
}

describe("runs of addresses", () => {
  it("are made before they are asked for, and each address is given out once, in order", async () => {
    const runs = makeRuns();
    await runs.fill(key.id);
    expect(store.addresses.left(key.id)).toBe(GATEWAY_LIMITS.addressRun);
    const count = GATEWAY_LIMITS.addressRun - GATEWAY_LIMITS.addressLow + 1;
    for (let taken = 0; taken < count; taken += 1) {
      const { index, raw } = take();
      expect(index).toBe(key.nextIndex + taken);
      expect(raw.slice(0, 8)).toBe(index.toString(16));
      runs.taken(key.id);
    }
    await runs.fill(key.id);
    expect(derived).toBe(2 * GATEWAY_LIMITS.addressRun);
    expect(store.addresses.left(key.id)).toBe(2 * GATEWAY_LIMITS.addressRun - count);
  });

  it("that a kill lost are not made again: their indices are gone", async () => {
    files.reserve(key.id, GATEWAY_LIMITS.addressRun);
    await makeRuns().fill(key.id);
    expect(take().index).toBe(key.nextIndex + GATEWAY_LIMITS.addressRun);
  });

  it("begin above those of a database that is gone", async () => {
    await makeRuns().fill(key.id);
    const last = take().index;
    store = await GatewayStore.open(null, null);
    await makeRuns().fill(key.id);
    expect(take().index).toBe(last + GATEWAY_LIMITS.addressRun);
  });

  it("are made one at a time, however often they are asked for", async () => {
    const runs = makeRuns();
    await Promise.all(Array.from({ length: 5 }, () => runs.fill(key.id)));
    expect(derived).toBe(GATEWAY_LIMITS.addressRun);
  });

  it("can be used before the whole run is there", async () => {
    const runs = makeRuns();
    const whole = runs.fill(key.id);
    await runs.more(key.id);
    expect(derived).toBe(GATEWAY_LIMITS.addressesAtOnce);
    expect(take().index).toBe(key.nextIndex);
    runs.taken(key.id);
    await whole;
    expect(store.addresses.left(key.id)).toBe(GATEWAY_LIMITS.addressRun - 1);
    // With enough of them there is nothing to wait for.
    await runs.more(key.id);
    expect(derived).toBe(GATEWAY_LIMITS.addressRun);
  });

  it("that could not be made are told, and made at the next call", async () => {
    const runs = makeRuns();
    fails = true;
    await runs.fill(key.id);
    expect([faults, store.addresses.left(key.id)]).toEqual([1, 0]);
    fails = false;
    await runs.fill(key.id);
    expect(store.addresses.left(key.id)).toBe(GATEWAY_LIMITS.addressRun);
  });
});
