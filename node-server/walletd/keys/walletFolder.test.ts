import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { bytesOf, cheapCore, MADE_UNIX, openFolder, secretOf, TOKEN } from "./testkit/keysScene.ts";
import { SYSTEM_DISK, type WalletDisk } from "./walletDisk.ts";
import type { WalletFolder } from "./walletFolder.ts";
import { asWalletToken, type WalletToken } from "./walletToken.ts";

const SEED = new Uint8Array(32).fill(1);
const BIRTHDAY = { birthday: asDaaScore(4_711n) };
const SNAPSHOT = Uint8Array.of(1, 2, 3, 4);

let folder: string;
beforeEach(() => {
  folder = join(folderOfTest(), "wallets");
});

const fileOf = (name: string): string => join(folder, name);
const textOf = (name: string): string => readFileSync(fileOf(name), "utf8");
async function opened(parts: Parameters<typeof openFolder>[1] = {}): Promise<WalletFolder> {
  const wallets = await openFolder(folder, parts);
  onTestFinished(() => wallets.close());
  return wallets;
}
const importSeed = (wallets: WalletFolder, token: WalletToken = TOKEN, more = {}) =>
  wallets.importSeed(token, new Secret(SEED.slice()), { ...BIRTHDAY, ...more });

describe("a wallet", () => {
  test("that is not made leaves no viewing key behind", async () => {
    const made: Uint8Array[] = [];
    const core = cheapCore();
    const fullViewingKey = (seed: Uint8Array) => {
      const fvk = cheapCore().fullViewingKey(seed);
      made.push(fvk);
      return fvk;
    };
    const wallets = await opened({ core: { ...core, fullViewingKey } });
    const keys = await importSeed(wallets);
    expect(await rejectionCode(importSeed(wallets))).toBe("wallet/exists");
    expect(made.map((fvk) => fvk.some((byte) => byte !== 0))).toEqual([true, false]);
    expect(keys.fvk).toBe(made[0]);
  });

  test("whose kind cannot be changed leaves no copy of the key behind", async () => {
    let isFull = false;
    const create: WalletDisk["create"] = async (path, bytes) => {
      if (isFull) throw new SvcError("wallet/storage", { reason: "ENOSPC" });
      await SYSTEM_DISK.create(path, bytes);
    };
    const wallets = await opened({ disk: { ...SYSTEM_DISK, create } });
    const { fvk } = await importSeed(wallets);
    const copies: Uint8Array[] = [];
    const watched = Object.assign(fvk.slice(), {
      slice: () => {
        const copy = fvk.slice();
        copies.push(copy);
        return copy;
      },
    });
    const change = () => wallets.changeKind(TOKEN, "watch", new Secret(watched));
    isFull = true;
    expect(await rejectionCode(change())).toBe("wallet/storage");
    isFull = false;
    expect(await change()).toMatchObject({ kind: "watch" });
    const isErased = (copy: Uint8Array): boolean => copy.every((byte) => byte === 0);
    expect(copies.map(isErased)).toEqual([true, true]);
  });

  test("is made, and is the same one after the folder was opened again", async () => {
    const before = await openFolder(folder, { core: cheapCore() });
    const { seed, keys } = await before.create(TOKEN, { ...BIRTHDAY, bornOn: 20_717 });
    before.close();
    const wallets = await opened({ core: cheapCore() });
    expect(await wallets.list()).toEqual([TOKEN]);
    const again = await wallets.openKeys(TOKEN);
    expect(again.keys.fvk).toEqual(keys.fvk);
    expect(again.keys.address).toEqual(keys.address);
    expect(again.facts).toMatchObject({
      network: "simnet",
      kind: "seed",
      birthday: 4_711n,
      bornOn: 20_717,
      recoverableHistory: false,
      createdUnix: MADE_UNIX,
    });
    expect(bytesOf(await wallets.openSeed(TOKEN))).toEqual(bytesOf(seed));
    expect(textOf(`${TOKEN}.json`)).not.toContain(encodeHex(bytesOf(seed)));
  });

  test("has the addresses of its key", async () => {
    const keys = await importSeed(await opened());
    expect(keys.address.text).toBe(
      "svcsim:pyfjy228l6gukj2vwztyq6q88eeyggjhvcuzf2jx8u4lvla42d6x0y3dsgp0wzggcc9cytqcwaf6d67",
    );
    expect(keys.addressAt(0)).toEqual(keys.address);
    expect(keys.addressAt(4_294_967_295).text).not.toBe(keys.address.text);
    for (const index of [-1, 1.5, 4_294_967_296, Number.NaN]) {
      expect(codeOf(() => keys.addressAt(index))).toBe("codec/number-out-of-range");
    }
  });

  test("that watches holds no seed", async () => {
    const wallets = await opened();
    const { fvk } = await importSeed(wallets);
    const token = asWalletToken("watching");
    const keys = await wallets.watch(token, fvk, BIRTHDAY);
    expect(keys.fvk).toEqual(fvk);
    expect((await wallets.openKeys(token)).facts.kind).toBe("watch");
    expect(await rejectionCode(wallets.openSeed(token))).toBe("wallet/watch-only");
  });

  test("is made of usable keys alone", async () => {
    const wallets = await opened();
    const tries = [
      wallets.watch(TOKEN, new Uint8Array(96).fill(0xff), BIRTHDAY),
      wallets.watch(TOKEN, new Uint8Array(64), BIRTHDAY),
      wallets.importSeed(TOKEN, new Secret(new Uint8Array(31)), BIRTHDAY),
      importSeed(wallets, TOKEN, { birthday: asDaaScore(2n ** 53n) }),
    ].map((made) => rejectionCode(made));
    expect(await Promise.all(tries)).toEqual([
      "keys/bad-viewing-key",
      "codec/wrong-length",
      "wallet/bad-seed",
      "codec/number-out-of-range",
    ]);
    expect(await wallets.list()).toEqual([]);
    expect(await rejectionCode(wallets.openKeys(TOKEN))).toBe("wallet/no-wallet");
  });

  test("is not overwritten unless that is asked for, and is kept then with its scan", async () => {
    const wallets = await opened();
    await importSeed(wallets);
    await wallets.writeScan(TOKEN, SNAPSHOT);
    const first = textOf(`${TOKEN}.json`);
    expect(await rejectionCode(wallets.create(TOKEN, BIRTHDAY))).toBe("wallet/exists");
    expect(textOf(`${TOKEN}.json`)).toBe(first);
    await wallets.create(TOKEN, { ...BIRTHDAY, replace: true });
    const second = textOf(`${TOKEN}.json`);
    await wallets.create(TOKEN, { ...BIRTHDAY, replace: true });
    expect(textOf(`${TOKEN}.json.bak`)).toBe(first);
    expect(textOf(`${TOKEN}.json.bak.1`)).toBe(second);
    expect(await wallets.readScan(TOKEN)).toBeNull();
    expect(existsSync(fileOf(`${TOKEN}.scan.bak`))).toBe(true);
    // The kept file is whole: it takes its place back by its name.
    for (const kind of ["json", "scan"]) {
      renameSync(fileOf(`${TOKEN}.${kind}.bak`), fileOf(`${TOKEN}.${kind}`));
    }
    expect(bytesOf(await wallets.openSeed(TOKEN))).toEqual(SEED);
    expect(await wallets.readScan(TOKEN)).toEqual(SNAPSHOT);
  });

  test("keeps a second name for its scan when it is asked to, as often as that is", async () => {
    const wallets = await opened();
    await importSeed(wallets);
    expect(await wallets.keepScan(TOKEN)).toBe(false);
    await wallets.writeScan(TOKEN, SNAPSHOT);
    const first = readFileSync(fileOf(`${TOKEN}.scan`));
    expect(await wallets.keepScan(TOKEN)).toBe(true);
    expect(await wallets.readScan(TOKEN)).toEqual(SNAPSHOT);
    await wallets.writeScan(TOKEN, Uint8Array.of(9));
    expect(await wallets.keepScan(TOKEN)).toBe(true);
    await wallets.writeScan(TOKEN, Uint8Array.of(10));
    expect(readFileSync(fileOf(`${TOKEN}.scan.bak`))).toEqual(first);
    expect(await wallets.openScan(TOKEN, readFileSync(fileOf(`${TOKEN}.scan.bak.1`)))).toEqual(
      Uint8Array.of(9),
    );
    expect(await wallets.readScan(TOKEN)).toEqual(Uint8Array.of(10));
  });

  test("keeps the newest scans of rescans that nobody asked for, whatever else is kept", async () => {
    const wallets = await opened();
    await importSeed(wallets);
    const { walletBackups, walletRotated } = WALLETD_LIMITS;
    writeFileSync(fileOf(`${TOKEN}.scan.bak`), "");
    for (let number = 1; number < walletBackups; number += 1) {
      writeFileSync(fileOf(`${TOKEN}.scan.bak.${number}`), "");
    }
    for (let round = 0; round < walletRotated + 3; round += 1) {
      await wallets.writeScan(TOKEN, Uint8Array.of(round));
      expect(await wallets.keepScan(TOKEN, { rotates: true })).toBe(true);
    }
    const kept = readdirSync(folder).filter((name) => name.startsWith(`${TOKEN}.scan.bak`));
    expect(kept).toHaveLength(walletBackups + walletRotated);
    for (let age = 0; age < walletRotated; age += 1) {
      const bytes = readFileSync(fileOf(`${TOKEN}.scan.bak.${walletBackups + age}`));
      expect(await wallets.openScan(TOKEN, bytes)).toEqual(Uint8Array.of(walletRotated + 2 - age));
    }
    // What a kill between two renames leaves.
    rmSync(fileOf(`${TOKEN}.scan.bak.${walletBackups + 1}`));
    await wallets.keepScan(TOKEN, { rotates: true });
    expect(await rejectionCode(wallets.keepScan(TOKEN))).toBe("wallet/storage");
    const oldest = readFileSync(fileOf(`${TOKEN}.scan.bak.${walletBackups + walletRotated - 1}`));
    expect(await wallets.openScan(TOKEN, oldest)).toEqual(Uint8Array.of(3));
  });

  test("keeps what is changed of it, and its scan", async () => {
    const wallets = await opened();
    await importSeed(wallets);
    await wallets.writeScan(TOKEN, SNAPSHOT);
    await wallets.update(TOKEN, { recoverableHistory: true, addresses: [9, 2, 9] });
    await wallets.update(TOKEN, { birthday: asDaaScore(5n) });
    const { facts, addresses } = await wallets.openKeys(TOKEN);
    expect(facts).toMatchObject({ recoverableHistory: true, birthday: 5n, kind: "seed" });
    expect(addresses).toEqual([2, 9]);
    expect(await wallets.readScan(TOKEN)).toEqual(SNAPSHOT);
  });

  test("is asked for by one of many at once", async () => {
    const wallets = await opened();
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => rejectionCode(wallets.create(TOKEN, BIRTHDAY), "made")),
    );
    expect(tries.filter((code) => code === "made")).toHaveLength(1);
    expect(tries.filter((code) => code === "wallet/exists")).toHaveLength(19);
    expect(readdirSync(folder).toSorted()).toEqual([".lock", ".sealing.json", `${TOKEN}.json`]);
  });
});

