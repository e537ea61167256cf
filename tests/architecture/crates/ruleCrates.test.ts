/**
 * Crates that judge what strangers send: a sum that does not fit stops them in every build, and no index of theirs can miss.
 * `tests/integration/engine/overflowChecks.test.ts` looks at the built core.
 */
import { describe, expect, it } from "vitest";
import { isRust, readSourceTree } from "../sourceTree.ts";

/** Those that hold rules. */
const CHECKED = ["codec", "chain", "dag", "shielded", "consensus"];
/** Those that may not index: the readers of `codec` slice behind a length that they have checked. */
const WITHOUT_INDEXING = ["chain", "dag", "shielded", "consensus"];

const tree = readSourceTree();
const manifest = textOf("wasm-core/Cargo.toml");

function textOf(path: string): string {
  const file = tree.find((candidate) => candidate.path === path);
  if (file === undefined) throw new Error(`${path} is missing`);
  return file.text;
}

/** The settings of a section of the workspace's manifest. */
function sectionOf(name: string): readonly string[] {
  const section = manifest.split(/^\[/m).find((part) => part.startsWith(`${name}]\n`));
  return section?.split("\n").slice(1) ?? [];
}

describe("crates that hold rules", () => {
  it.each(CHECKED)("svc-%s checks its arithmetic in released builds", (name) => {
    expect(sectionOf(`profile.release.package.svc-${name}`)).toContain("overflow-checks = true");
  });

  it("check their arithmetic in tests too, by the default of that profile", () => {
    expect(sectionOf("profile.dev")).toContain("opt-level = 1");
    expect(manifest).not.toMatch(/overflow-checks = false|debug-assertions = false/);
  });

  it.each(WITHOUT_INDEXING)("svc-%s does not index, anywhere", (name) => {
    const folder = `wasm-core/crates/${name}/src/`;
    expect(textOf(`${folder}lib.rs`)).toContain("\n#![deny(clippy::indexing_slicing)]\n");
    const files = tree.filter(({ path }) => path.startsWith(folder) && isRust(path));
    expect(files.length).toBeGreaterThan(5);
    for (const { path, text } of files) {
      expect(text, path).not.toMatch(
        /(allow|warn|expect)\([^)]*(indexing_slicing|clippy::restriction)/,
      );
    }
  });
});
