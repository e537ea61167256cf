/** Command-line options about the public REST interface: their rows of the table, and their parser. */
import type { FlagRow, NodeCommand } from "./flagRow.ts";
import type { OptionValues } from "./readOptions.ts";

const BOTH: readonly NodeCommand[] = ["node", "local"];

/** The rows, in the order of the help text. */
export const REST_FLAGS: readonly FlagRow[] = [
  {
    name: "rest-public",
    commands: BOTH,
    fallback: { node: "off", local: "off", verify: "off" },
    text: "Opens /api to everybody: under any host name, to pages of any origin, and each host to so many calls in a minute. /v1, the pages and the rest stay closed: they are for programs on this machine, and for names and origins of --http-host and --http-origin.",
  },
  {
    name: "rest-token-file",
    value: "FILE",
    commands: BOTH,
    fallback: { node: "none", local: "none", verify: "none" },
    text: "With --rest-public: a file with a token of 16 to 255 visible characters. Who shows it (Authorization: Bearer), as your edge does, is not held to so many calls in a minute.",
  },
  {
    name: "geo",
    value: "FILE",
    commands: BOTH,
    fallback: { node: "none", local: "none", verify: "none" },
    text: "A table of countries, lines FIRST,LAST,CC of first and last address of a range and two letters: /api then tells the countries of peers. Without it none is told.",
  },
];

/** The parsed options about the public REST interface. */
export type RestFlags = {
  /** Open to everybody. */
  readonly isPublic: boolean;
  /** File of the token whose bearer is not counted. */
  readonly tokenFile: string | null;
  /** File of the table of countries. */
  readonly geoFile: string | null;
};

/** Parses the options. */
export function readRestFlags({ on, text }: Pick<OptionValues, "on" | "text">): RestFlags {
  return {
    isPublic: on("rest-public"),
    tokenFile: text("rest-token-file"),
    geoFile: text("geo"),
  };
}
