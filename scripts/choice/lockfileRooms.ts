/** Reach of a changed lockfile: the files that import its changed packages, and the crates that need them. */
import { readCargoLock } from "./cargoLock.ts";
import { changedPackages, oursNeeding, type LockGraph } from "./lockGraph.ts";
import { readNpmLock } from "./npmLock.ts";

/** Both texts of a lockfile that can be compared. */
export type ChangedLock = {
  readonly path: "package-lock.json" | "wasm-core/Cargo.lock";
  readonly before: string;
  readonly after: string;
};

/** Files that count as changed with a lockfile; "everything" where nobody can tell. */
export type LockMeaning = "everything" | readonly string[];

/** They say what types there are, or read the sources: no test of T2 runs them. */
const NEVER_RUN = /^(@types\/.*|@cloudflare\/workers-types|oxfmt|oxlint|oxlint-tsgolint|typedoc)$/;
const CRATE = /^svc-/;

/**
 * Files that count as changed with a lockfile. Of npm these are the importers of each changed package and of the packages of our manifests
 * that need it; of cargo the manifests of our crates that need a changed crate, directly or through other people's. A package to
 * which no file of ours leads is a tool, or is needed in a way that imports do not show: everything.
 */
export function lockfileRooms(
  lock: ChangedLock,
  importers: ReadonlyMap<string, readonly string[]>,
): LockMeaning {
  const isCargo = lock.path === "wasm-core/Cargo.lock";
  const graphs = bothGraphs(lock, isCargo ? readCargoLock : readNpmLock);
  if (graphs === undefined) return "everything";
  const files = new Set<string>();
  for (const key of changedPackages(...graphs)) {
    const ours = new Set(graphs.flatMap((graph) => [...oursNeeding(key, graph, isCargo)]));
    if (ours.size === 0) return "everything";
    for (const name of ours) {
      if (NEVER_RUN.test(name)) continue;
      const found = isCargo ? manifestOf(name) : importers.get(name);
      if (found === undefined) return "everything";
      for (const file of found) files.add(file);
    }
  }
  return Array.from(files).toSorted();
}

function bothGraphs(
  { before, after }: ChangedLock,
  read: (text: string) => LockGraph,
): readonly [LockGraph, LockGraph] | undefined {
  try {
    return [read(before), read(after)];
  } catch {
    // Another form of the file is a new tool that wrote it.
    return undefined;
  }
}

function manifestOf(crate: string): readonly string[] | undefined {
  return CRATE.test(crate)
    ? [`wasm-core/crates/${crate.replace(CRATE, "")}/Cargo.toml`]
    : undefined;
}
