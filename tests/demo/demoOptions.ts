/** The demo's command line. */
import { randomBytes } from "node:crypto";
import { SvcError } from "@svc/shared/base/svcError.ts";

/** What the demo pays, as a person types it, and how it reports. */
export type DemoOptions = {
  /** Coins in plain decimal. */
  readonly amount: string;
  readonly memo: string;
  /** One JSON line on standard output instead of text. */
  readonly json: boolean;
  readonly help: boolean;
};

/** What `--help` prints. */
export const DEMO_HELP = `npm run -s demo -- [--amount COINS] [--memo TEXT] [--json]

Starts a network of its own, mines, pays from one wallet to another with a real proof,
and lets the second wallet read amount and memo back from the chain.

  --amount COINS   what is paid; default 12.345
  --memo TEXT      goes with it, at most 512 bytes; default: a random text
  --json           print the result as one line of JSON`;

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
    if (name !== "--amount" && name !== "--memo") throw bad(name, "there is no such option");
    const value = inline ?? rest.shift();
    if (value === undefined) throw bad(name, "needs a value");
    if (values.has(name)) throw bad(name, "was given twice");
    values.set(name, value);
  }
  return {
    amount: values.get("--amount") ?? "12.345",
    memo: values.get("--memo") ?? `demo ${randomBytes(8).toString("hex")}`,
    json: flags.has("--json"),
    help: flags.has("--help"),
  };
}

function split(arg: string): [string, string | undefined] {
  const equals = arg.startsWith("--") ? arg.indexOf("=") : -1;
  return equals < 0 ? [arg, undefined] : [arg.slice(0, equals), arg.slice(equals + 1)];
}

function bad(option: string, reason: string): SvcError {
  return new SvcError("node/bad-option", { option: option.slice(0, 40), reason });
}
