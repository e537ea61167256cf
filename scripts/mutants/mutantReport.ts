/** Mutation testing: the report of a run, with the mutation score and the survivors that nobody has explained. */
import { stableName } from "./mutant.ts";
import type { MutantRecord } from "./mutantRecords.ts";

/** Least share of the viable mutants that the tests have to catch. */
export const LEAST_CAUGHT = 0.95;

/** The sum over all drawn mutants. */
export type MutantSum = {
  readonly caught: number;
  /** Of the caught ones, those whose tests did not end in time. */
  readonly hung: number;
  readonly viable: number;
  readonly unviable: number;
  /** Names of those that no test noticed. */
  readonly survivors: readonly string[];
  /** Survivors that have no line with a reason in the document. */
  readonly unexplained: readonly string[];
};

/** Sums up. `document` is the text of docs/testing.md, which names each survivor, without line and column, and its reason. */
export function sumMutants(records: readonly MutantRecord[], document: string): MutantSum {
  const count = (verdict: string) => records.filter((one) => one.verdict === verdict).length;
  const survivors = records.filter(({ verdict }) => verdict === "missed").map((one) => one.mutant);
  const explained = explainedSurvivors(document);
  const hung = count("hung");
  const caught = count("caught") + hung;
  return {
    caught,
    hung,
    viable: caught + survivors.length,
    unviable: count("unviable"),
    survivors,
    unexplained: survivors.filter((name) => !explained.has(stableName(name))),
  };
}

/** Names in the table of survivors whose second column says something. */
export function explainedSurvivors(document: string): ReadonlySet<string> {
  const rows = document.matchAll(/^\| `(crates\/[^`]+\.rs: [^`]+)` \| *(\S[^|]*)\|$/gm);
  return new Set(Array.from(rows, ([, name = ""]) => name.replaceAll("\\|", "|")));
}

/** Whether enough were caught, and every survivor has its reason. */
export function hasPassed(sum: MutantSum): boolean {
  const share = sum.viable === 0 ? 0 : sum.caught / sum.viable;
  return share >= LEAST_CAUGHT && sum.unexplained.length === 0;
}

/** One line: `114 of 118 viable caught (96.6 %), 2 of them by hanging, 2 not viable`. */
export function describeSum({ caught, hung, viable, unviable }: MutantSum): string {
  const share = viable === 0 ? 0 : (100 * caught) / viable;
  return `${caught} of ${viable} viable caught (${share.toFixed(1)} %), ${hung} of them by hanging, ${unviable} not viable`;
}
