/** What `svc walletd doctor` finds: how bad it is, what it is about, and what to do. */
import { sentenceOf } from "@svc/shared/base/errors.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";

/** `note`: worth knowing. `warning`: somebody should act. `damage`: something is lost or cannot be used. */
export type FindingLevel = "note" | "warning" | "damage";

/** One finding. */
export type Finding = {
  readonly level: FindingLevel;
  /** The folder, a wallet by its label, or the database. */
  readonly about: string;
  readonly text: string;
  /** What to do; null when there is nothing. */
  readonly advice: string | null;
  /** The code of the error that it comes from. */
  readonly code?: string;
};

/** The finding of an error, whose sentence says what to do where there is something. */
export function findingOf(
  level: FindingLevel,
  about: string,
  error: SvcError,
  advice: string | null = null,
): Finding {
  return { level, about, text: sentenceOf(error), advice, code: error.code };
}

const LEVELS: readonly FindingLevel[] = ["note", "warning", "damage"];

/** The level of the worst; null for none. */
export function worstOf(findings: readonly Finding[]): FindingLevel | null {
  return LEVELS.findLast((level) => findings.some((one) => one.level === level)) ?? null;
}

/** A finding as one line for people. */
export function findingLine({ level, about, text, advice, code }: Finding): string {
  const named = code === undefined ? text : `${text} [${code}]`;
  return `${level.padEnd(7)}  ${about}: ${named}${advice === null ? "" : ` ${advice}`}`;
}