describe("a scan", () => {
  test("is read as it was written last, and never in clear", async () => {
    const wallets = await opened();
    await importSeed(wallets);
    expect(await wallets.readScan(TOKEN)).toBeNull();
    const words = new TextEncoder().encode("memo of a customer");
    await wallets.writeScan(TOKEN, SNAPSHOT);
    await wallets.writeScan(TOKEN, words);
    expect(await wallets.readScan(TOKEN)).toEqual(words);
    expect(textOf(`${TOKEN}.scan`)).not.toContain("memo of a customer");
  });

  test("that is put aside overwrites none that was", async () => {
    const wallets = await opened();
    await importSeed(wallets);
    expect(await wallets.retireScan(TOKEN)).toBe(false);
    const names: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      await wallets.writeScan(TOKEN, Uint8Array.of(round));
      expect(await wallets.retireScan(TOKEN)).toBe(true);
      expect(await wallets.readScan(TOKEN)).toBeNull();
      names.push(round === 0 ? `${TOKEN}.scan.bak` : `${TOKEN}.scan.bak.${round}`);
    }
    for (const [round, name] of names.entries()) {
      expect(await wallets.openScan(TOKEN, readFileSync(fileOf(name)))).toEqual(
        Uint8Array.of(round),
      );
    }
  });

  test("goes among those that make room where no more are kept, and holds nobody up", async () => {
    const wallets = await opened();
    await importSeed(wallets);
    await wallets.writeScan(TOKEN, SNAPSHOT);
    const { walletBackups } = WALLETD_LIMITS;
    writeFileSync(fileOf(`${TOKEN}.scan.bak`), "");
    for (let number = 1; number < walletBackups; number += 1) {
      writeFileSync(fileOf(`${TOKEN}.scan.bak.${number}`), "");
    }
    expect(await rejectionCode(wallets.keepScan(TOKEN))).toBe("wallet/storage");
    expect(await wallets.retireScan(TOKEN)).toBe(true);
    expect(await wallets.readScan(TOKEN)).toBeNull();
    const kept = readFileSync(fileOf(`${TOKEN}.scan.bak.${walletBackups}`));
    expect(await wallets.openScan(TOKEN, kept)).toEqual(SNAPSHOT);
  });

  test("of another wallet is refused, also beside its copied name", async () => {
    const wallets = await opened();
    const other = asWalletToken("other");
    await importSeed(wallets);
    await importSeed(wallets, other);
    await wallets.writeScan(TOKEN, SNAPSHOT);
    renameSync(fileOf(`${TOKEN}.scan`), fileOf("other.scan"));
    expect(await rejectionCode(wallets.readScan(other))).toBe("wallet/file-damaged");
    expect(await rejectionCode(wallets.writeScan(asWalletToken("none"), SNAPSHOT))).toBe(
      "wallet/no-wallet",
    );
  });
});

