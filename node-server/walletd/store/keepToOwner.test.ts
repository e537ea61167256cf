/** Rights of the database's files, where they can be changed and where they cannot. */
import { chmodSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { keepToOwner } from "./keepToOwner.ts";

const FILE = "data.mdb";

/** A database whose file has these rights. */
function databaseWith(mode: string): string {
  const folder = folderOfTest();
  writeFileSync(join(folder, FILE), "");
  chmodSync(join(folder, FILE), Number.parseInt(mode, 8));
  return folder;
}

/** Files of somebody else, and a disk without rights of its own. */
const refuse = (): never => {
  throw Object.assign(new Error("EPERM: operation not permitted, chmod"), { code: "EPERM" });
};

it("files that others may read are made the owner's alone", () => {
  const folder = databaseWith("644");
  keepToOwner(folder);
  expect(statSync(join(folder, FILE)).mode & 0o777).toBe(0o600);
});

it.each(["600", "400", "700"])("files with mode %s need no change", (mode) => {
  expect(() => keepToOwner(databaseWith(mode), refuse)).not.toThrow();
});

it.each(["644", "660", "606"])(
  "a file with mode %s that cannot be changed is named with what helps",
  (mode) => {
    const folder = databaseWith(mode);
    let error: unknown;
    try {
      keepToOwner(folder, refuse);
    } catch (thrown) {
      error = thrown;
    }
    if (!SvcError.is(error, "node/bad-folder")) throw error;
    expect(error.data.path).toBe(join(folder, FILE));
    expect(error.data.reason).toContain(`mode ${mode}`);
    expect(error.data.reason).toContain("EPERM");
    expect(error.data.reason).toContain("mode 600");
  },
);
