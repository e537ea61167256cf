/** Options that choose the network, for programs that take part in mainnet unless told otherwise. */
import type { OptionRow } from "./readOptions.ts";

/** The rows, in the order of the help text; `fallback` and `text` are for people. */
export const NETWORK_ROWS: readonly (OptionRow & {
  readonly fallback: string;
  readonly text: string;
})[] = [
  { name: "testnet", fallback: "mainnet", text: "The test network." },
  { name: "devnet", fallback: "mainnet", text: "The development network." },
  { name: "simnet", fallback: "mainnet", text: "The simulation network." },
  {
    name: "profile",
    value: "FILE",
    fallback: "built in",
    text: "The private network described in a profile file.",
  },
];
