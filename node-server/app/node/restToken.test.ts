/** The token file of the public REST interface. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { restToken } from "./restToken.ts";

it("holds a token, with or without a line break at its end", async () => {
  const file = join(folderOfTest(), "token");
  for (const end of ["", "\n", "\r\n"]) {
    await writeFile(file, `0123456789abcdef${end}`);
    expect(restToken(file)?.isIn("Bearer 0123456789abcdef")).toBe(true);
  }
  expect(restToken(null)).toBeNull();
});

it("is refused where it is none, and its text is not told", async () => {
  const file = join(folderOfTest(), "token");
  expect(() => restToken(file)).toThrow("node/bad-option");
  for (const text of ["", "short-token", "0123456789 abcdef", "é".repeat(20), "x".repeat(256)]) {
    await writeFile(file, text);
    let told = "";
    try {
      restToken(file);
    } catch (error) {
      told = JSON.stringify([error, String(error)]);
    }
    expect(told).toContain("node/bad-option");
    if (text !== "") expect(told).not.toContain(text);
  }
});
