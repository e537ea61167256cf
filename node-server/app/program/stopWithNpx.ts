/**
 * The end of `npx svc`: npx runs a command in a shell, and hands a signal to that shell alone. Where the shell ends by it and does
 * not pass it on, the program would go on without a parent; it stops as by the signal instead.
 */
import { APP_LIMITS } from "../appLimits.ts";

/** Dependencies of the watch. */
export type NpxParts = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The number of the parent process, as it is now. */
  readonly parent: () => number;
  /** The command line of process 1, its arguments ended by NUL; empty where the system does not tell. */
  readonly firstCommand: () => string;
  /** Calls `look` every so many milliseconds, until the answer is called; holds no process open. */
  readonly every: (ms: number, look: () => void) => () => void;
  /** Begins a clean stop; heard once. */
  readonly stop: () => void;
};

/** A process whose parent has ended gets this one as its parent. */
const FIRST_PROCESS = 1;
/** npm gives its process a title; before it does, the process is Node with the script of npm or npx. */
const NPX_COMMAND = /^(?:np[mx]\b|[^\0]*\bnode(?:js)?\0.*\bnp[mx]\b)/s;

/** Stops the program when the shell of npx that waits for it has ended. Does nothing for one that npx did not start. */
export function stopWithNpx({ environment, parent, firstCommand, every, stop }: NpxParts): void {
  // A program that npx runs may start this one in the background and end: that one is another script.
  const isOurs = /(?:^|[\s/'"])svc(?:$|[\s'"])/.test(environment["npm_lifecycle_script"] ?? "");
  if (environment["npm_lifecycle_event"] !== "npx" || !isOurs) return;
  const shell = parent();
  // The shell ended while this program was loaded. In a container npx may itself be process 1, with a shell that gave way to this program.
  if (shell === FIRST_PROCESS && !NPX_COMMAND.test(firstCommand())) return stop();
  const end = every(APP_LIMITS.parentLookMs, () => {
    if (parent() === shell) return;
    end();
    stop();
  });
}
