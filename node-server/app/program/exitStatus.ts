/** Exit statuses of the program, as docs/programs/svc.md lists them. */
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { isOutOfRoom } from "../../storage/diskSpace.ts";

/** Exit statuses of `svc`. */
export const EXIT_STATUS = {
  /** A clean stop, a check without a difference. */
  fine: 0,
  /** An error, with its sentence on standard error. */
  failed: 1,
  /** No such command. */
  unknownCommand: 2,
  /** A database is damaged or cannot be read: starting again does not help, somebody must put it right. */
  damaged: 65,
  /** A fault that nothing caught. */
  fault: 70,
  /** The disk or the database is full: starting again helps when there is room. */
  outOfRoom: 74,
  /** Ctrl-C, as the shell counts it. */
  interrupted: 130,
} as const;

const DAMAGED: ReadonlySet<SvcError["code"]> = new Set([
  "store/corrupt",
  "store/damaged",
  "store/missing",
  "store/unreadable",
  "verify/unreadable",
]);

/** The exit status of a command that an error ended. */
export function exitStatusOf(error: SvcError): number {
  if (isOutOfRoom(error)) return EXIT_STATUS.outOfRoom;
  return DAMAGED.has(error.code) ? EXIT_STATUS.damaged : EXIT_STATUS.failed;
}
