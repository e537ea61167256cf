/** Bounded concurrency: works on many items, a limited number of them at a time. */

/**
 * Works on every item, `atOnce` of them at a time, in their order. Rejects with the first error; then nothing further is
 * begun, and what is under way goes on unseen.
 */
export async function forEachConcurrent<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const item of rest) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}