describe("the secret of a folder", () => {
  test("is derived once for thousands of wallets", async () => {
    const core = cheapCore();
    const wallets = await opened({ core });
    for (let number = 0; number < 40; number += 1) {
      await wallets.create(asWalletToken(`wallet-${number}`), BIRTHDAY);
    }
    for (const token of await wallets.list()) await wallets.openKeys(token);
    expect(core.derivations).toBe(1);
  });

  test("is recognised at the start, also where the folder lost its header", async () => {
    const first = await openFolder(folder);
    await importSeed(first);
    first.close();
    const wrong = (): Promise<string> =>
      rejectionCode(openFolder(folder, { secret: secretOf("wrong") }), "opened");
    const none = (): Promise<string> =>
      rejectionCode(openFolder(folder, { secret: null }), "opened");
    expect([await wrong(), await none()]).toEqual(["wallet/wrong-secret", "wallet/no-secret"]);
    rmSync(fileOf(".sealing.json"));
    expect([await wrong(), await none()]).toEqual(["wallet/wrong-secret", "wallet/no-secret"]);
    const core = cheapCore();
    const wallets = await opened({ core });
    expect(bytesOf(await wallets.openSeed(TOKEN))).toEqual(SEED);
    // The salt of the wallets is the folder's again.
    expect(core.derivations).toBe(1);
  });

  test("is not the one of a wallet that was brought from elsewhere", async () => {
    const elsewhere = folderOfTest();
    const theirs = await openFolder(elsewhere, { secret: secretOf("theirs") });
    await importSeed(theirs);
    theirs.close();
    const wallets = await opened();
    writeFileSync(fileOf(`${TOKEN}.json`), readFileSync(join(elsewhere, `${TOKEN}.json`)));
    expect(await rejectionCode(wallets.openKeys(TOKEN))).toBe("wallet/wrong-secret");
    const same = await openFolder(join(elsewhere, "same"));
    await importSeed(same);
    same.close();
    writeFileSync(fileOf(`${TOKEN}.json`), readFileSync(join(elsewhere, "same", `${TOKEN}.json`)));
    expect(bytesOf(await wallets.openSeed(TOKEN))).toEqual(SEED);
  });

  test("that is given for the first time seals wallets as they change, with their scans", async () => {
    const plain = await openFolder(folder, { secret: null });
    await importSeed(plain);
    await plain.writeScan(TOKEN, SNAPSHOT);
    expect(plain.isSealed).toBe(false);
    expect(textOf(`${TOKEN}.json`)).toContain(encodeHex(SEED));
    plain.close();
    const wallets = await opened();
    expect(wallets.isSealed).toBe(true);
    expect(await wallets.readScan(TOKEN)).toEqual(SNAPSHOT);
    await wallets.update(TOKEN, { recoverableHistory: true });
    expect(textOf(`${TOKEN}.json`)).not.toContain(encodeHex(SEED));
    expect(await wallets.readScan(TOKEN)).toEqual(SNAPSHOT);
    expect(readFileSync(fileOf(`${TOKEN}.scan`)).includes(Buffer.from(SNAPSHOT))).toBe(false);
  });

  test("cannot be traded for a plain scan by whoever can write files", async () => {
    const plain = await openFolder(folder, { secret: null });
    await importSeed(plain);
    await plain.writeScan(TOKEN, SNAPSHOT);
    const forged = readFileSync(fileOf(`${TOKEN}.scan`));
    plain.close();
    const wallets = await opened();
    await wallets.writeScan(TOKEN, Uint8Array.of(9));
    writeFileSync(fileOf(`${TOKEN}.scan`), forged);
    expect(await rejectionCode(wallets.readScan(TOKEN))).toBe("wallet/file-damaged");
  });

  test("leaves the memory with the folder", async () => {
    const wallets = await openFolder(folder);
    await importSeed(wallets);
    wallets.close();
    wallets.close();
    expect(await rejectionCode(wallets.openSeed(TOKEN))).toBe("internal/erased-secret");
  });
});
