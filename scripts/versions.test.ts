/** The version of the project, which peers, miners and clients are told: the same wherever it is written. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const root: { version: string; workspaces: string[] } = JSON.parse(read("package.json"));

it.each(root.workspaces)("%s has the version of the whole", (workspace) => {
  expect(JSON.parse(read(`${workspace}/package.json`)).version).toBe(root.version);
});

it("the crates have it too", () => {
  const [, version] = /^\[workspace\.package\]\n(?:.*\n)*?version = "(.*)"$/m.exec(
    read("wasm-core/Cargo.toml"),
  ) ?? ["", ""];
  expect(version).toBe(root.version);
});

it("the changelog tells of it, as released on a day or as the next one", () => {
  const headings = read("CHANGELOG.md").match(/^## .*$/gm) ?? [];
  expect(headings[0]).toMatch(/^## Unreleased \(\d+\.\d+\.\d+\)$/);
  const told = headings.filter((heading) => heading.match(/\d[\d.]*\d/)?.[0] === root.version);
  expect(told).toHaveLength(1);
  for (const heading of headings.slice(1)) {
    expect(heading).toMatch(/^## \d+\.\d+\.\d+, \d{4}-\d{2}-\d{2}$/);
  }
});
