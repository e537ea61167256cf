import {
  chmodSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { ViewingKeyFiles } from "../../gateway/keys/viewingKeyFile.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { registerNewWallet } from "./registerNewWallet.ts";

let core: CoreGlue;
let folder: string;
let files: ViewingKeyFiles;
let path: string;

beforeAll(async () => {
  core = await loadCoreFile();
});
beforeEach(() => {
  folder = folderOfTest();
  files = new ViewingKeyFiles(join(folder, "keys"));
  path = join(folder, "shop.seed");
});

const register = (to = path) => registerNewWallet({ core, files, network: "simnet" }, to);

describe("a new wallet of a merchant", () => {
  it("has its seed in the file alone, for its owner alone, and the gateway its incoming viewing key", () => {
    const id = register();
    const text = readFileSync(path, "utf8");
    expect(text).toMatch(/^[0-9a-f]{64}\n$/);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    const seed = decodeHex(text.trim());
    const ivk = callCore(() => core.incomingViewingKey(core.fullViewingKey(seed)));
    expect(files.all().map((key) => [key.id, encodeHex(key.ivk)])).toEqual([[id, encodeHex(ivk)]]);
    const kept = readFileSync(join(folder, "keys", `${id}.json`), "utf8");
    expect(kept).not.toContain(text.trim());
    expect(kept).not.toContain(encodeHex(core.fullViewingKey(seed)));
  });

  it("is another one each time", () => {
    expect(register()).not.toBe(register(join(folder, "other.seed")));
  });

  it("writes over no file and follows no link, and registers nothing then", () => {
    writeFileSync(path, "the seed of another shop");
    expect(codeOf(register)).toBe("node/bad-option");
    expect(readFileSync(path, "utf8")).toBe("the seed of another shop");
    const [link, target] = [join(folder, "link.seed"), join(folder, "target")];
    symlinkSync(target, link);
    expect(codeOf(() => register(link))).toBe("node/bad-option");
    expect(existsSync(target)).toBe(false);
    expect(files.all()).toEqual([]);
  });

  it("registers nothing where its file cannot be written", () => {
    expect(codeOf(() => register(join(folder, "none", "shop.seed")))).toBe("node/bad-option");
    // Root may write there all the same.
    if (process.getuid?.() !== 0) {
      chmodSync(folder, 0o500);
      expect(codeOf(register)).toBe("node/bad-option");
      chmodSync(folder, 0o700);
    }
    expect(files.all()).toEqual([]);
  });

  it("is in its file before the gateway has the key: what ends in between leaves a seed without a shop", () => {
    rmSync(join(folder, "keys"), { recursive: true });
    expect(codeOf(register)).toBe("gateway/storage");
    expect(readFileSync(path, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  });

  it("zeroes the seed that it was made of", () => {
    const seeds: Uint8Array[] = [];
    const watched: CoreGlue = {
      ...core,
      generateSeed: () => {
        const seed = core.generateSeed();
        seeds.push(seed);
        return seed;
      },
    };
    registerNewWallet({ core: watched, files, network: "simnet" }, path);
    expect(seeds.map((seed) => seed.every((byte) => byte === 0))).toEqual([true]);
  });
});
