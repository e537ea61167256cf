import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { parseWalletFile } from "./openWalletFile.ts";
import { bytesOf, openFolder, realCore, secretOf, TOKEN } from "./testkit/keysScene.ts";

const fixture = JSON.parse(
  readFileSync(new URL("../../../tests/fixtures/walletd/reference.json", import.meta.url), "utf8"),
);
const parse = (value: unknown) =>
  parseWalletFile(new TextEncoder().encode(JSON.stringify(value)), "file");

let folder: string;
beforeEach(() => {
  folder = folderOfTest();
});
const bring = (kind: string): string => {
  const path = join(folder, `${TOKEN}.json`);
  writeFileSync(path, JSON.stringify(fixture.files[kind], null, 2));
  return path;
};
const open = () => openFolder(folder, { core: realCore, secret: secretOf(fixture.secret) });

describe("a file that somebody brings over from the reference", () => {
  test("sealed: opens under its secret and is ours after its first change", async () => {
    const path = bring("sealed");
    const wallets = await open();
    const { keys, facts } = await wallets.openKeys(TOKEN);
    expect(keys.address.raw).toBe(fixture.rawAddress);
    expect(facts).toMatchObject({ kind: "seed", birthday: 4_711n, recoverableHistory: true });
    expect(readFileSync(path, "utf8")).toContain("seed_hex");
    await wallets.update(TOKEN, { recoverableHistory: false });
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      magic: "svc-wallet-file",
      version: 1,
      recoverableHistory: false,
    });
    expect(encodeHex(bytesOf(await wallets.openSeed(TOKEN)))).toBe(fixture.seed);
    wallets.close();
  });

  test("sealed: another secret is refused before anything is written", async () => {
    bring("sealed");
    const opening = openFolder(folder, { core: realCore, secret: secretOf("another") });
    expect(await rejectionCode(opening)).toBe("wallet/wrong-secret");
    expect(await rejectionCode(openFolder(folder, { secret: null }))).toBe("wallet/no-secret");
    const wallets = await open();
    expect((await wallets.openKeys(TOKEN)).keys.address.raw).toBe(fixture.rawAddress);
    wallets.close();
  });

  test("plain and watching: read as they are, sealed when a scan is written", async () => {
    for (const kind of ["plain", "watch"]) {
      const path = bring(kind);
      const wallets = await open();
      expect((await wallets.openKeys(TOKEN)).keys.address.raw).toBe(fixture.rawAddress);
      await wallets.writeScan(TOKEN, Uint8Array.of(1, 2, 3));
      expect(await wallets.readScan(TOKEN)).toEqual(Uint8Array.of(1, 2, 3));
      const { seed, files } = fixture;
      const text = readFileSync(path, "utf8");
      expect(text).not.toContain(seed);
      expect(text).not.toContain(files.watch.fvk_hex);
      expect((await wallets.openKeys(TOKEN)).keys.address.raw).toBe(fixture.rawAddress);
      wallets.close();
    }
  });
});

test("fields that do not fit are damage, and a version of later is named", () => {
  const { sealed, plain, watch } = fixture.files;
  expect(codeOf(() => parse({ ...sealed, version: 3 }))).toBe("wallet/file-version");
  for (const bad of [
    { ...sealed, seed_hex: sealed.seed_hex.slice(2) },
    { ...sealed, encrypted: false },
    { ...plain, encrypted: true },
    { ...plain, seed_hex: plain.seed_hex.replace("01", "0g") },
    { ...plain, birthday: -1 },
    { ...plain, birthday: "0" },
    { ...plain, network: "../x" },
    { ...watch, fvk_hex: "00" },
    { ...watch, version: 1 },
    { ...plain, version: 2 },
  ]) {
    expect(
      codeOf(() => parse(bad)),
      JSON.stringify(bad),
    ).toBe("wallet/file-damaged");
  }
  expect(parse({ ...plain, unheard_of: 1 }).form).toBe("reference");
});
