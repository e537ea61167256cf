/** Random sampling without replacement. */

/**
 * Draws up to so many items of a list, each as likely as any other and in any order; the list stays as it is, and the time does
 * not grow with it. `random` is at least 0 and below 1.
 */
export function drawSample<T>(list: readonly T[], count: number, random: () => number): T[] {
  /** What lies at places from which something was taken. */
  const moved = new Map<number, T>();
  const taken: T[] = [];
  for (let left = list.length; left > 0 && taken.length < count; left -= 1) {
    const at = Math.floor(random() * left);
    const item = moved.get(at) ?? list[at];
    const last = moved.get(left - 1) ?? list[left - 1];
    if (item === undefined || last === undefined) break;
    moved.set(at, last);
    taken.push(item);
  }
  return taken;
}
