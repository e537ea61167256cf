/** Documentation generator for the table of test suites in `docs/testing.md`. */
import type { Suite } from "../suites.ts";

/** One Markdown row per suite. */
export function suiteRows(suites: readonly Suite[]): string {
  return suites
    .map(({ name, tier, kind, about, seconds }) => {
      const bounds = [seconds.reduced, seconds.full].map((bound) =>
        bound === 0 ? "—" : `${bound / 60} min`,
      );
      return `| ${tier} | \`${name}\` | ${kind} | ${about} | ${bounds.join(" | ")} |`;
    })
    .join("\n");
}
