/** The unlock with this device, with fake workers and a fake authenticator. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { describe, expect, test } from "vitest";
import type { VaultRecord } from "../../wallet-api/vaultRecord.ts";
import { addDevice, removeDevice, unlockByDevice, type DeviceWorkers } from "./deviceUnlock.ts";
import type { PasskeyAnswer } from "./passkey.ts";

const QUESTION = { credential: new Uint8Array(16), prfSalt: new Uint8Array(32) };
const SLOT = { header: "{}", sealed: new Uint8Array(80) };
const PLAIN: VaultRecord = { header: "header", passSlot: new Uint8Array(), seed: new Uint8Array() };
const WITH_DEVICE: VaultRecord = { ...PLAIN, deviceSlot: SLOT };
const never = new AbortController().signal;

/** Workers over one stored vault; `log` has what was asked of them. */
function workersOver(vault: VaultRecord, change: Partial<DeviceWorkers["keyring"]> = {}) {
  const log: string[] = [];
  const place = { stored: vault };
  const keyring: DeviceWorkers["keyring"] = {
    confirm: async () => void log.push("confirm"),
    addDevice: async (record) => ({ ...record, deviceSlot: SLOT }),
    deviceQuestion: async () => QUESTION,
    unlockByDevice: async () => true,
    ...change,
  };
  const worker: DeviceWorkers["worker"] = {
    vault: async () => place.stored,
    replaceVault: async (_, next) => {
      log.push("store");
      place.stored = next;
    },
    open: async () => void log.push("open"),
  };
  return { keyring, worker, log, place };
}

/** An authenticator that gives this answer, and the secret that it gave. */
function authenticatorWith(
  why?: Extract<PasskeyAnswer, { kind: "refused" }>["why"],
  end?: AbortController,
) {
  const secret = new Uint8Array(32).fill(7);
  const answer = async (): Promise<PasskeyAnswer> => {
    end?.abort();
    if (why !== undefined) return { kind: "refused", why };
    return { kind: "answer", answer: { ...QUESTION, secret } };
  };
  return { make: answer, ask: answer, secret };
}

const wish = { passphrase: () => new Uint8Array(10), label: "Wallet", signal: never };

describe("setting a device up", () => {
  test("asks for the passphrase before the device, and stores the slot", async () => {
    const workers = workersOver(PLAIN);
    expect(await addDevice(workers, wish, authenticatorWith())).toBeNull();
    expect(workers.log).toEqual(["confirm", "store"]);
    expect(workers.place.stored).toEqual(WITH_DEVICE);
  });

  test("makes no passkey for a wrong passphrase", async () => {
    const confirm = () => Promise.reject(new SvcError("wallet/wrong-passphrase", {}));
    const workers = workersOver(PLAIN, { confirm });
    const make = () => Promise.reject(new Error("the device was asked"));
    const asking = addDevice(workers, wish, { ...authenticatorWith(), make });
    await expect(asking).rejects.toThrow("wallet/wrong-passphrase");
    expect(workers.log).toEqual([]);
  });

  test.each(["cancelled", "no-secret", "mismatch", "unavailable"] as const)(
    "that is %s stores nothing",
    async (why) => {
      const workers = workersOver(PLAIN);
      expect(await addDevice(workers, wish, authenticatorWith(why))).toBe(why);
      expect(workers.log).toEqual(["confirm"]);
    },
  );

  test("that its owner left meanwhile stores nothing, and erases the secret", async () => {
    const end = new AbortController();
    const workers = workersOver(PLAIN);
    const authenticator = authenticatorWith(undefined, end);
    const left = await addDevice(workers, { ...wish, signal: end.signal }, authenticator);
    expect([left, workers.log]).toEqual(["cancelled", ["confirm"]]);
    expect(authenticator.secret).toEqual(new Uint8Array(32));
  });

  test("is undone by taking the slot away, and nothing else", async () => {
    const workers = workersOver(WITH_DEVICE);
    await removeDevice(workers);
    expect(workers.place.stored).toEqual(PLAIN);
    expect(workers.place.stored).not.toHaveProperty("deviceSlot");
  });
});

describe("unlocking with a device", () => {
  test("opens the wallet", async () => {
    const workers = workersOver(WITH_DEVICE);
    expect(await unlockByDevice(workers, never, authenticatorWith())).toBeNull();
    expect(workers.log).toEqual(["open"]);
  });

  test("says that a device does not fit: with a wrong secret, without a slot, with a damaged one", async () => {
    const damaged = () =>
      Promise.reject(new SvcError("store/corrupt", { table: "vault", reason: "" }));
    for (const change of [
      { unlockByDevice: async () => false },
      { deviceQuestion: async () => null },
      { deviceQuestion: damaged },
    ]) {
      const workers = workersOver(WITH_DEVICE, change);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await unlockByDevice(workers, never, authenticatorWith())).toBe("mismatch");
      expect(workers.log).toEqual([]);
    }
  });

  test("names a slot of a newer program", async () => {
    const newer = new SvcError("store/version", { expected: 1, found: 2 });
    const workers = workersOver(WITH_DEVICE, { deviceQuestion: () => Promise.reject(newer) });
    await expect(unlockByDevice(workers, never, authenticatorWith())).rejects.toThrow(
      "store/version",
    );
  });

  test("that was cancelled or left opens nothing", async () => {
    const workers = workersOver(WITH_DEVICE);
    expect(await unlockByDevice(workers, never, authenticatorWith("cancelled"))).toBe("cancelled");
    const end = new AbortController();
    const authenticator = authenticatorWith(undefined, end);
    expect(await unlockByDevice(workers, end.signal, authenticator)).toBe("cancelled");
    expect(authenticator.secret).toEqual(new Uint8Array(32));
    expect(workers.log).toEqual([]);
  });
});
