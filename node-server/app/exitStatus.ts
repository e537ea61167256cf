/** The status with which the program ends on an error, for whoever starts it again or not. */
import type { SvcError } from "@svc/shared/base/svcError.ts";

/** A database is damaged: starting again does not help, somebody must put it right. */
export const DAMAGED_STATUS = 65;

const DAMAGED: ReadonlySet<SvcError["code"]> = new Set([
  "store/corrupt",
  "store/damaged",
  "store/missing",
  "verify/unreadable",
]);

/** 65 for a damaged database, else 1. */
export function exitStatus({ code }: SvcError): number {
  return DAMAGED.has(code) ? DAMAGED_STATUS : 1;
}
