/**
 * Schema migrations of the browser's database. Step k brings version k to k + 1 and changes structure only; steps are never
 * edited once released. A newer database is refused by the browser itself.
 */

/** The operations of a step: the part of an upgrade transaction that changes structure. */
export type Upgrade = {
  createObjectStore(name: string): unknown;
  deleteObjectStore(name: string): void;
};

/** All steps, oldest first. */
export const MIGRATIONS: readonly ((upgrade: Upgrade) => void)[] = [
  /** Vault, network and settings in the clear; sealed wallet records; sealed chunks of leaves. */
  (upgrade) => {
    upgrade.createObjectStore("vault");
    upgrade.createObjectStore("meta");
    upgrade.createObjectStore("records");
    upgrade.createObjectStore("leaves");
  },
  /** Sealed records of rows, by numbers. The one record of version 1 is brought into them by the first commit. */
  (upgrade) => {
    upgrade.createObjectStore("rows");
  },
];

/** The version that this program writes. */
export const DATABASE_VERSION = MIGRATIONS.length;

/** Runs the steps that a database of version `from` lacks. 0 means that it is new. */
export function migrate(upgrade: Upgrade, from: number): void {
  for (const step of MIGRATIONS.slice(from)) step(upgrade);
}
