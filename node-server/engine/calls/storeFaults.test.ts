import { expect, test } from "vitest";
import { infoOf, sentenceOf } from "@svc/shared/base/errors.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { StoreFaults } from "./storeFaults.ts";

const missing = new SvcError("store/missing", { table: "header", key: "ab" });
const file = { file: "/d/consensus/segments/1.seg", folder: "/d/consensus", reason: "EIO" };
const unreadable = new SvcError("store/unreadable", file);
const damaged = new SvcError("store/damaged", file);
const READ_FAILED = new SvcError("store/read-failed", { reason: "too many open files" });

function create(folder: string | null = "/d/consensus") {
  const ended: SvcError[] = [];
  return { ended, faults: new StoreFaults({ folder, onFatal: (error) => ended.push(error) }) };
}

test("what is missing ends the node after so many times, as damage of the file that lacks it", () => {
  const { faults, ended } = create();
  expect(faults.warnings()).toEqual([]);
  for (let time = 1; time < ENGINE_LIMITS.storeFaultsMost; time += 1) {
    expect(faults.note(missing)).toBeNull();
    const [warning] = faults.warnings();
    expect(warning?.data).toEqual({
      times: String(time),
      most: String(ENGINE_LIMITS.storeFaultsMost),
    });
  }
  expect(faults.note(missing)).toMatchObject({
    code: "store/damaged",
    data: {
      file: "/d/consensus/data.mdb",
      folder: "/d/consensus",
      reason: "it lacks ab in table header",
    },
  });
  // Told by whoever noted it.
  expect(ended).toEqual([]);
});

test("what cannot be read keeps its name, and all threads of a store are counted together", () => {
  const { faults, ended } = create();
  for (let time = 1; time < ENGINE_LIMITS.storeFaultsMost; time += 1) {
    if (time % 2 === 0) expect(faults.note(missing)).toBeNull();
    else expect(faults.ends(unreadable)).toBe(false);
  }
  expect(faults.ends(unreadable)).toBe(true);
  expect(ended).toEqual([unreadable]);
  expect(sentenceOf(unreadable)).toMatch(/^\/d\/.*1\.seg cannot be read: EIO\. Look at the disk/);
  expect(infoOf(unreadable).penalty).toBe("none");
});

test("damage ends the node at once where the engine meets it, and is tried again beside it", () => {
  expect(create().faults.note(damaged)).toBe(damaged);
  const { faults, ended } = create();
  for (let time = 1; time < ENGINE_LIMITS.storeFaultsMost; time += 1) {
    expect(faults.ends(damaged)).toBe(false);
  }
  expect(faults.ends(damaged)).toBe(true);
  expect(ended).toEqual([damaged]);
});

test("other faults are not the store's, and another store begins anew", () => {
  const { faults } = create(null);
  for (let time = 0; time <= ENGINE_LIMITS.storeFaultsMost; time += 1) {
    expect(faults.note(READ_FAILED)).toBeNull();
    expect(faults.note(missing)).toBeNull();
    faults.forget();
  }
  expect(faults.warnings()).toEqual([]);
  // In memory there is no file to name.
  expect(faults.named(missing)).toBe(missing);
});
