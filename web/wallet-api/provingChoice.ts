/** Prover settings of this browser, read from the page's URL, where tests and curious people set them. */
import { CORE_LIMITS } from "@svc/shared/core/coreLimits.ts";
import { isProverKind, type ProverKind } from "@svc/shared/core/planProver.ts";

/** Which implementation, and how many workers share a proof (null: what suits the machine). */
export type ProvingChoice = { readonly prover: ProverKind; readonly threads: number | null };

/** The choice in `?prover=NAME&proof-threads=N`. What cannot be read is the default. */
export function provingChoice(search: string): ProvingChoice {
  const query = new URLSearchParams(search);
  const prover = query.get("prover") ?? "own";
  const threads = query.get("proof-threads") ?? "";
  const count = /^\d{1,3}$/.test(threads) ? Number(threads) : 0;
  return {
    prover: isProverKind(prover) ? prover : "own",
    threads: count >= 1 && count <= CORE_LIMITS.proofThreadsMax ? count : null,
  };
}

/** How many workers suit a machine with this many cores: one core is left for the page. */
export function provingWorkers(cores: number): number {
  return Math.max(1, Math.min(CORE_LIMITS.proofThreadsDefault, cores - 1));
}
