/** Dependency graph of a lockfile, in the form in which two of them are compared. */

/** A package of a lockfile in one version. */
export type LockedPackage = {
  readonly name: string;
  /** Its entry in the lockfile. */
  readonly text: string;
  /** Keys of the packages that it needs. */
  readonly needs: ReadonlySet<string>;
};

/** The packages of a lockfile by a key of each, and the keys at which a walk up the graph arrives. */
export type LockGraph = {
  readonly packages: ReadonlyMap<string, LockedPackage>;
  /** Packages that a manifest of ours names, or crates of ours. */
  readonly ours: ReadonlySet<string>;
};

/** Keys of the packages that only one of two lockfiles has, or that have another content there. */
export function changedPackages(before: LockGraph, after: LockGraph): ReadonlySet<string> {
  const keys = new Set([...before.packages.keys(), ...after.packages.keys()]);
  return new Set(
    Array.from(keys).filter(
      (key) => before.packages.get(key)?.text !== after.packages.get(key)?.text,
    ),
  );
}

/** Names of our packages among one and all that need it. A walk that stops goes no further up than a package of ours. */
export function oursNeeding(key: string, graph: LockGraph, stops: boolean): ReadonlySet<string> {
  const found = new Set(graph.packages.has(key) ? [key] : []);
  for (const one of found) {
    if (stops && graph.ours.has(one)) continue;
    for (const [needer, { needs }] of graph.packages) if (needs.has(one)) found.add(needer);
  }
  const ours = Array.from(found).filter((one) => graph.ours.has(one));
  return new Set(ours.map((one) => graph.packages.get(one)?.name ?? one));
}
