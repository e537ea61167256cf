/** Reader of `package-lock.json`, as far as a choice of tests needs it. */
import * as v from "valibot";
import type { LockedPackage, LockGraph } from "./lockGraph.ts";

const rangesForm = v.optional(v.record(v.string(), v.string()), {});
const entryForm = v.looseObject({
  link: v.optional(v.boolean()),
  dependencies: rangesForm,
  devDependencies: rangesForm,
  optionalDependencies: rangesForm,
  peerDependencies: rangesForm,
});
const lockForm = v.looseObject({
  lockfileVersion: v.literal(3),
  packages: v.record(v.string(), entryForm),
});
const FOLDER = "node_modules/";

type Entry = v.InferOutput<typeof entryForm>;

/** The graph of a lockfile; a key is the folder of a package. Throws when the form of the file is another one. */
export function readNpmLock(text: string): LockGraph {
  const entries = v.parse(lockForm, JSON.parse(text)).packages;
  const packages = new Map<string, LockedPackage>();
  const ours = new Set<string>();
  for (const [folder, entry] of Object.entries(entries)) {
    // A link leads to a part of ours.
    if (entry.link === true) continue;
    const needs = keysOf(folder, entry, entries);
    if (folder.includes(FOLDER)) {
      const name = folder.slice(folder.lastIndexOf(FOLDER) + FOLDER.length);
      packages.set(folder, { name, text: JSON.stringify(entry), needs });
    } else {
      for (const key of needs) if (entries[key]?.link !== true) ours.add(key);
    }
  }
  return { packages, ours };
}

function keysOf(folder: string, entry: Entry, entries: Record<string, Entry>): Set<string> {
  const isPart = !folder.includes(FOLDER);
  const ranges = [
    entry.dependencies,
    entry.optionalDependencies,
    entry.peerDependencies,
    isPart ? entry.devDependencies : {},
  ];
  const names = ranges.flatMap((range) => Object.keys(range));
  // An optional package may have been left out.
  return new Set(names.flatMap((name) => resolveFrom(folder, name, entries) ?? []));
}

/** Where Node finds a package: in the folder that is nearest. */
function resolveFrom(
  folder: string,
  name: string,
  entries: Record<string, Entry>,
): string | undefined {
  for (let at = folder; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    const key = at === "" ? FOLDER + name : `${at}/${FOLDER}${name}`;
    if (entries[key] !== undefined) return key;
    if (at === "") return undefined;
  }
}
