/** Output serialiser: shows one after the other what several programs write at the same time. */

/** The output stream of one program, until the program ends. */
export type OutputTurn = {
  readonly write: (chunk: string | Uint8Array) => void;
  readonly end: () => void;
};

/** What one has written and is not shown yet. */
type Waiting = { readonly kept: (string | Uint8Array)[]; ended: boolean };

/**
 * Gives turns, in the order in which they are asked for. The first that has not ended is shown as it writes; what those after
 * it write is kept until their turn comes.
 */
export function orderedOutput(show: (chunk: string | Uint8Array) => void): () => OutputTurn {
  /** From the one that is shown now. */
  const turns: Waiting[] = [];
  const showFirst = (): void => {
    for (const chunk of turns[0]?.kept.splice(0) ?? []) show(chunk);
  };
  return () => {
    const turn: Waiting = { kept: [], ended: false };
    turns.push(turn);
    return {
      write: (chunk) => {
        turn.kept.push(chunk);
        if (turns[0] === turn) showFirst();
      },
      end: () => {
        turn.ended = true;
        while (turns[0]?.ended === true) {
          turns.shift();
          showFirst();
        }
      },
    };
  };
}
