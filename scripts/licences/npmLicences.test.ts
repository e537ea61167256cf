import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../lib/command.ts";
import { LOCKFILES, lockfileFaults } from "./npmLicences.ts";

const nothing = () => null;

/** A lockfile with one package. */
function lock(entry: Record<string, unknown>, name = "thing"): string {
  const whole = { version: "1.0.0", integrity: "sha512-abc", license: "MIT", ...entry };
  return JSON.stringify({
    packages: {
      "": { license: "MIT" },
      shared: { version: "0.1.0" },
      "node_modules/@svc/shared": { resolved: "shared", link: true },
      [`node_modules/${name}`]: whole,
    },
  });
}

it.each([
  ["MIT", []],
  ["(MIT OR GPL-3.0-only)", []],
  ["(Apache-2.0 AND BSD-3-Clause)", []],
  ["GPL-3.0-only", ["thing: GPL-3.0-only is not among the licences that are taken"]],
  [
    "MIT AND GPL-3.0-only",
    ["thing: MIT AND GPL-3.0-only is not among the licences that are taken"],
  ],
  [
    "(MIT OR (MIT AND X))",
    ["thing: (MIT OR (MIT AND X)) is not among the licences that are taken"],
  ],
  ["MPL-2.0", ["thing: MPL-2.0 is not among the licences that are taken"]],
])("a package under %s", (license, faults) => {
  expect(lockfileFaults(lock({ license }), nothing)).toEqual(faults);
});

it("an exception is for its own package, and only where it is a tool of the build", () => {
  const css = (more: object) => lock({ license: "MPL-2.0", ...more }, "lightningcss-linux-x64-gnu");
  expect(lockfileFaults(css({ dev: true }), nothing)).toEqual([]);
  expect(lockfileFaults(css({}), nothing)).toHaveLength(1);
  expect(lockfileFaults(css({ dev: true, license: "GPL-3.0-only" }), nothing)).toHaveLength(1);
});

it("a package without a licence, without a checksum, from elsewhere or of two minds is refused", () => {
  expect(lockfileFaults(lock({ license: undefined }), nothing)).toEqual(["thing: no licence"]);
  expect(lockfileFaults(lock({ integrity: "sha1-abc" }), nothing)).toEqual(["thing: no checksum"]);
  expect(lockfileFaults(lock({ resolved: "git+ssh://a/b.git" }), nothing)).toEqual([
    "thing: comes from git+ssh://a/b.git",
  ]);
  expect(lockfileFaults(lock({}), () => '{"license":"GPL-3.0-only"}')).toEqual([
    "thing: the lockfile says MIT, the package GPL-3.0-only",
  ]);
});

it("every lockfile of npm is known, and one outside of the workspaces says why", () => {
  const skipped = /(^|\/)(node_modules|target|dist|\.[a-z]+)$/;
  const find = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return skipped.test(path) ? [] : find(path);
      return entry.name === "package-lock.json" ? [folder] : [];
    });
  expect(LOCKFILES.map(({ folder }) => folder).toSorted()).toEqual(find(".").toSorted());
  const whole: { workspaces: string[] } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  );
  for (const { folder, reason } of LOCKFILES.slice(1)) {
    expect(whole.workspaces).not.toContain(folder);
    expect(reason).toContain("a package of its own");
  }
});

it("the GPL is taken in the lockfile of the plugin that is under it, and in no other", () => {
  const shop = lock({ license: "GPL-3.0-or-later", dev: true }, "@vendure/core");
  const [main, plugin] = LOCKFILES;
  expect(lockfileFaults(shop, nothing, plugin?.exceptions)).toEqual([]);
  expect(lockfileFaults(shop, nothing, main?.exceptions)).toHaveLength(1);
  const other = lock({ license: "GPL-3.0-or-later", dev: true }, "another");
  expect(lockfileFaults(other, nothing, plugin?.exceptions)).toHaveLength(1);
});
