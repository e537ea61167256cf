/** Versions that agree: the one of the project wherever it is written, which peers, miners and clients are told, and those of tools that belong together. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const root: { version: string; workspaces: string[]; devDependencies: Record<string, string> } =
  JSON.parse(read("package.json"));

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

it.each([
  ["vitest", "@vitest/browser-playwright"],
  ["playwright", "playwright-core"],
])("%s and %s have one version", (one, other) => {
  const { [one]: first, [other]: second } = root.devDependencies;
  expect(first).toMatch(/^\d+\.\d+\.\d+$/);
  expect(second).toBe(first);
});
