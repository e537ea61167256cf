/** Things that are kept until what makes them changes. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { KeptThing } from "./keptThing.ts";

const FOLDER = "made";

function chain(cache: string, maker: string, name = "chain-a"): KeptThing {
  return new KeptThing({ folder: FOLDER, name, maker, ending: ".bin" }, cache);
}

function make(thing: KeptThing, text: string): void {
  writeFileSync(thing.begin(), text);
  expect(thing.isThere).toBe(false);
  thing.keep();
}

test("a file is there when all of it is, and stays for the next one who asks", () => {
  const cache = folderOfTest();
  make(chain(cache, "01"), "blocks");
  const again = chain(cache, "01");
  expect([again.isThere, readFileSync(again.path, "utf8")]).toEqual([true, "blocks"]);
  expect(readdirSync(join(cache, FOLDER))).toEqual(["chain-a-01.bin"]);
});

test("what another maker left goes, and nothing of another name or that is being made", () => {
  const cache = folderOfTest();
  make(chain(cache, "01"), "old");
  make(chain(cache, "01", "chain-ab"), "other");
  make(chain(cache, "01", "chain-a-b"), "other");
  const making = "chain-a-02.bin.4711";
  writeFileSync(join(cache, FOLDER, making), "half");
  make(chain(cache, "03"), "new");
  expect(readdirSync(join(cache, FOLDER)).toSorted()).toEqual([
    making,
    "chain-a-03.bin",
    "chain-a-b-01.bin",
    "chain-ab-01.bin",
  ]);
});

test("a file may be made anew with more in it", () => {
  const thing = chain(folderOfTest(), "01");
  make(thing, "one");
  writeFileSync(thing.begin(), "one and two");
  thing.keep();
  expect(readFileSync(thing.path, "utf8")).toBe("one and two");
});

test("of a folder that two processes made, the first one's stays", () => {
  const cache = folderOfTest();
  const thing = new KeptThing({ folder: FOLDER, name: "store", maker: "01" }, cache);
  const made = (path: string, text: string): void => {
    mkdirSync(path);
    writeFileSync(join(path, "data"), text);
  };
  made(thing.begin(), "mine");
  made(thing.path, "first");
  thing.keep();
  expect(readFileSync(join(thing.path, "data"), "utf8")).toBe("first");
  expect(readdirSync(join(cache, FOLDER))).toEqual(["store-01"]);
});
