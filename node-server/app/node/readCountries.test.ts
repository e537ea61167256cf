/** The file of `--geo`: read where it is a table, refused as a wrong option where it is none. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { readCountries } from "./readCountries.ts";

it("is read, and none is no table", async () => {
  const file = join(folderOfTest(), "countries.csv");
  await writeFile(file, "8.8.8.0,8.8.8.255,US\n");
  expect(readCountries(file)?.countryOf("8.8.8.8")).toBe("US");
  expect(readCountries(null)).toBeNull();
});

it("is refused where it is not there, or no table", async () => {
  const file = join(folderOfTest(), "countries.csv");
  expect(() => readCountries(file)).toThrow("node/bad-option");
  await writeFile(file, "a wrong file\n");
  expect(() => readCountries(file)).toThrow("node/bad-option");
});
