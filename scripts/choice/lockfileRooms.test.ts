import { readdirSync, readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { readSourceTree, ROOT } from "../../tests/architecture/sourceTree.ts";
import { lockfileRooms, type LockMeaning } from "./lockfileRooms.ts";
import { packageImporters } from "./packageImporters.ts";

type Entry = Record<string, unknown>;

const NPM: Record<string, Entry> = {
  "": { workspaces: ["web"], devDependencies: { tool: "1", lint: "1", "@types/x": "1" } },
  web: { dependencies: { direct: "1", other: "1" } },
  "node_modules/@svc/web": { resolved: "web", link: true },
  "node_modules/direct": { version: "1", dependencies: { deep: "1" } },
  "node_modules/deep": { version: "1", peerDependencies: { deepest: "1", missing: "1" } },
  "node_modules/deepest": { version: "1" },
  "node_modules/other": { version: "1", optionalDependencies: { nested: "2" } },
  "node_modules/other/node_modules/nested": { version: "2" },
  "node_modules/nested": { version: "1" },
  "node_modules/tool": { version: "1", dependencies: { nested: "1" } },
  "node_modules/@types/x": { version: "1" },
  "node_modules/orphan": { version: "1" },
};
const IMPORTERS = new Map([
  ["direct", ["web/pos/till.ts", "tests/e2e/testkit/browser.ts"]],
  ["other", ["shared/base/hex.ts"]],
]);

function npm(changes: Record<string, Entry | undefined>): LockMeaning {
  const text = (packages: unknown): string => JSON.stringify({ lockfileVersion: 3, packages });
  const after = text({ ...NPM, ...changes });
  return lockfileRooms({ path: "package-lock.json", before: text(NPM), after }, IMPORTERS);
}

const DIRECT = ["tests/e2e/testkit/browser.ts", "web/pos/till.ts"];

describe("package-lock.json", () => {
  it.each([
    ["node_modules/direct", DIRECT],
    ["node_modules/deep", DIRECT],
    ["node_modules/deepest", DIRECT],
    ["node_modules/other", ["shared/base/hex.ts"]],
    ["node_modules/other/node_modules/nested", ["shared/base/hex.ts"]],
    ["node_modules/@types/x", []],
  ])("a change of %s counts for its importers", (key, files) => {
    expect(npm({ [key]: { ...NPM[key], version: "9" } })).toEqual(files);
    expect(npm({ [key]: undefined })).toEqual(files);
  });

  it.each(["node_modules/tool", "node_modules/nested", "node_modules/orphan"])(
    "a change of %s, to which no import leads, counts for everything",
    (key) => {
      expect(npm({ [key]: { ...NPM[key], version: "9" } })).toBe("everything");
    },
  );

  it("sees a package that is new, and counts each importer once", () => {
    const deep = { version: "2", dependencies: { added: "1" } };
    const changes = { "node_modules/deep": deep, "node_modules/added": { version: "1" } };
    expect(npm(changes)).toEqual(DIRECT);
    expect(npm({})).toEqual([]);
  });

  it("takes another form of the file for everything", () => {
    const before = JSON.stringify({ lockfileVersion: 3, packages: NPM });
    for (const after of ["", "[]", JSON.stringify({ lockfileVersion: 4, packages: NPM })]) {
      const lock = { path: "package-lock.json", before, after } as const;
      expect(lockfileRooms(lock, IMPORTERS)).toBe("everything");
    }
  });
});

const CRATE = (name: string, source: boolean, needs: readonly string[], version = "1.0.0") =>
  [
    "[[package]]",
    `name = "${name}"`,
    `version = "${version}"`,
    ...(source ? ['source = "registry+https://example.org/index"', 'checksum = "ab"'] : []),
    ...(needs.length > 0 ? ["dependencies = [", ...needs.map((one) => ` "${one}",`), "]"] : []),
    "",
  ].join("\n");
const CARGO = [
  "# This file is generated.\nversion = 4\n",
  CRATE("curve", true, ["field 1.0.0"]),
  CRATE("field", true, []),
  CRATE("field", true, [], "2.0.0"),
  CRATE("lone", true, []),
  CRATE("svc-codec", false, ["field 2.0.0"]),
  CRATE("svc-dag", false, ["svc-codec"]),
  CRATE("svc-kernels", false, ["curve"]),
].join("\n");
const KERNELS = "wasm-core/crates/kernels/Cargo.toml";
const CODEC = "wasm-core/crates/codec/Cargo.toml";

function cargo(from: string, to: string): LockMeaning {
  const after = CARGO.replace(from, to);
  expect(after).not.toBe(CARGO);
  return lockfileRooms({ path: "wasm-core/Cargo.lock", before: CARGO, after }, new Map());
}

describe("Cargo.lock", () => {
  it("counts for the crates that need a changed one, and for none above these", () => {
    expect(cargo(CRATE("curve", true, ["field 1.0.0"]), CRATE("curve", true, []))).toEqual([
      KERNELS,
    ]);
    const dag = CRATE("svc-dag", false, ["svc-codec"]);
    const needing = CRATE("svc-dag", false, ["curve", "svc-codec"]);
    expect(cargo(dag, needing)).toEqual(["wasm-core/crates/dag/Cargo.toml"]);
  });

  it("knows one version of a crate from another", () => {
    const first = CRATE("field", true, []);
    expect(cargo(first, first.replace('"ab"', '"cd"'))).toEqual([KERNELS]);
    const second = CRATE("field", true, [], "2.0.0");
    expect(cargo(second, second.replace('"ab"', '"cd"'))).toEqual([CODEC]);
  });

  it("counts for everything where no crate of ours leads to what changed, or the form is another", () => {
    const lone = CRATE("lone", true, []);
    expect(cargo(lone, lone.replace('"ab"', '"cd"'))).toBe("everything");
    expect(cargo("version = 4", "version = 5")).toBe("everything");
  });
});

describe("the lockfiles of the tree", () => {
  const importers = packageImporters(readSourceTree());
  const read = (path: string): string => readFileSync(ROOT + path, "utf8");

  /** The meaning of a lockfile in which one package has another checksum. */
  function altered(path: "package-lock.json" | "wasm-core/Cargo.lock", mark: RegExp): LockMeaning {
    const before = read(path);
    const after = before.replace(mark, "$1altered");
    expect(after).not.toBe(before);
    return lockfileRooms({ path, before, after }, importers);
  }

  it("lead to the importers", () => {
    const npmMark = (name: string): RegExp =>
      new RegExp(`("node_modules/${name}": \\{\\s+"version": ")`);
    expect(altered("package-lock.json", npmMark("lmdb"))).toEqual([
      "node-server/storage/lmdbKv.ts",
    ]);
    expect(altered("package-lock.json", npmMark("uplot"))).toEqual(["web/explorer/charts/plot.ts"]);
    expect(altered("package-lock.json", npmMark("vite"))).toContain("vite.config.ts");
    expect(altered("package-lock.json", npmMark("wrangler"))).toBe("everything");
    const keccak = /(name = "keccak"\nversion = "[^"]*"\nsource = "[^"]*"\nchecksum = ")/;
    expect(altered("wasm-core/Cargo.lock", keccak)).toEqual(["wasm-core/crates/pow/Cargo.toml"]);
  });

  it("name each crate as its folder is called", () => {
    const crates = readdirSync(`${ROOT}wasm-core/crates`);
    expect(crates.length).toBeGreaterThan(15);
    for (const crate of crates) {
      expect(read(`wasm-core/crates/${crate}/Cargo.toml`)).toContain(`name = "svc-${crate}"`);
    }
  });

  it("have importers for what the manifests of the product name", () => {
    const form = v.object({ dependencies: v.record(v.string(), v.string()) });
    for (const part of ["shared", "node-server", "web", "edge"]) {
      const { dependencies } = v.parse(form, JSON.parse(read(`${part}/package.json`)));
      const unknown = Object.keys(dependencies).filter((name) => !importers.has(name));
      expect(unknown, part).toEqual([]);
    }
  });
});
