/** The second verifier of evidence shares no code with the first: it imports its own folder and public hashes alone. */
import { posix } from "node:path";
import { expect, test } from "vitest";
import { readSourceTree } from "./sourceTree.ts";
import { readTypescript } from "./typescriptFile.ts";

const FOLDER = "tests/second-opinion";
const HASHES = /^@noble\/hashes\//;

test("the second opinion on evidence imports nothing of the project", () => {
  const files = readSourceTree().filter(({ path }) => path.startsWith(`${FOLDER}/`));
  expect(files.length).toBeGreaterThan(5);
  const foreign = files.flatMap((file) =>
    readTypescript(file)
      .imports.map(({ specifier }) => specifier)
      .filter((specifier) => {
        const isOwn = posix.join(posix.dirname(file.path), specifier).startsWith(`${FOLDER}/`);
        return !(specifier.startsWith(".") && isOwn) && !HASHES.test(specifier);
      })
      .map((specifier) => `${file.path} imports ${specifier}`),
  );
  expect(foreign).toEqual([]);
});
