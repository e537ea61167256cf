import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { folderOfTest } from "../testkit/folderOfTest.ts";
import { DerivedFiles } from "./derivedFiles.ts";

let folder: string;

beforeEach(() => {
  folder = folderOfTest();
});

test("what was written is read again, by its tag alone", () => {
  const below = join(folder, "derived");
  const files = new DerivedFiles(below, "prover", "one");
  files.write(new Uint8Array());
  expect(files.read()).toBeNull();
  files.write(Uint8Array.of(1, 2));
  expect(files.read()).toEqual(Uint8Array.of(1, 2));
  expect(new DerivedFiles(below, "prover", "two").read()).toBeNull();
});

test("what set-up left is read where nothing was written, and stays as it is", () => {
  const setUp = join(folder, "setUp");
  new DerivedFiles(setUp, "verifier", "one").write(Uint8Array.of(1));
  const own = join(folder, "own");
  const files = new DerivedFiles(own, "verifier", "one", setUp);
  expect(files.read()).toEqual(Uint8Array.of(1));
  expect(new DerivedFiles(null, "verifier", "one", setUp).read()).toEqual(Uint8Array.of(1));
  expect(new DerivedFiles(own, "verifier", "two", setUp).read()).toBeNull();
  files.write(Uint8Array.of(2));
  expect(files.read()).toEqual(Uint8Array.of(2));
  expect(new DerivedFiles(setUp, "verifier", "one").read()).toEqual(Uint8Array.of(1));
});

test("a new tag replaces the old one and leaves other kinds alone", () => {
  new DerivedFiles(folder, "prover", "one").write(Uint8Array.of(1));
  new DerivedFiles(folder, "verifier", "one").write(Uint8Array.of(1));
  new DerivedFiles(folder, "prover", "two").write(Uint8Array.of(2));
  expect(readdirSync(folder).toSorted()).toEqual(["prover-two", "verifier-one"]);
});

test("without a folder, or with one that cannot be written, nothing is stored and nothing fails", () => {
  const none = new DerivedFiles(null, "prover", "one");
  none.write(Uint8Array.of(1));
  expect(none.read()).toBeNull();
  const file = join(folder, "file");
  writeFileSync(file, "");
  const blocked = new DerivedFiles(join(file, "below"), "prover", "one");
  blocked.write(Uint8Array.of(1));
  expect(blocked.read()).toBeNull();
});
