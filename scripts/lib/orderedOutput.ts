/** What several programs write at the same time, shown one after the other. */

/** Where one of them writes, until it ends. */
export type OutputTurn = {
  readonly write: (chunk: string | Uint8Array) => void;
  readonly end: () => void;
};

/**
 * So many turns in their order. The first that has not ended is shown as it writes; what those after it write is kept until
 * their turn comes.
 */
export function orderedOutput(
  count: number,
  show: (chunk: string | Uint8Array) => void,
): readonly OutputTurn[] {
  const kept: (string | Uint8Array)[][] = Array.from({ length: count }, () => []);
  const ended = new Set<number>();
  let turn = 0;
  const showKept = (): void => {
    for (const chunk of kept[turn]?.splice(0) ?? []) show(chunk);
  };
  return kept.map((chunks, index) => ({
    write: (chunk) => {
      if (index === turn) show(chunk);
      else chunks.push(chunk);
    },
    end: () => {
      ended.add(index);
      while (ended.has(turn)) {
        turn += 1;
        showKept();
      }
    },
  }));
}
