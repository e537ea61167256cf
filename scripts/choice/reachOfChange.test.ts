import { describe, expect, it } from "vitest";
import { reachOfChange } from "./reachOfChange.ts";

const sources = [
  { path: "tests/e2e/wallet/wallet.test.ts", text: 'import { a } from "../testkit/page.ts";' },
  { path: "tests/e2e/wallet/a.test.ts", text: 'import { b } from "../testkit/opened.ts";' },
  { path: "tests/e2e/testkit/opened.ts", text: 'import { a } from "./page.ts";' },
  { path: "tests/e2e/testkit/page.ts", text: "" },
  { path: "web/keyring/vault.ts", text: 'import { sealed } from "sealing";' },
];

function reach(...paths: string[]) {
  return reachOfChange({ paths, locks: [] }, sources);
}

const lockText = (version: string): string =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: { web: { dependencies: { sealing: version } }, "node_modules/sealing": { version } },
  });

describe("reachOfChange", () => {
  it("tells changed test files and those of changed helpers apart", () => {
    const wallet = "tests/e2e/wallet/wallet.test.ts";
    expect(reach("tests/e2e/testkit/page.ts", "tests/e2e/node/network.test.ts", wallet)).toEqual({
      changed: ["tests/e2e/node/network.test.ts", wallet],
      helped: ["tests/e2e/wallet/a.test.ts"],
      rooms: [],
      everything: false,
    });
  });

  it("puts the rooms with the most changed files first", () => {
    const paths = ["shared/base/hex.ts", "web/pos/till.ts", "shared/chain/block.ts"];
    expect(reach(...paths, "web/pos/signIn.ts").rooms).toEqual([
      "web/pos",
      "shared/base",
      "shared/chain",
    ]);
  });

  it("lets the row of a folder speak for data, beside those that import it", () => {
    const nobody = { changed: [], helped: [], rooms: ["tests/vectors"], everything: false };
    expect(reach("tests/vectors/fee.json")).toEqual(nobody);
    const user = "tests/integration/rest/rest.test.ts";
    const text = 'const fees = new URL("../../vectors/fee.json", import.meta.url);';
    const change = { paths: ["tests/vectors/fee.json"], locks: [] };
    expect(reachOfChange(change, [...sources, { path: user, text }])).toEqual({
      ...nobody,
      helped: [user],
    });
    expect(reach("tests/e2e/testkit/unused.ts")).toEqual({
      changed: [],
      helped: [],
      rooms: [],
      everything: false,
    });
  });

  it("tells the set-up, beside what else changed", () => {
    expect(reach("scripts/setup.sh", "web/pos/till.ts")).toEqual({
      changed: [],
      helped: [],
      rooms: ["web/pos"],
      everything: true,
    });
    expect(reach("docs/operators.md", "shared/base/hex.test.ts").everything).toBe(false);
  });

  it("compares lockfiles where both texts are there, and takes everything where not", () => {
    const lock = {
      path: "package-lock.json",
      before: lockText("1"),
      after: lockText("2"),
    } as const;
    const paths = ["package-lock.json", "web/package.json"];
    expect(reachOfChange({ paths, locks: [lock] }, sources)).toEqual({
      changed: [],
      helped: [],
      rooms: ["web", "web/keyring"],
      everything: false,
    });
    expect(reach("package-lock.json").everything).toBe(true);
    const broken = { ...lock, after: "{}" };
    expect(reachOfChange({ paths, locks: [broken] }, sources).everything).toBe(true);
  });
});
