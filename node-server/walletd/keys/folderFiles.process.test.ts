import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { IS_FULL } from "../../platform/testkit/testRun.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { openFolder, TOKEN } from "./testkit/keysScene.ts";
import { SYSTEM_DISK, type WalletDisk } from "./walletDisk.ts";
import type { WalletFolder } from "./walletFolder.ts";
import { asWalletToken, type WalletToken } from "./walletToken.ts";

const SEED = new Uint8Array(32).fill(1);
const BIRTHDAY = { birthday: asDaaScore(4_711n) };
const SNAPSHOT = Uint8Array.of(1, 2, 3, 4);
/** Wallets of a folder that is listed. */
const MANY = IS_FULL ? 10_000 : 1_500;
const isPosix = process.platform !== "win32";

let folder: string;
beforeEach(() => {
  folder = join(folderOfTest(), "wallets");
});

const fileOf = (name: string): string => join(folder, name);
const textOf = (name: string): string => readFileSync(fileOf(name), "utf8");
const modeOf = (path: string): number => statSync(path).mode & 0o777;
async function opened(parts: Parameters<typeof openFolder>[1] = {}): Promise<WalletFolder> {
  const wallets = await openFolder(folder, parts);
  onTestFinished(() => wallets.close());
  return wallets;
}
const importSeed = (wallets: WalletFolder, token: WalletToken = TOKEN, more = {}) =>
  wallets.importSeed(token, new Secret(SEED.slice()), { ...BIRTHDAY, ...more });

describe("a folder", () => {
  test.runIf(isPosix)("and all its files are for their owner alone", async () => {
    const mask = process.umask(0);
    try {
      const wallets = await opened({ secret: null });
      await importSeed(wallets);
      await wallets.writeScan(TOKEN, SNAPSHOT);
      await wallets.retireScan(TOKEN);
      await wallets.create(TOKEN, { ...BIRTHDAY, replace: true });
      expect(modeOf(folder)).toBe(0o700);
      for (const name of readdirSync(folder).filter((name) => name !== ".lock")) {
        expect(modeOf(fileOf(name)), name).toBe(0o600);
      }
    } finally {
      process.umask(mask);
    }
  });

  test("belongs to one network", async () => {
    (await openFolder(folder)).close();
    const opening = openFolder(folder, { network: "devnet" });
    expect(await rejectionCode(opening)).toBe("wallet/file-network");
    const elsewhere = folderOfTest();
    const theirs = await openFolder(elsewhere, { network: "devnet", secret: null });
    await importSeed(theirs);
    theirs.close();
    const wallets = await opened();
    writeFileSync(fileOf(`${TOKEN}.json`), readFileSync(join(elsewhere, `${TOKEN}.json`)));
    expect(await rejectionCode(wallets.openKeys(TOKEN))).toBe("wallet/file-network");
  });

  test("is refused to a second daemon, in this process and in another", async () => {
    const wallets = await openFolder(folder);
    expect(await rejectionCode(openFolder(folder))).toBe("node/already-running");
    wallets.close();
    const lock = new URL("../../platform/files/lockFile.ts", import.meta.url).href;
    const script = `
      const { acquireLock } = await import(${JSON.stringify(lock)});
      acquireLock(process.argv[1]);
      console.log("held");
      process.stdin.resume();
    `;
    const args = ["--input-type=module", "-e", script, fileOf(".lock")];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    await once(child.stdout, "data");
    expect(await rejectionCode(openFolder(folder))).toBe("node/already-running");
    child.kill("SIGKILL");
    await once(child, "exit");
    (await openFolder(folder)).close();
  });

  test("that cannot be a folder is refused by its path", async () => {
    writeFileSync(folder, "");
    expect(await rejectionCode(openFolder(join(folder, "below")))).toBe("node/bad-folder");
  });

  test("with a damaged header is refused, and with one of later", async () => {
    (await openFolder(folder)).close();
    const header = readFileSync(fileOf(".sealing.json"));
    for (let at = 0; at < header.length; at += 1) {
      writeFileSync(fileOf(".sealing.json"), withFlippedBit(header, at));
      const code = await rejectionCode(openFolder(folder), "opened");
      // White space is nobody's.
      if (code === "opened") {
        expect([0x20, 0x0a], `${at}`).toContain(header[at]);
        continue;
      }
      expect(["wallet/file-damaged", "wallet/wrong-secret", "wallet/file-network"]).toContain(code);
    }
    writeFileSync(
      fileOf(".sealing.json"),
      header.toString().replace('"version": 1', '"version": 2'),
    );
    expect(await rejectionCode(openFolder(folder))).toBe("wallet/file-version");
  });

  test("lists regular files with the name of a token, thousands without reading one", async () => {
    (await openFolder(folder)).close();
    for (let number = 0; number < MANY; number += 1) {
      writeFileSync(fileOf(`wallet-${number}.json`), "");
    }
    mkdirSync(fileOf("folder.json"));
    mkdirSync(fileOf("folder"));
    if (isPosix) symlinkSync(fileOf("wallet-1.json"), fileOf("link.json"));
    for (const name of [
      "a.b.json",
      ".json",
      "x.json.bak",
      "y.scan",
      "ä.json",
      `${"f".repeat(129)}.json`,
    ]) {
      writeFileSync(fileOf(name), "");
    }
    const read: string[] = [];
    const disk: WalletDisk = {
      ...SYSTEM_DISK,
      read: (path, most) => {
        read.push(path);
        return SYSTEM_DISK.read(path, most);
      },
    };
    const wallets = await opened({ disk });
    const tokens = await wallets.list();
    expect(tokens).toHaveLength(MANY);
    expect(new Set(tokens).size).toBe(MANY);
    expect(read).toEqual([fileOf(".sealing.json")]);
  });

  test("removes what a killed daemon left unfinished, and nothing else", async () => {
    (await openFolder(folder)).close();
    writeFileSync(fileOf(`.${"0123".repeat(8)}.new`), encodeHex(SEED));
    writeFileSync(fileOf("note.txt"), "");
    (await openFolder(folder)).close();
    expect(readdirSync(folder).toSorted()).toEqual([".sealing.json", "note.txt"]);
  });
});

