/** Command-line options of `svc verify-disclosure`: one table for parsing, `--help` and environment variables. */
import {
  asBlockHash,
  asDaaScore,
  U64_MAX,
  type BlockHash,
  type DaaScore,
} from "@svc/shared/base/brand.ts";
import {
  badOption,
  readOptions,
  type Environment,
  type OptionRow,
} from "../options/readOptions.ts";
import { NETWORK_ROWS } from "../options/networkRows.ts";
import { optionLines } from "../options/optionLines.ts";
import type { NetworkChoice } from "../program/network.ts";

type Row = OptionRow & { readonly fallback: string; readonly text: string };

const ROWS: readonly Row[] = [
  {
    name: "proof",
    value: "FILE",
    fallback: "must be given",
    text: "The payment proof, JSON: {txid, index, recipient, value, rseed}.",
  },
  {
    name: "transaction",
    value: "FILE",
    fallback: "looked for in --block",
    text: "The payment itself, as bytes or as hex.",
  },
  {
    name: "daa-score",
    value: "N",
    fallback: "that of the block, else the newest form",
    text: "DAA score of the block that carries the payment, which decides how it is read.",
  },
  {
    name: "rpc-server",
    short: "s",
    value: "HOST:PORT",
    fallback: "none is asked",
    text: "A node that is asked whether the chain has applied the payment. It is believed.",
  },
  {
    name: "block",
    value: "HASH",
    fallback: "must be given with --rpc-server",
    text: "The chain block that applied it, as the payer's history names it.",
  },
  ...NETWORK_ROWS,
  { name: "json", fallback: "", text: "Prints one line of JSON." },
  { name: "help", short: "h", fallback: "", text: "Prints this text." },
];

/** The parsed options. */
export type DisclosureFlags = {
  /** Path of the proof. */
  readonly proof: string;
  /** Path of the payment; null where a node has it. */
  readonly transaction: string | null;
  /** Null where nobody said. */
  readonly daaScore: DaaScore | null;
  readonly node: { readonly address: string; readonly block: BlockHash } | null;
  readonly network: NetworkChoice;
  readonly json: boolean;
};

const NETWORKS = { testnet: "testnet-10", devnet: "devnet", simnet: "simnet" } as const;
const HASH = /^[0-9a-f]{64}$/;
const NUMBER = /^\d{1,20}$/;

/** Parses the options; null when help is asked for. Errors: `node/bad-option`. */
export function parseDisclosureFlags(
  args: readonly string[],
  environment: Environment,
): DisclosureFlags | null {
  const { on, text } = readOptions(ROWS, args, environment);
  if (on("help")) return null;
  const proof = text("proof");
  if (proof === null) throw badOption("proof", "it must be given");
  const node = nodeOf(text("rpc-server"), text("block"));
  const transaction = text("transaction");
  if (transaction === null && node === null) {
    throw badOption("transaction", "it must be given, or --rpc-server and --block");
  }
  const daaScore = scoreOf(text("daa-score"));
  const network = networkOf(on, text("profile"));
  return { proof, transaction, daaScore, node, network, json: on("json") };
}

/** Renders what `svc verify-disclosure --help` prints. */
export function disclosureHelpText(): string {
  const what = "checks whom a payment paid, how much and with which memo, without a key";
  const status =
    "Exit status: 0 when the proof is right and a node that was asked has applied the payment, else 1.";
  return `svc verify-disclosure: ${what}\n\n${optionLines(ROWS)}\n\n${status}\n`;
}

function nodeOf(address: string | null, block: string | null): DisclosureFlags["node"] {
  if (address === null && block === null) return null;
  if (address === null) throw badOption("block", "it needs --rpc-server");
  if (block === null) throw badOption("rpc-server", "it needs --block");
  if (!HASH.test(block)) throw badOption("block", "write 64 hexadecimal digits in small letters");
  return { address, block: asBlockHash(block) };
}

function scoreOf(text: string | null): DaaScore | null {
  if (text === null) return null;
  if (!NUMBER.test(text) || BigInt(text) > U64_MAX) throw badOption("daa-score", "write a number");
  return asDaaScore(BigInt(text));
}

function networkOf(on: (name: string) => boolean, file: string | null): NetworkChoice {
  const named = Object.entries(NETWORKS).filter(([name]) => on(name));
  if (named.length + (file === null ? 0 : 1) > 1) {
    throw badOption(named[0]?.[0] ?? "profile", "only one network can be chosen");
  }
  return file === null ? { name: named[0]?.[1] ?? "mainnet" } : { file };
}
