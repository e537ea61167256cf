/** Command-line options of `svc receipt`: one table for parsing, `--help` and environment variables. */
import { workOfBits } from "@svc/shared/light/workBlocks.ts";
import { NETWORK_ROWS } from "../options/networkRows.ts";
import { optionLines } from "../options/optionLines.ts";
import {
  badOption,
  readOptions,
  type Environment,
  type OptionRow,
} from "../options/readOptions.ts";
import type { NetworkChoice } from "../program/network.ts";

type Row = OptionRow & { readonly fallback: string; readonly text: string };

const NODE: Row = {
  name: "node",
  value: "URL",
  fallback: "",
  text: "A node's HTTP address.",
};
const CHALLENGE: Row = { name: "challenge", value: "TEXT", fallback: "none", text: "" };
const ENDING: readonly Row[] = [
  ...NETWORK_ROWS,
  { name: "json", fallback: "", text: "Prints one line of JSON." },
  { name: "help", short: "h", fallback: "", text: "Prints this text." },
];

const CHECK_ROWS: readonly Row[] = [
  {
    ...NODE,
    fallback: "none is asked",
    text: "A node that shows its chain, which is checked too: whoever makes the receipt up has to do the work that it shows.",
  },
  {
    ...CHALLENGE,
    fallback: "not asked for",
    text: "The text that you gave to whom shows the receipt; one for another text is refused.",
  },
  {
    name: "bits",
    value: "HEX",
    fallback: "that of this release's checkpoint",
    text: "Difficulty of a block as you know it from a header of today. The work is then told as time of the whole network too, and a node cannot show blocks that are much easier. Without one, and without a checkpoint of the network, the work is told in hashes alone.",
  },
  ...ENDING,
];

const MAKE_ROWS: readonly Row[] = [
  {
    name: "note",
    value: "FILE",
    fallback: "must be given",
    text: "What payer and payee know of the payment, JSON; `-` reads standard input.",
  },
  {
    ...NODE,
    fallback: "must be given",
    text: "A node that gives the evidence. What it gives is checked, and it learns which block is asked about.",
  },
  {
    name: "out",
    value: "FILE",
    fallback: "printed as text",
    text: "Where the receipt is written, which must not be there yet.",
  },
  {
    ...CHALLENGE,
    text: "A text of the asker that goes into the receipt, without a proof of who wrote it.",
  },
  ...ENDING,
];

/** An option as its page shows it, with the actions that take it. */
export type ReceiptOption = Row & { readonly actions: readonly ("make" | "check")[] };

/** All options but `--help`, in the order of the help text; one with the same words for both actions stands there once. */
export const RECEIPT_OPTIONS: readonly ReceiptOption[] = [
  ...MAKE_ROWS.filter((row) => !ENDING.includes(row)).map((row) => optionOf(row, "make")),
  ...CHECK_ROWS.filter((row) => !ENDING.includes(row)).map((row) => optionOf(row, "check")),
  ...ENDING.filter(({ name }) => name !== "help").map((row) => optionOf(row, "make", "check")),
];

/** Options of `svc receipt check`. */
export type CheckFlags = {
  readonly action: "check";
  /** A path, or the text of a receipt. */
  readonly receipt: string;
  readonly node: string | null;
  readonly challenge: string | null;
  readonly bits: number | null;
  readonly network: NetworkChoice;
  readonly json: boolean;
};

/** Options of `svc receipt make`. */
export type MakeFlags = {
  readonly action: "make";
  /** A path, or `-`. */
  readonly note: string;
  readonly node: string;
  readonly out: string | null;
  readonly challenge: string | null;
  readonly network: NetworkChoice;
  readonly json: boolean;
};

const NETWORKS = { testnet: "testnet-10", devnet: "devnet", simnet: "simnet" } as const;
const BITS = /^(?:0x)?[0-9a-f]{8}$/;

/** Parses what follows `svc receipt`; null when help is asked for. Throws `node/bad-option`. */
export function parseReceiptFlags(
  args: readonly string[],
  environment: Environment,
): CheckFlags | MakeFlags | null {
  const [action = "", ...rest] = args;
  if (action === "make") return parseMake(rest, environment);
  if (action === "check") return parseCheck(rest, environment);
  if (["", "--help", "-h", "help"].includes(action)) return null;
  throw badOption(action, "write make or check");
}

/** Renders what `svc receipt --help` prints. */
export function receiptHelpText(): string {
  return [
    "svc receipt: shows who was paid how much by which block\n",
    "svc receipt check FILE|ur:… [OPTION…]: checks a receipt, without a node if you like\n",
    optionLines(CHECK_ROWS),
    "\nExit status: 0 when the receipt holds, else 1.\n",
    "svc receipt make --note=FILE --node=URL [OPTION…]: makes one\n",
    optionLines(MAKE_ROWS),
    "",
  ].join("\n");
}

function optionOf(row: Row, ...actions: ReceiptOption["actions"]): ReceiptOption {
  return { ...row, actions };
}

function parseCheck(args: readonly string[], environment: Environment): CheckFlags | null {
  const [first = "-h", ...rest] = args;
  const isHelp = first === "-h" || first === "--help";
  const { on, text } = readOptions(CHECK_ROWS, isHelp ? [first] : rest, environment);
  if (on("help")) return null;
  if (first.startsWith("-")) throw badOption("check", "the receipt comes first: a file, or ur:…");
  return {
    action: "check",
    receipt: first,
    node: text("node"),
    challenge: text("challenge"),
    bits: bitsOf(text("bits")),
    network: networkOf(on, text("profile")),
    json: on("json"),
  };
}

function parseMake(args: readonly string[], environment: Environment): MakeFlags | null {
  const { on, text } = readOptions(MAKE_ROWS, args, environment);
  if (on("help")) return null;
  const [note, node] = [text("note"), text("node")];
  if (note === null) throw badOption("note", "it must be given");
  if (node === null) throw badOption("node", "it must be given");
  return {
    action: "make",
    note,
    node,
    out: text("out"),
    challenge: text("challenge"),
    network: networkOf(on, text("profile")),
    json: on("json"),
  };
}

function bitsOf(text: string | null): number | null {
  if (text === null) return null;
  if (!BITS.test(text)) throw badOption("bits", "write 8 hexadecimal digits in small letters");
  const bits = Number.parseInt(text.slice(-8), 16);
  if (workOfBits(bits) === 0n) throw badOption("bits", "such bits ask for no work");
  return bits;
}

function networkOf(on: (name: string) => boolean, file: string | null): NetworkChoice {
  const named = Object.entries(NETWORKS).filter(([name]) => on(name));
  if (named.length + (file === null ? 0 : 1) > 1) {
    throw badOption(named[0]?.[0] ?? "profile", "only one network can be chosen");
  }
  return file === null ? { name: named[0]?.[1] ?? "mainnet" } : { file };
}
