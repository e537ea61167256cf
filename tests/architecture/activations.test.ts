/** The table of activations in the specification has each rule of the profiles, with its heights (specification consensus 1.4). */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as v from "valibot";

const root = new URL("../../", import.meta.url);
const NETWORKS = ["mainnet", "testnet-10", "devnet", "simnet"] as const;
const profile = v.object({ activations: v.record(v.string(), v.nullable(v.number())) });

const activations = NETWORKS.map((name) => {
  const text = readFileSync(new URL(`wasm-core/profiles/${name}.json`, root), "utf8");
  return v.parse(profile, JSON.parse(text)).activations;
});

/** A height as the table writes it. */
function written(height: number | null | undefined): string {
  if (height === undefined) return "missing";
  return height === null ? "never" : String(height).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

test.each(Object.keys(activations[0] ?? {}))("the specification has the heights of %s", (rule) => {
  const spec = readFileSync(new URL("docs/spec/consensus/01-networks.md", root), "utf8");
  const row = spec.split("\n").find((line) => line.startsWith(`| \`${rule}\` |`)) ?? "no row";
  const [, , ...cells] = row.split("|").map((cell) => cell.trim());
  const heights = activations.map((network) => written(network[rule]));
  expect(cells.slice(0, NETWORKS.length), row).toEqual(heights);
});

test("every network has every rule", () => {
  const [first = {}, ...others] = activations.map((network) => Object.keys(network).toSorted());
  for (const rules of others) expect(rules).toEqual(first);
});
