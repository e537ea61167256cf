import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { asViewingKeyId, type ViewingKeyId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { decodeFactBatch, type AddressesFact } from "@svc/shared/invoice/factBatch.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { newViewingKey, ViewingKeyFiles } from "../keys/viewingKeyFile.ts";
import { scannedBlock } from "../testkit/scannedChain.ts";
import { FactOutbox } from "./factOutbox.ts";
import { HostedRuns } from "./hostedRuns.ts";
import { OutboxStore } from "./outboxStore.ts";

const ADDRESS_BYTES = 43;

/** Addresses that tell their index. */
function derive(_: Uint8Array, from: number, count: number): Uint8Array {
  const bytes = new Uint8Array(count * ADDRESS_BYTES);
  for (let place = 0; place < count; place += 1) {
    new DataView(bytes.buffer).setUint32(place * ADDRESS_BYTES, from + place);
  }
  return bytes;
}

async function scene() {
  const clock = new ManualClock(0n);
  const store = await OutboxStore.open(null);
  const outbox = new FactOutbox({ store, scanner: "scanner", clock });
  const files = new ViewingKeyFiles(join(folderOfTest(), "keys"));
  const key = newViewingKey(new Uint8Array(64), "simnet");
  files.put(key);
  const faults: unknown[] = [];
  const addressText = (): string => `svcsim:${"q".repeat(79)}`;
  const log = { error: (facts: unknown) => void faults.push(facts) };
  const runs = new HostedRuns({ outbox, files, derive, addressText, clock, log });
  onTestFinished(async () => {
    await runs.stop();
    await store.close();
  });
  const written = (): readonly AddressesFact[] => {
    const all: AddressesFact[] = [];
    for (let sequence = 1n; store.batch(sequence) !== undefined; sequence += 1n) {
      const { facts } = decodeFactBatch(store.batch(sequence) ?? "");
      all.push(...facts.filter((fact) => fact.kind === "addresses"));
    }
    return all;
  };
  const begin = (): void => {
    outbox.takeStep({ common: null, blocks: [scannedBlock(1)], found: [] }, 10);
  };
  const until = async (count: number): Promise<void> => {
    while (written().length < count) await setImmediate();
  };
  return { clock, outbox, files, key, runs, faults, written, begin, until };
}

/** Time for a run that must not be made. */
async function turns(): Promise<void> {
  for (let left = 0; left < 100; left += 1) await setImmediate();
}

describe("addresses for a hosted gateway", () => {
  it("come in a run for each viewing key as soon as a block was scanned, with bytes and text", async () => {
    const { key, files, runs, written, begin, until } = await scene();
    runs.keep([key.id]);
    await turns();
    expect(written()).toEqual([]);
    begin();
    await until(1);
    const [run] = written();
    expect(run).toMatchObject({ key: key.id, from: key.nextIndex });
    expect(run?.addresses).toHaveLength(GATEWAY_LIMITS.addressRun);
    expect(run?.addresses[5]?.raw.slice(0, 8)).toBe((key.nextIndex + 5).toString(16));
    expect(run?.addresses[5]?.text).toMatch(/^svcsim:/);
    expect(files.get(key.id)?.nextIndex).toBe(key.nextIndex + GATEWAY_LIMITS.addressRun);
    runs.keep([key.id]);
    await turns();
    expect(written()).toHaveLength(1);
  });

  it("come again where few are left, behind those before, and not while a run is on its way", async () => {
    const { clock, key, outbox, runs, written, begin, until } = await scene();
    begin();
    runs.keep([key.id]);
    await until(1);
    clock.advance(Number(GATEWAY_LIMITS.pushRunMs));
    runs.low(key.id, (outbox.runOf(key.id) ?? 0n) - 1n);
    await turns();
    expect(written()).toHaveLength(1);
    runs.low(key.id, outbox.runOf(key.id) ?? 0n);
    await until(2);
    expect(written()[1]?.from).toBe(key.nextIndex + GATEWAY_LIMITS.addressRun);
  });

  it("are not used up by a gateway that always asks, nor given for a key that is another's", async () => {
    const { clock, files, key, runs, written, begin, until, faults } = await scene();
    begin();
    runs.keep([key.id]);
    await until(1);
    const stranger: ViewingKeyId = asViewingKeyId(`key_${"9".repeat(16)}`);
    for (let asked = 0; asked < 50; asked += 1) {
      runs.low(key.id, 1_000n);
      runs.low(stranger, 1_000n);
      clock.advance(Number(GATEWAY_LIMITS.pushRunMs) / 50 - 1);
      await setImmediate();
    }
    await turns();
    expect(written()).toHaveLength(1);
    expect(files.get(key.id)?.nextIndex).toBe(key.nextIndex + GATEWAY_LIMITS.addressRun);
    expect(faults).toEqual([]);
  });

  it("are tried again where a run fails, and not at once: it has used up its indices", async () => {
    const { clock, files, key, runs, faults, written, begin, until, outbox } = await scene();
    begin();
    const { takeRun } = outbox;
    outbox.takeRun = () => {
      throw new SvcError("store/commit-failed", { reason: "full" });
    };
    for (let look = 0; look < 20; look += 1) {
      runs.keep([key.id]);
      await turns();
    }
    expect(faults).toHaveLength(1);
    expect(files.get(key.id)?.nextIndex).toBe(key.nextIndex + GATEWAY_LIMITS.addressRun);
    outbox.takeRun = takeRun;
    clock.advance(Number(GATEWAY_LIMITS.pushRunMs));
    runs.keep([key.id]);
    await until(1);
    expect(written()).toHaveLength(1);
  });

  it("that a kill lost are not made again: their indices are gone", async () => {
    const { files, key, runs, written, begin, until } = await scene();
    begin();
    files.reserve(key.id, GATEWAY_LIMITS.addressRun);
    runs.keep([key.id]);
    await until(1);
    expect(written()[0]?.from).toBe(key.nextIndex + GATEWAY_LIMITS.addressRun);
  });
});
