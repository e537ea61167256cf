/**
 * Folders of the databases: atomic replacement of the one in use by one that was made aside, recovery after a kill, and
 * deletion.
 *
 * `consensus` is in use, `staging/consensus` is being made, `consensus.old` was in use, `consensus.gone` is being deleted
 * and may not be whole. `consensus.archive-1` and so on were in use in an archival node, which deletes no blocks: they stay
 * until the operator deletes them. Such a one is `consensus.archive` until it has its number, so whoever starts next knows that
 * it is kept, whatever that start is told. A kill may come between any two steps; `settleFolders` then leaves exactly one whole
 * database in use: the new one when it had reached its place, else the old.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { makeDurableFolder, syncFolder, syncTree } from "./durableFolder.ts";
import { CONSENSUS_LAYOUT, META_LAYOUT } from "./layout.ts";

const STAGING = "staging";
const OLD = `${CONSENSUS_LAYOUT.name}.old`;
const GONE = `${CONSENSUS_LAYOUT.name}.gone`;
const META_GONE = `${META_LAYOUT.name}.gone`;
const ARCHIVE = `${CONSENSUS_LAYOUT.name}.archive`;
const FORCED = { recursive: true, force: true };

const storeOf = (folder: string): string => join(folder, CONSENSUS_LAYOUT.name);

/** The folder below which a database is made aside, as one is used below `root`. */
export function stagingFolder(root: string): string {
  return join(root, STAGING);
}

/** Deletes the staged store, and makes room for another import. */
export function clearStaging(root: string): void {
  rmSync(stagingFolder(root), FORCED);
  makeDurableFolder(stagingFolder(root));
}

/** Whether a replaced database is kept for good. */
export type Keeping = { readonly keepsOld: boolean };

/**
 * The steps that replace the database in use by the one made aside. Both must be closed. What is left of the old one is deleted
 * by `removeLeftovers`, unless it is kept.
 */
export function swapSteps(root: string, { keepsOld }: Keeping): readonly (() => void)[] {
  const made = storeOf(stagingFolder(root));
  return [
    // What is in place after a power cut must be whole: names of files are written before it gets its place.
    () => syncTree(made),
    () => renameSync(storeOf(root), join(root, keepsOld ? ARCHIVE : OLD)),
    () => renameSync(made, storeOf(root)),
    ...(keepsOld ? [() => numberArchive(root, ARCHIVE)] : []),
    () => syncFolder(root),
  ];
}

/** Gives a database that was replaced a name of its own. */
function numberArchive(root: string, name: string): void {
  let number = 1;
  while (existsSync(join(root, `${ARCHIVE}-${number}`))) number += 1;
  renameSync(join(root, name), join(root, `${ARCHIVE}-${number}`));
}

/**
 * Replaces the database in use by the one made aside. When a step is not possible, whichever database is in place stays, and
 * the error is thrown.
 */
export function swapStaged(root: string, keeping: Keeping): void {
  try {
    for (const step of swapSteps(root, keeping)) step();
  } catch (error) {
    settleFolders(root, keeping);
    throw error;
  }
}

/**
 * Recovers after a kill: brings whatever was left to one whole database, the old one or the new one, and deletes the rest. For
 * every start, before the database is opened; does nothing where nothing was left.
 */
export function settleFolders(root: string, { keepsOld }: Keeping): void {
  const old = join(root, OLD);
  for (const name of [OLD, ARCHIVE]) {
    // Nothing was in place yet: the old one goes back, and the new one is lost as with any earlier kill.
    if (existsSync(storeOf(root)) || !existsSync(join(root, name))) continue;
    renameSync(join(root, name), storeOf(root));
    syncFolder(root);
  }
  for (const left of [GONE, META_GONE, STAGING]) rmSync(join(root, left), FORCED);
  if (existsSync(join(root, ARCHIVE))) numberArchive(root, ARCHIVE);
  if (!existsSync(old)) return;
  if (keepsOld) {
    // As builds before this one left it.
    numberArchive(root, OLD);
    return;
  }
  renameSync(old, join(root, GONE));
  rmSync(join(root, GONE), FORCED);
}

/**
 * The steps that delete both databases of a node. They lose their names first: one that is deleted in part must not be taken
 * for one that is damaged.
 */
export function removalSteps(root: string): readonly (() => void)[] {
  const names = [
    [CONSENSUS_LAYOUT.name, GONE],
    [META_LAYOUT.name, META_GONE],
  ] as const;
  const present = names.filter(([name]) => existsSync(join(root, name)));
  return [
    ...present.map(
      ([name, gone]) =>
        () =>
          renameSync(join(root, name), join(root, gone)),
    ),
    () => syncFolder(root),
    ...present.map(
      ([, gone]) =>
        () =>
          rmSync(join(root, gone), FORCED),
    ),
  ];
}

/** Deletes the database that was replaced, and the empty folder of the one that was made aside. */
export async function removeLeftovers(root: string): Promise<void> {
  const gone = join(root, GONE);
  await rm(gone, FORCED);
  if (existsSync(join(root, OLD))) await rename(join(root, OLD), gone);
  await rm(gone, FORCED);
  // Another import may be under way in it: then it is not empty and stays.
  await rmdir(stagingFolder(root)).catch(() => undefined);
}
