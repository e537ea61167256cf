/** The fingerprint that tells whether kept chains and payments are those of the core as it is now. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { coreFingerprint } from "./coreFingerprint.ts";

test("changes with the engine and with the prover, and with nothing else", () => {
  const path = folderOfTest();
  const packages = pathToFileURL(`${path}/`);
  const build = (name: string, text: string): void => {
    mkdirSync(join(path, name), { recursive: true });
    writeFileSync(join(path, name, `${name}_bg.wasm`), text);
  };
  build("core", "an engine");
  build("prover", "a prover");
  const before = coreFingerprint(packages);
  expect(before).toMatch(/^[0-9a-f]{16}$/);
  expect(coreFingerprint(packages)).toBe(before);
  build("core", "another engine");
  const other = coreFingerprint(packages);
  expect(other).not.toBe(before);
  build("core", "an engine");
  build("prover", "another prover");
  expect([before, other]).not.toContain(coreFingerprint(packages));
});
