/** Reader of `Cargo.lock`, as far as a choice of tests needs it. */
import type { LockedPackage, LockGraph } from "./lockGraph.ts";

const HEAD = "[[package]]\n";
const FORMAT = /^version = 4$/m;
const FIELD = /^(name|version|source) = "([^"]+)"$/gm;
const NEEDED = /^ "([^" ]+)(?: ([^" ]+))?[^"]*",$/gm;

/** The graph of a lockfile; a key is a name with a version. Crates without a source are ours. Throws when its form is another one. */
export function readCargoLock(text: string): LockGraph {
  const [top = "", ...blocks] = text.split(HEAD);
  if (!FORMAT.test(top) || blocks.length === 0) throw new Error("no Cargo.lock of format 4");
  const crates = blocks.map(readCrate);
  const keys = Map.groupBy(crates, ({ name }) => name);
  const packages = new Map<string, LockedPackage>();
  for (const { key, name, text: said, needed } of crates) {
    const needs = needed.flatMap(([other, version]) =>
      version === undefined ? (keys.get(other) ?? []).map((one) => one.key) : `${other} ${version}`,
    );
    packages.set(key, { name, text: said, needs: new Set(needs) });
  }
  const ours = crates.filter(({ isOurs }) => isOurs);
  return { packages, ours: new Set(ours.map(({ key }) => key)) };
}

function readCrate(block: string) {
  const fields = new Map(
    Array.from(block.matchAll(FIELD), ([, key = "", value = ""]) => [key, value]),
  );
  const [name, version] = [fields.get("name"), fields.get("version")];
  if (name === undefined || version === undefined) {
    throw new Error("a package of Cargo.lock has no name or version");
  }
  return {
    key: `${name} ${version}`,
    name,
    text: block.trim(),
    isOurs: !fields.has("source"),
    needed: Array.from(block.matchAll(NEEDED), ([, other = "", of]) => [other, of] as const),
  };
}
