import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import {
  FIRST_INVOICE_INDEX,
  newViewingKey,
  ViewingKeyFiles,
  viewingKeyIdOf,
} from "./viewingKeyFile.ts";

const IVK = new Uint8Array(64).map((_, place) => place);
let folder: string;
let files: ViewingKeyFiles;

beforeEach(() => {
  folder = join(folderOfTest(), "keys");
  files = new ViewingKeyFiles(folder);
});

describe("files of viewing keys", () => {
  it("are for their owner alone, and read as they were written", () => {
    const key = newViewingKey(IVK, "simnet");
    files.put(key);
    expect(files.get(key.id)).toEqual(key);
    expect(files.all()).toEqual([key]);
    expect(readdirSync(folder)).toEqual([`${key.id}.json`]);
    if (process.platform !== "win32") {
      expect(statSync(join(folder, `${key.id}.json`)).mode & 0o777).toBe(0o600);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
  });

  it("begin at a random index of the upper half", () => {
    const starts = Array.from({ length: 50 }, () => newViewingKey(IVK, "simnet").nextIndex);
    expect(new Set(starts).size).toBeGreaterThan(45);
    for (const start of starts) {
      expect(start).toBeGreaterThanOrEqual(FIRST_INVOICE_INDEX);
      expect(start).toBeLessThan(2 ** 32 - 2 ** 24);
    }
  });

  it("reserve indices before they are used, each once, over restarts", () => {
    const key = newViewingKey(IVK, "simnet");
    files.put(key);
    const runs = [files.reserve(key.id, 1_024), files.reserve(key.id, 1_024)];
    const later = new ViewingKeyFiles(folder).reserve(key.id, 1);
    expect([...runs, later]).toEqual([key.nextIndex, key.nextIndex + 1_024, key.nextIndex + 2_048]);
  });

  it("have an end", () => {
    const key = { ...newViewingKey(IVK, "simnet"), nextIndex: 2 ** 32 - 10 };
    files.put(key);
    expect(codeOf(() => files.reserve(key.id, 11))).toBe("gateway/no-address");
    expect(files.reserve(key.id, 10)).toBe(2 ** 32 - 10);
    expect(codeOf(() => files.reserve(key.id, 1))).toBe("gateway/no-address");
    expect(codeOf(() => files.reserve(viewingKeyIdOf(new Uint8Array(64)), 1))).toBe(
      "gateway/no-address",
    );
  });

  it("that are damaged are refused and named", () => {
    const key = newViewingKey(IVK, "simnet");
    files.put(key);
    const path = join(folder, `${key.id}.json`);
    const good = readFileSync(path, "utf8");
    for (const text of [
      "",
      "{",
      good.replace("00", "01"),
      good.replace(`"version":1`, `"version":2`),
    ]) {
      writeFileSync(path, text);
      expect(
        codeOf(() => files.all()),
        text,
      ).toBe("gateway/key-file");
    }
    writeFileSync(path, " ".repeat(5_000) + good);
    expect(codeOf(() => files.all())).toBe("gateway/key-file");
  });

  it("that were not finished are removed, and others are left alone", () => {
    writeFileSync(join(folder, "0a.new"), "x");
    writeFileSync(join(folder, "notes.txt"), "x");
    expect(files.all()).toEqual([]);
    expect(readdirSync(folder)).toEqual(["notes.txt"]);
  });

  it("cannot be where a file is", () => {
    const path = join(folder, "taken");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, "x");
    expect(codeOf(() => new ViewingKeyFiles(join(path, "keys")))).toBe("gateway/storage");
  });
});
