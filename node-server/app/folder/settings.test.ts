import { expect, it } from "vitest";
import { META_TABLES } from "../../storage/layout.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { Settings } from "./settings.ts";

function settingsWith(name: string, ...bytes: readonly number[]): Settings {
  const store = new MemoryKv();
  const key = new TextEncoder().encode(name);
  store.commit([{ table: META_TABLES.settings, key, value: Uint8Array.from(bytes) }]);
  return new Settings(store);
}

it("keeps what is set", () => {
  const settings = new Settings(new MemoryKv());
  expect([settings.wasArchival(), settings.minerAddress()]).toEqual([false, null]);
  settings.setArchival(true);
  settings.setMinerAddress("somewhere");
  expect([settings.wasArchival(), settings.minerAddress()]).toEqual([true, "somewhere"]);
});

/** Taken for "not archival" it would have the blocks of an archival node deleted. */
it("takes no damaged setting for one that was never set", () => {
  for (const bytes of [[], [1], [1, 2], [2, 1], [1, 1, 0]]) {
    expect(() => settingsWith("archival", ...bytes).wasArchival()).toThrow("store/corrupt");
  }
  expect(() => settingsWith("minerAddress", 9, 65).minerAddress()).toThrow("store/corrupt");
});
