/**
 * Writes `docs/programs/svc.md`, `seeder.md`, `walletd.md` and `gateway.md` there from the texts beside them (`svc.in.md` and so on)
 * and the program's own tables of options.
 *
 * `--check` writes nothing and exits 1 when a page is out of date.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { EXIT_STATUS } from "@svc/node-server/app/program/exitStatus.ts";
import type { FlagRow } from "@svc/node-server/app/options/flagRow.ts";
import {
  GATEWAY_COMMANDS,
  GATEWAY_FLAGS,
  type GatewayFlagRow,
} from "@svc/node-server/app/gateway/gatewayFlags.ts";
import { RECEIPT_OPTIONS, type ReceiptOption } from "@svc/node-server/app/receipt/receiptFlags.ts";
import { FLAGS } from "@svc/node-server/app/options/flags.ts";
import { environmentName } from "@svc/node-server/app/options/readOptions.ts";
import { SEEDER_FLAGS, type SeederFlagRow } from "@svc/node-server/app/seeder/seederFlags.ts";
import {
  WALLETD_COMMANDS,
  WALLETD_FLAGS,
  type WalletdFlagRow,
} from "@svc/node-server/app/walletd/walletdFlags.ts";
import { writeGenerated } from "./writeGenerated.ts";

const folder = new URL("../../docs/programs/", import.meta.url);

/** A text with its slots, `{{name}}`, filled. Throws for a slot without a value, and for a value without a slot. */
export function fillSlots(text: string, values: Readonly<Record<string, string>>): string {
  const unused = new Set(Object.keys(values));
  const filled = text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the slot ${name} has no value`);
    unused.delete(name);
    return value;
  });
  if (unused.size > 0) throw new Error(`there is no slot ${[...unused].join(", ")}`);
  return filled;
}

function textOf(name: string): string {
  return readFileSync(new URL(name, folder), "utf8");
}

/** The page of the program. */
export function renderProgramPage(flags: readonly FlagRow[]): string {
  const options = flags.filter(({ name }) => name !== "help").map(row);
  const statuses = Object.entries(EXIT_STATUS).map(
    ([name, status]) => [name, String(status)] as const,
  );
  return fillSlots(textOf("svc.in.md"), {
    ...Object.fromEntries(statuses),
    options: options.join("\n"),
    receiptOptions: RECEIPT_OPTIONS.map(receiptRow).join("\n"),
  });
}

/** How an option may be written, and its environment variable: the first two cells of its row. */
function spellings({
  name,
  short,
  value,
}: Pick<FlagRow, "name" | "short" | "value">): readonly [string, string] {
  const spelled = `\`--${name}${value === undefined ? "" : ` ${value}`}\``;
  const forms = short === undefined ? spelled : `${spelled}, \`-${short}\``;
  return [forms, `\`${environmentName(name)}\``];
}

function row({ commands, fallback, text, ...option }: FlagRow): string {
  const defaults = [...new Set(commands.map((command) => fallback[command]))];
  const byCommand =
    defaults.length === 1
      ? defaults[0]
      : commands.map((command) => `${command}: ${fallback[command]}`).join("; ");
  const cells = [...spellings(option), commands.join(", "), byCommand, text];
  return `| ${cells.join(" | ")} |`;
}

function receiptRow({ actions, fallback, text, ...option }: ReceiptOption): string {
  const [forms] = spellings(option);
  return `| ${[forms, actions.join(", "), fallback, text].join(" | ")} |`;
}

/** The text of the seeder's page. */
export function renderSeederPage(flags: readonly SeederFlagRow[]): string {
  const options = flags
    .filter(({ name }) => name !== "help")
    .map(
      ({ fallback, text, ...option }) =>
        `| ${[...spellings(option), fallback, text].join(" | ")} |`,
    );
  return fillSlots(textOf("seeder.in.md"), { options: options.join("\n") });
}

/** The text of the wallet daemon's page. */
export function renderWalletdPage(flags: readonly WalletdFlagRow[]): string {
  return renderPage({ program: "walletd", server: "daemon", commands: WALLETD_COMMANDS, flags });
}

/** The text of the gateway's page. */
export function renderGatewayPage(flags: readonly GatewayFlagRow[]): string {
  return renderPage({ program: "gateway", server: "gateway", commands: GATEWAY_COMMANDS, flags });
}

/** A program that serves where no command is named, and what its options are for. */
type ServingProgram = {
  readonly program: string;
  /** What the program without a command is called. */
  readonly server: string;
  readonly commands: Readonly<Record<string, { readonly args: string; readonly text: string }>>;
  readonly flags: readonly (Pick<FlagRow, "name" | "short" | "value" | "text"> & {
    readonly commands: readonly string[];
    readonly fallback: string;
  })[];
};

function renderPage({ program, server, commands, flags }: ServingProgram): string {
  const called = Object.entries(commands).map(
    ([name, { args, text }]) => `| \`svc ${program} ${`${name} ${args}`.trim()}\` | ${text} |`,
  );
  const count = new Set(flags.flatMap((row) => row.commands)).size;
  const options = flags
    .filter(({ name }) => name !== "help")
    .map(({ fallback, text, commands: takers, ...option }) => {
      const named = takers.map((taker) => (taker === "serve" ? server : taker)).join(", ");
      const cells = [...spellings(option), takers.length === count ? "all" : named, fallback, text];
      return `| ${cells.join(" | ")} |`;
    });
  return fillSlots(textOf(`${program}.in.md`), {
    commands: called.join("\n"),
    options: options.join("\n"),
  });
}

async function main(check: boolean): Promise<number> {
  const pages = new Map([
    ["docs/programs/svc.md", renderProgramPage(FLAGS)],
    ["docs/programs/seeder.md", renderSeederPage(SEEDER_FLAGS)],
    ["docs/programs/walletd.md", renderWalletdPage(WALLETD_FLAGS)],
    ["docs/programs/gateway.md", renderGatewayPage(GATEWAY_FLAGS)],
  ]);
  return writeGenerated(pages, check);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await main(process.argv.includes("--check"));
}
