/** One instance of a WebAssembly build in each thread. */

/** A function that opens on its first call and gives the same from then on. A call whose opening fails rejects, and the next opens anew. */
export function openOnce<Build>(open: () => Promise<Build>): () => Promise<Build> {
  let opened: Promise<Build> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}
