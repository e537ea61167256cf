/** Build of an earlier commit that a comparison of two commits left behind (`refTree`). */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Where such builds lie, below the root of the project: each in a folder named by its commit. */
export const TREES = ".cache/bench/trees";

/**
 * The commit of a finished build below a root that `isEarlier` takes for one before the present commit; undefined where there is
 * none.
 */
export async function earlierBuild(
  root: string,
  isEarlier: (commit: string) => Promise<boolean>,
): Promise<string | undefined> {
  const trees = join(root, TREES);
  if (!existsSync(trees)) return undefined;
  for (const commit of readdirSync(trees)) {
    const isBuilt = existsSync(join(trees, commit, "wasm-core", "pkg", ".setup"));
    if (isBuilt && (await isEarlier(commit))) return commit;
  }
  return undefined;
}
