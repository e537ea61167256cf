import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import {
  changeSecret,
  type ChangeProgress,
  type ChangeReport,
  type SecretChange,
} from "./changeSecret.ts";
import { bytesOf, cheapCore, openFolder, secretOf, TOKEN } from "./testkit/keysScene.ts";
import type { WalletFolder } from "./walletFolder.ts";
import { asWalletToken, walletLabel } from "./walletToken.ts";

const BIRTHDAY = { birthday: asDaaScore(0n) };
const SEED = new Uint8Array(32).fill(1);
const WORDS = "memo of a customer";
const SCAN = new TextEncoder().encode(WORDS);
const TOKENS = Array.from({ length: 5 }, (_, number) => asWalletToken(`wallet-${number}`));

let folder: string;
beforeEach(() => {
  folder = join(folderOfTest(), "wallets");
});

/** A text is a secret; null is plaintext. */
const open = (secret: string | null): Promise<WalletFolder> =>
  openFolder(folder, { secret: secret === null ? null : secretOf(secret) });
function change(
  from: string | null,
  to: string | null,
  more: Partial<SecretChange> = {},
): Promise<ChangeReport> {
  return changeSecret({
    path: folder,
    network: "simnet",
    core: cheapCore(),
    from: from === null ? null : secretOf(from),
    to: to === null ? "plaintext" : secretOf(to),
    signal: new AbortController().signal,
    openRows: async () => null,
    ...more,
  });
}

/** Wallets with scans, the first of them in place of another whose files were kept. */
async function fill(secret: string | null): Promise<void> {
  const wallets = await open(secret);
  for (const token of TOKENS) {
    await wallets.importSeed(token, new Secret(SEED.slice()), BIRTHDAY);
    await wallets.writeScan(token, SCAN);
  }
  const [first = TOKEN] = TOKENS;
  await wallets.importSeed(first, new Secret(SEED.slice()), { ...BIRTHDAY, replace: true });
  await wallets.writeScan(first, SCAN);
  wallets.close();
}

/** All wallets open under the secret, the kept one too, and under no other. */
async function check(secret: string | null): Promise<void> {
  for (const other of ["old", "new", null].filter((one) => one !== secret && secret !== null)) {
    const code = other === null ? "wallet/no-secret" : "wallet/wrong-secret";
    expect(await rejectionCode(open(other), "opened")).toBe(code);
  }
  const wallets = await open(secret);
  for (const token of TOKENS) {
    expect(bytesOf(await wallets.openSeed(token))).toEqual(SEED);
    expect(await wallets.readScan(token)).toEqual(SCAN);
  }
  const [first = TOKEN] = TOKENS;
  for (const kind of ["json", "scan"]) {
    cpSync(join(folder, `${first}.${kind}.bak`), join(folder, `${first}.${kind}`));
  }
  expect(bytesOf(await wallets.openSeed(first))).toEqual(SEED);
  expect(await wallets.readScan(first)).toEqual(SCAN);
  wallets.close();
}

const inClear = (): string[] =>
  readdirSync(folder).filter((name) => {
    const bytes = readFileSync(join(folder, name));
    return bytes.includes(encodeHex(SEED)) || bytes.includes(WORDS);
  });

