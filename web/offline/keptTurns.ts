/**
 * Retention of cached builds. When a build takes over, pages of the one before may be open or loading, and their server may have that build no
 * longer: its files stay until the build after next is fetched. So there are never more than two, one that waits to take over counted.
 */

/** The stores of an origin by their names, oldest first, as a browser has them. */
export type KeptStores = {
  keys(): Promise<readonly string[]>;
  open(name: string): Promise<unknown>;
  delete(name: string): Promise<boolean>;
};

const STORES = "svc-pages-";
/** Empty stores, one for each build that took over, in that order: the last one is in use. */
const TURNS = "svc-turn-";

/** The name of a build's store. */
export function storeOf(id: string): string {
  return STORES + id;
}

/** Before a build is fetched: all that took over ahead of the one in use go. A build that waits stays, since the new one may not come whole. */
export async function makeRoom(id: string, stores: KeptStores): Promise<void> {
  const before = idsOf(TURNS, await stores.keys()).slice(0, -1);
  for (const gone of before.filter((one) => one !== id)) await remove(gone, stores);
}

/** When a build takes over: the one that it follows stays, and all others go. */
export async function takeTurn(id: string, stores: KeptStores): Promise<void> {
  const names = await stores.keys();
  const earlier = earlierBuild(id, names);
  const ids = new Set([...idsOf(STORES, names), ...idsOf(TURNS, names)]);
  for (const gone of ids) if (gone !== id && gone !== earlier) await remove(gone, stores);
  if (earlier !== null) await stores.open(TURNS + earlier);
  // Made anew, it is the last one.
  await stores.delete(TURNS + id);
  await stores.open(TURNS + id);
}

/** The build that took over before this one; null where there is none that is known. */
export function earlierBuild(id: string, names: readonly string[]): string | null {
  const others = (prefix: string) => idsOf(prefix, names).filter((one) => one !== id);
  const last = others(TURNS).at(-1);
  if (last !== undefined) return last;
  // Builds of before turns were noted have none: the only one was in use.
  const [only, ...more] = others(STORES);
  return more.length === 0 ? (only ?? null) : null;
}

/** The files first: a note without them does no harm. */
async function remove(id: string, stores: KeptStores): Promise<void> {
  await stores.delete(STORES + id);
  await stores.delete(TURNS + id);
}

function idsOf(prefix: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}