describe("in place of a wallet file", () => {
  const codes = async (wallets: WalletFolder): Promise<string[]> => [
    await rejectionCode(wallets.openKeys(TOKEN)),
    await rejectionCode(wallets.create(TOKEN, BIRTHDAY)),
  ];

  test.runIf(isPosix)("a link is neither followed nor overwritten", async () => {
    const wallets = await opened();
    const other = asWalletToken("other");
    await importSeed(wallets, other);
    const target = textOf("other.json");
    symlinkSync(fileOf("other.json"), fileOf(`${TOKEN}.json`));
    expect(await codes(wallets)).toEqual(["wallet/file-damaged", "wallet/exists"]);
    await wallets.create(TOKEN, { ...BIRTHDAY, replace: true });
    expect(textOf("other.json")).toBe(target);
    expect((await wallets.openKeys(TOKEN)).facts.kind).toBe("seed");
  });

  test.runIf(isPosix)("a link to nothing makes no file elsewhere", async () => {
    const wallets = await opened();
    const outside = join(folder, "..", "outside");
    symlinkSync(outside, fileOf(`${TOKEN}.json`));
    expect(await codes(wallets)).toEqual(["wallet/file-damaged", "wallet/exists"]);
    expect(existsSync(outside)).toBe(false);
  });

  test("a folder is refused", async () => {
    const wallets = await opened();
    mkdirSync(fileOf(`${TOKEN}.json`));
    const [read, made] = await codes(wallets);
    expect(["wallet/file-damaged", "wallet/storage"]).toContain(read);
    expect(made).toBe("wallet/exists");
  });

  test("a file beyond every size is not read", async () => {
    const wallets = await opened();
    writeFileSync(fileOf(`${TOKEN}.json`), "x".repeat(WALLETD_LIMITS.walletFileBytes + 1));
    expect(await codes(wallets)).toEqual(["wallet/file-damaged", "wallet/exists"]);
  });
});

test("no error holds a token, a path or a key", async () => {
  const full: WalletDisk = {
    ...SYSTEM_DISK,
    create: (path, bytes) =>
      path.endsWith(".new") && bytes.length > 600
        ? SYSTEM_DISK.create(join(path, "below"), bytes)
        : SYSTEM_DISK.create(path, bytes),
  };
  const wallets = await opened({ disk: full });
  const errors: unknown[] = [];
  const caught = async (work: Promise<unknown>): Promise<void> => {
    errors.push(
      await work.then(
        () => null,
        (error: unknown) => error,
      ),
    );
  };
  await caught(importSeed(wallets));
  writeFileSync(fileOf(`${TOKEN}.json`), "{");
  await caught(wallets.openKeys(TOKEN));
  await caught(wallets.writeScan(asWalletToken("none"), SEED));
  expect(errors.map((error) => SvcError.from(error).code)).toEqual([
    "wallet/storage",
    "wallet/file-damaged",
    "wallet/no-wallet",
  ]);
  for (const error of errors) {
    const shown =
      error instanceof Error
        ? `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`
        : "";
    expect(shown).not.toContain(TOKEN);
    expect(shown).not.toContain(encodeHex(SEED));
  }
});

test("a full disk leaves no wallet and no draft", async () => {
  const disk: WalletDisk = {
    ...SYSTEM_DISK,
    create: async (path, bytes) => {
      await SYSTEM_DISK.create(path, bytes.subarray(0, bytes.length / 2));
      throw new SvcError("wallet/storage", { reason: "ENOSPC" });
    },
  };
  (await openFolder(folder)).close();
  const wallets = await opened({ disk });
  expect(await rejectionCode(wallets.create(TOKEN, BIRTHDAY))).toBe("wallet/storage");
  expect(readdirSync(folder).toSorted()).toEqual([".lock", ".sealing.json"]);
});