describe("a change of the secret", () => {
  test("seals every file anew, and derives two keys for all of them", async () => {
    await fill("old");
    const core = cheapCore();
    const heard: ChangeProgress[] = [];
    const report = await change("old", "new", { core, onProgress: (one) => heard.push(one) });
    expect(report).toEqual({ changed: TOKENS.length, left: [] });
    expect(heard).toEqual(TOKENS.map((_, index) => ({ done: index + 1, total: TOKENS.length })));
    // The old key, the new one, and each secret once with the other's salt.
    expect(core.derivations).toBeLessThanOrEqual(4);
    expect(inClear()).toEqual([]);
    await check("new");
  });

  test("seals what was plain, files that were kept too", async () => {
    await fill(null);
    expect(inClear()).toHaveLength(2 * TOKENS.length + 2);
    await change(null, "new");
    expect(inClear()).toEqual([]);
    await check("new");
  });

  test.each([
    [null, "new"],
    ["old", "new"],
    ["old", null],
  ])(
    "from %s to %s takes kept scans along, of rescans and of wallets whose file is gone",
    async (from, to) => {
      await fill(from);
      const wallets = await open(from);
      const [token = TOKEN, gone = TOKEN] = TOKENS.slice(1);
      await wallets.keepScan(token);
      await wallets.keepScan(token, { rotates: true });
      await wallets.importSeed(gone, new Secret(SEED.slice()), { ...BIRTHDAY, replace: true });
      wallets.close();
      rmSync(join(folder, `${gone}.json`));
      expect(await change(from, to)).toEqual({ changed: TOKENS.length, left: [] });
      if (to !== null) expect(inClear()).toEqual([]);
      const after = await open(to);
      for (const number of ["", `.${WALLETD_LIMITS.walletBackups}`]) {
        const kept = new Uint8Array(readFileSync(join(folder, `${token}.scan.bak${number}`)));
        expect(await after.openScan(token, kept)).toEqual(SCAN);
      }
      for (const kind of ["json", "scan"]) {
        cpSync(join(folder, `${gone}.${kind}.bak`), join(folder, `${gone}.${kind}`));
      }
      expect(bytesOf(await after.openSeed(gone))).toEqual(SEED);
      expect(await after.readScan(gone)).toEqual(SCAN);
      after.close();
    },
  );

  test("to plaintext has to be written out, and opens everything", async () => {
    await fill("old");
    await change("old", null);
    expect(inClear()).toHaveLength(2 * TOKENS.length + 2);
    await check(null);
  });

  test("to the same secret takes a new salt", async () => {
    await fill("old");
    const before = readFileSync(join(folder, ".sealing.json"), "utf8");
    await change("old", "old", { cost: { memoryKib: 19_456, passes: 3 } });
    expect(readFileSync(join(folder, ".sealing.json"), "utf8")).not.toBe(before);
    await check("old");
  });

  test("is refused with another secret than the folder's, and beside a daemon", async () => {
    await fill("old");
    const names = readdirSync(folder).map((name) => [
      name,
      readFileSync(join(folder, name), "hex"),
    ]);
    expect(await rejectionCode(change("wrong", "new"))).toBe("wallet/wrong-secret");
    expect(await rejectionCode(change(null, "new"))).toBe("wallet/no-secret");
    const daemon = await open("old");
    expect(await rejectionCode(change("old", "new"))).toBe("node/already-running");
    daemon.close();
    expect(
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "hex")]),
    ).toEqual(names);
    await check("old");
  });

  test("that was stopped keeps daemons out, and goes on with the same two secrets alone", async () => {
    await fill("old");
    const stop = new AbortController();
    const stopped = change("old", "new", {
      signal: stop.signal,
      onProgress: ({ done }) => {
        if (done === 2) stop.abort();
      },
    });
    expect(await rejectionCode(stopped)).toBe("run/aborted");
    for (const secret of ["old", "new", null]) {
      expect(await rejectionCode(open(secret))).toBe("wallet/secret-unfinished");
    }
    expect(await rejectionCode(change("old", "other"))).toBe("wallet/wrong-secret");
    expect(await rejectionCode(change("old", null))).toBe("wallet/wrong-secret");
    expect(await rejectionCode(change("new", "new"))).toBe("wallet/wrong-secret");
    expect(await change("old", "new")).toEqual({ changed: TOKENS.length, left: [] });
    await check("new");
  });

  test("leaves what neither secret opens as it was, and says so", async () => {
    await fill("old");
    const elsewhere = folderOfTest();
    const theirs = await openFolder(elsewhere, { secret: secretOf("theirs") });
    await theirs.importSeed(TOKEN, new Secret(SEED.slice()), BIRTHDAY);
    theirs.close();
    const foreign = readFileSync(join(elsewhere, `${TOKEN}.json`));
    writeFileSync(join(folder, `${TOKEN}.json`), foreign);
    writeFileSync(join(folder, "damaged.json"), "{");
    const { changed, left } = await change("old", "new");
    expect(changed).toBe(TOKENS.length);
    expect(new Set(left.map(({ file, code }) => `${file} ${code}`))).toEqual(
      new Set([
        `${walletLabel(TOKEN)} wallet/wrong-secret`,
        `${walletLabel(asWalletToken("damaged"))} wallet/file-damaged`,
      ]),
    );
    expect(readFileSync(join(folder, `${TOKEN}.json`))).toEqual(foreign);
    await check("new");
  });

  test("of a folder of the reference makes its files ours", async () => {
    const url = new URL("../../../tests/fixtures/walletd/reference.json", import.meta.url);
    const { files } = JSON.parse(readFileSync(url, "utf8"));
    (await open(null)).close();
    writeFileSync(join(folder, `${TOKEN}.json`), JSON.stringify(files.plain));
    await change(null, "new");
    expect(inClear()).toEqual([]);
    const wallets = await open("new");
    expect(bytesOf(await wallets.openSeed(TOKEN))).toEqual(SEED);
    wallets.close();
  });
});
