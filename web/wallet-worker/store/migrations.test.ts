import { expect, test } from "vitest";
import { DATABASE_VERSION, migrate, MIGRATIONS } from "./migrations.ts";

/** Stands for an upgrade transaction: remembers which stores exist. */
function recorder() {
  const stores = new Set<string>();
  return {
    stores,
    createObjectStore(name: string) {
      if (stores.has(name)) throw new Error(`${name} exists`);
      stores.add(name);
    },
    deleteObjectStore(name: string) {
      if (!stores.delete(name)) throw new Error(`${name} does not exist`);
    },
  };
}

test("a new database gets every store", () => {
  const upgrade = recorder();
  migrate(upgrade, 0);
  expect([...upgrade.stores].toSorted()).toEqual(["leaves", "meta", "records", "rows", "vault"]);
});

test("upgrading step by step gives what a new database has", () => {
  const whole = recorder();
  migrate(whole, 0);
  const stepwise = recorder();
  for (const [version, step] of MIGRATIONS.entries()) {
    step(stepwise);
    expect(version).toBeLessThan(DATABASE_VERSION);
  }
  expect(stepwise.stores).toEqual(whole.stores);
});

test("a current database is left alone", () => {
  const upgrade = recorder();
  migrate(upgrade, DATABASE_VERSION);
  expect(upgrade.stores.size).toBe(0);
});
