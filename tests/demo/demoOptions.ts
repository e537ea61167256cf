/** Command-line parser of the demo. */
import { randomBytes } from "node:crypto";
import { CORE_LIMITS } from "@svc/shared/core/coreLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { isProverKind, PROVER_KINDS, type ProverKind } from "@svc/shared/core/planProver.ts";

/** What the demo pays, as a person types it, and how it reports. */
export type DemoOptions = {
  /** Coins in plain decimal. */
  readonly amount: string;
  readonly memo: string;
  readonly prover: ProverKind;
  /** Threads that share a proof; null takes what suits the machine. */
  readonly proofThreads: number | null;
  /** One JSON line on standard output instead of text. */
  readonly json: boolean;
  readonly help: boolean;
};

/** What `--help` prints. */
export const DEMO_HELP = `npm run -s demo -- [--amount COINS] [--memo TEXT] [--prover NAME] [--proof-threads N] [--json]

Starts a network of its own, mines, pays from one wallet to another with a real proof,
and lets the second wallet read amount and memo back from the chain.

  --amount COINS     what is paid; default 12.345
  --memo TEXT        goes with it, at most 512 bytes; default: a random text
  --prover NAME      what makes and checks the proof: ${PROVER_KINDS.join(" or ")}; default own
  --proof-threads N  threads that share the proof, 1 to ${CORE_LIMITS.proofThreadsMax}; default: the cores
  --json             print the result as one line of JSON`;

const VALUES = ["--amount", "--memo", "--prover", "--proof-threads"];

/** Reads the arguments; values are checked later, by the wallet. Throws `node/bad-option`. */
export function parseDemoOptions(args: readonly string[]): DemoOptions {
  const values = new Map<string, string>();
  const flags = new Set<string>();
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [name, inline] = split(arg);
    if (name === "--json" || name === "--help") {
      if (inline !== undefined) throw bad(name, "takes no value");
      flags.add(name);
      continue;
    }
    if (!VALUES.includes(name)) throw bad(name, "there is no such option");
    const value = inline ?? rest.shift();
    if (value === undefined) throw bad(name, "needs a value");
    if (values.has(name)) throw bad(name, "was given twice");
    values.set(name, value);
  }
  return {
    amount: values.get("--amount") ?? "12.345",
    memo: values.get("--memo") ?? `demo ${randomBytes(8).toString("hex")}`,
    prover: proverOf(values.get("--prover") ?? "own"),
    proofThreads: threadsOf(values.get("--proof-threads")),
    json: flags.has("--json"),
    help: flags.has("--help"),
  };
}

function proverOf(text: string): ProverKind {
  if (!isProverKind(text)) throw bad("--prover", `write one of ${PROVER_KINDS.join(", ")}`);
  return text;
}

function threadsOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > CORE_LIMITS.proofThreadsMax) {
    throw bad("--proof-threads", `write a number from 1 to ${CORE_LIMITS.proofThreadsMax}`);
  }
  return value;
}

function split(arg: string): [string, string | undefined] {
  const equals = arg.startsWith("--") ? arg.indexOf("=") : -1;
  return equals < 0 ? [arg, undefined] : [arg.slice(0, equals), arg.slice(equals + 1)];
}

function bad(option: string, reason: string): SvcError {
  return new SvcError("node/bad-option", { option: option.slice(0, 40), reason });
}
