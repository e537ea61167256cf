/** The rules of ARCHITECTURE.md and CONTRIBUTING.md, applied to the whole tree. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  fileBudgetViolations,
  folderBudgetViolations,
  functionBudgetViolations,
} from "./budgets.ts";
import { crateViolations } from "./crates/crateRanks.ts";
import { crateRoomViolations } from "./crates/crateRooms.ts";
import { listenerViolations } from "./foreignListeners.ts";
import { identityOf, identityViolations, wordViolations } from "./identity.ts";
import { limitViolations, unreadLimits } from "./limitPlaces.ts";
import { hiddenMemberViolations, nameViolations } from "./nameForms.ts";
import { rankViolations } from "./ranks.ts";
import { FOR_TESTS, ROOMS } from "./rooms.ts";
import { isRust, isTypescript, readSourceTree, ROOT, type SourceFile } from "./sourceTree.ts";
import type { Violation } from "./sourceTree.ts";
import {
  barrelViolations,
  importFormViolations,
  platformViolations,
  purityViolations,
  typeHoleViolations,
  undeclaredViolations,
} from "./typescriptHabits.ts";
import { WALL_CLOCK_READERS, wallClockViolations } from "./wallClock.ts";

const tree = readSourceTree();
const typescript = tree.filter((file) => isTypescript(file.path));
const code = tree.filter((file) => isTypescript(file.path) || isRust(file.path));
const manifests = tree.filter((file) => /^wasm-core\/crates\/[^/]+\/Cargo\.toml$/.test(file.path));

function broken(files: readonly SourceFile[], rule: (file: SourceFile) => Violation[]): string[] {
  // Not `flatMap(rule)`: it would hand a rule the place in the list as its tables.
  return files.flatMap((file) => rule(file)).map(({ path, message }) => `${path}: ${message}`);
}

function declaredIn(manifest: string): string[] {
  const parsed: Record<string, Record<string, string>> = JSON.parse(
    readFileSync(`${ROOT}${manifest}`, "utf8"),
  );
  return ["dependencies", "devDependencies"].flatMap((field) => Object.keys(parsed[field] ?? {}));
}

describe("the whole tree", () => {
  it("is read at all", () => {
    expect(typescript.length).toBeGreaterThan(40);
    expect(manifests.length).toBeGreaterThan(4);
  });

  it("imports downwards only", () => {
    expect(broken(typescript, rankViolations)).toEqual([]);
    expect(broken(manifests, crateViolations)).toEqual([]);
    expect(broken(code, crateRoomViolations)).toEqual([]);
  });

  it("finds what is planted among its files", () => {
    const planted = {
      path: "shared/base/planted.ts",
      text: 'import { WALLET_LIMITS } from "../wallet/walletLimits.ts";',
    };
    expect(broken([...typescript, planted], rankViolations)).toEqual([
      expect.stringMatching(/^shared\/base\/planted\.ts:1: .* upwards from shared\/wallet /),
    ]);
    const module = {
      path: "wasm-core/crates/consensus/src/store/planted.rs",
      text: "use crate::engine::Engine;",
    };
    expect(broken([...code, module], crateRoomViolations)).toEqual([
      expect.stringMatching(/src\/store\/planted\.rs: .* upwards from .*\/src\/engine /),
    ]);
  });

  it("lists no file for tests that they may import without", () => {
    const tables = { rooms: ROOMS, forTests: new Map<string, string>() };
    const refused = broken(typescript, (file) => rankViolations(file, tables));
    const isRefused = (path: string) =>
      refused.some((text) => text.endsWith(path.slice(path.lastIndexOf("/"))));
    expect([...FOR_TESTS.keys()].filter((path) => !isRefused(path))).toEqual([]);
  });

  it("names files, folders and hidden members one way each", () => {
    expect(broken(code, nameViolations)).toEqual([]);
    expect(broken(typescript, hiddenMemberViolations)).toEqual([]);
  });

  it("keeps files and functions short, and folders small", () => {
    expect(folderBudgetViolations(code)).toEqual([]);
    expect(broken(code, fileBudgetViolations)).toEqual([]);
    expect(broken(code, functionBudgetViolations)).toEqual([]);
  });

  it("has no type holes and no barrels, and imports files by their full name", () => {
    expect(broken(typescript, typeHoleViolations)).toEqual([]);
    expect(broken(typescript, barrelViolations)).toEqual([]);
    expect(broken(typescript, importFormViolations)).toEqual([]);
  });

  it("guards every listener that foreign bytes reach", () => {
    expect(broken(typescript, listenerViolations)).toEqual([]);
  });

  it("keeps shared code free of effects, and the edge free of Node", () => {
    expect(broken(typescript, purityViolations)).toEqual([]);
    expect(broken(typescript, platformViolations)).toEqual([]);
  });

  it("reads the machine's clocks in one place, and the time of day where it is listed why", () => {
    expect(broken(typescript, wallClockViolations)).toEqual([]);
    const readers = typescript.filter(({ path, text }) => {
      return WALL_CLOCK_READERS.has(path) && /nowMs\(\)/.test(text);
    });
    expect(readers.map(({ path }) => path).toSorted()).toEqual(
      [...WALL_CLOCK_READERS.keys()].toSorted(),
    );
  });

  it("uses packages where they are declared", () => {
    const root = new Set(declaredIn("package.json"));
    const names = new Map<string, ReadonlySet<string>>();
    // A package of its own shares nothing.
    names.set("edge/plugin/vendure", new Set(declaredIn("edge/plugin/vendure/package.json")));
    for (const workspace of ["shared", "node-server", "web", "edge", "tests", "scripts/typedoc"]) {
      names.set(workspace, new Set([...root, ...declaredIn(`${workspace}/package.json`)]));
    }
    // Tests may look into any part, so they may use what the parts use.
    const parts = [...names].filter(([workspace]) => workspace !== "edge/plugin/vendure");
    names.set("tests", new Set(parts.flatMap(([, set]) => [...set])));
    const declared = (path: string) =>
      [...names].find(([workspace]) => path.startsWith(`${workspace}/`))?.[1] ?? root;
    expect(broken(typescript, (file) => undeclaredViolations(file, declared(file.path)))).toEqual(
      [],
    );
  });

  it("spells no name or number of a network outside the profiles", () => {
    const folder = `${ROOT}wasm-core/profiles/`;
    const profiles = readdirSync(folder).map((name): unknown =>
      JSON.parse(readFileSync(folder + name, "utf8")),
    );
    const identity = identityOf(profiles);
    expect(identity.size).toBeGreaterThan(20);
    expect(broken(code, (file) => identityViolations(file, identity))).toEqual([]);
  });

  it("names bounds in the limits files only, and reads each of them", () => {
    expect(broken(code, limitViolations)).toEqual([]);
    expect(unreadLimits(tree)).toEqual([]);
  });

  it("holds no foreign brand, no unfinished work, no place outside itself", () => {
    expect(broken(tree, (file) => wordViolations(file))).toEqual([]);
  });

  it("has nothing unexpected at its root", () => {
    const allowed = new Set([
      ".cache",
      ".ci",
      ".data",
      ".git",
      ".gitignore",
      ".npmrc",
      ".oxfmtrc.json",
      ".oxlintrc.json",
      "ARCHITECTURE.md",
      "CHANGELOG.md",
      "CODEOWNERS",
      "CONTRIBUTING.md",
      "LICENSE",
      "LIMITS.md",
      "README.md",
      "RELEASE.md",
      "SECURITY.md",
      "docs",
      "edge",
      "node-server",
      "node_modules",
      "package",
      "package-lock.json",
      "package.json",
      "rust-toolchain.toml",
      "scripts",
      "shared",
      "test-results",
      "tests",
      "tsconfig.json",
      "vite.config.ts",
      "vitest.config.ts",
      "wasm-core",
      "web",
      "wrangler.toml",
    ]);
    expect(readdirSync(ROOT).filter((name) => !allowed.has(name))).toEqual([]);
  });
});
