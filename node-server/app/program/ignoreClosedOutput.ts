/** Survives a closed standard output (EPIPE): the program goes on when nobody reads what it prints. */

import { guarded } from "../../platform/net/guarded.ts";

/** A stream of standard output or standard error. */
export type OutputStream = { on(event: "error", listener: () => void): unknown };

/**
 * From now on a stream that was closed by its reader (`svc node | head`, a log service that starts anew, a terminal that is
 * gone) loses what is written to it, where it would end the program.
 */
export function ignoreClosedOutput(...streams: readonly OutputStream[]): void {
  const lose = (): void => undefined;
  for (const stream of streams) stream.on("error", guarded(lose, lose));
}
