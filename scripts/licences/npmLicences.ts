/** Licence check of the packages in npm's lockfile: which licences this project takes. */
import * as v from "valibot";

/** Permissive licences: they ask for no more than their text and the names of the authors. */
const ALLOWED: ReadonlySet<string> = new Set([
  ...["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0"],
]);

/** A package that has another licence, or names none, and why it is taken all the same. */
type Exception = {
  readonly name: RegExp;
  readonly licence: string | null;
  readonly reason: string;
};

/** A lockfile, and what may be in it. */
export type Lockfile = {
  /** Its folder from the root. */
  readonly folder: string;
  /** What it is for, and why it is a lockfile of its own. */
  readonly reason: string;
  /** Only tools of the build may be here. */
  readonly exceptions: readonly Exception[];
};

const TOOLS: readonly Exception[] = [
  {
    name: /^lightningcss(-[a-z0-9-]+)?$/,
    licence: "MPL-2.0",
    reason: "Vite's reader of style sheets; it runs in the build, unchanged, and is in no page",
  },
  {
    name: /^axe-core$/,
    licence: "MPL-2.0",
    reason: "tests let it look through pages for faults of accessibility; it is in no page itself",
  },
  {
    name: /^caniuse-lite$/,
    licence: "CC-BY-4.0",
    reason: "a table of browsers that the build reads; nothing of it is in a page",
  },
  {
    name: /^argparse$/,
    licence: "Python-2.0",
    reason: "part of a parser that TypeDoc uses; permissive, it asks for a summary of changes",
  },
  {
    name: /^@img\/sharp-libvips-[a-z0-9-]+$/,
    licence: "LGPL-3.0-or-later",
    reason:
      "a library of images below the local runtime of Workers, loaded for an image binding alone; nothing here has one",
  },
  {
    name: /^@img\/sharp-win32-[a-z0-9]+$/,
    licence: "Apache-2.0 AND LGPL-3.0-or-later",
    reason: "the same library for a system that this project does not run on",
  },
  {
    name: /^@img\/sharp-wasm32$/,
    licence: "Apache-2.0 AND LGPL-3.0-or-later AND MIT",
    reason: "the same library for systems without a build of their own",
  },
  {
    name: /^@speed-highlight\/core$/,
    licence: "CC0-1.0",
    reason: "colours the pages of faults of the local runtime; given to the public domain",
  },
];

/** What a plugin for a shop that has another licence is compiled and tested with. */
const VENDURE: readonly Exception[] = [
  {
    name: /^@vendure\/(core|common)$/,
    licence: "GPL-3.0-or-later",
    reason: "the shop that the plugin is for; the plugin has the same licence",
  },
  {
    name: /^(busboy|streamsearch)$/,
    licence: null,
    reason: "MIT by their LICENSE files; their manifests are older than the field",
  },
];

/** Every lockfile of npm. */
export const LOCKFILES: readonly Lockfile[] = [
  { folder: ".", reason: "the programs, the pages and the tools", exceptions: TOOLS },
  {
    folder: "edge/plugin/vendure",
    reason:
      "Vendure is under the GPL: its plugin is a package of its own with that licence, outside of the workspaces, and no other part imports it",
    exceptions: VENDURE,
  },
];

const lockfile = v.object({
  packages: v.record(
    v.string(),
    v.object({
      link: v.optional(v.boolean()),
      dev: v.optional(v.boolean()),
      devOptional: v.optional(v.boolean()),
      license: v.optional(v.string()),
      integrity: v.optional(v.string()),
      resolved: v.optional(v.string()),
    }),
  ),
});
const manifest = v.object({ license: v.optional(v.string()) });

type Entry = v.InferOutput<typeof lockfile>["packages"][string];

/**
 * What is wrong with a lockfile, a line each: a licence that is not taken, a package without a checksum or from elsewhere
 * than the registry, an installed package that tells of another licence than the lockfile. `installed` gives the text of a
 * package's package.json by its path, or null where it is not installed.
 */
export function lockfileFaults(
  text: string,
  installed: (path: string) => string | null,
  exceptions: readonly Exception[] = TOOLS,
): readonly string[] {
  const { packages } = v.parse(lockfile, JSON.parse(text));
  return Object.entries(packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
    .flatMap(([path, entry]) => entryFaults(path, entry, installed(path), exceptions));
}

function entryFaults(
  path: string,
  entry: Entry,
  own: string | null,
  exceptions: readonly Exception[],
): readonly string[] {
  const faults: string[] = [];
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const { license, integrity, resolved } = entry;
  const isTaken = isException(exceptions, name, entry);
  if (license === undefined && !isTaken) faults.push(`${name}: no licence`);
  if (license !== undefined && !isAllowed(license) && !isTaken) {
    faults.push(`${name}: ${license} is not among the licences that are taken`);
  }
  if (integrity?.startsWith("sha512-") !== true) faults.push(`${name}: no checksum`);
  if (resolved !== undefined && /^(git|file|http:)/.test(resolved)) {
    faults.push(`${name}: comes from ${resolved}`);
  }
  const told = own === null ? license : v.parse(manifest, JSON.parse(own)).license;
  if (told !== license) faults.push(`${name}: the lockfile says ${license}, the package ${told}`);
  return faults;
}

function isException(
  exceptions: readonly Exception[],
  name: string,
  { license, dev, devOptional }: Entry,
): boolean {
  const isTool = dev === true || devOptional === true;
  return (
    isTool && exceptions.some((one) => one.name.test(name) && one.licence === (license ?? null))
  );
}

/** Whether a licence, or an expression of one operator, is taken. Nested expressions are not: they want a person. */
function isAllowed(expression: string): boolean {
  const plain = /^\(([^()]*)\)$/.exec(expression)?.[1] ?? expression;
  const either = plain.split(" OR ");
  if (either.length > 1) return either.some((one) => ALLOWED.has(one));
  return plain.split(" AND ").every((one) => ALLOWED.has(one));
}
