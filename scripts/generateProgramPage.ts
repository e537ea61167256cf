/**
 * Writes `docs/programs/svc.md` from the program's own table of options.
 *
 * `--check` writes nothing and exits 1 when the page is out of date.
 */
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { environmentName, FLAGS, type FlagRow } from "@svc/node-server/app/flags.ts";

const pageUrl = new URL("../docs/programs/svc.md", import.meta.url);

/** The whole page. */
export function renderProgramPage(flags: readonly FlagRow[]): string {
  return `# svc

One program with commands. From a checkout it is \`npm start\` for \`svc local\`, and
\`sh scripts/run.sh node-server/bin/svc.ts COMMAND\` for anything else, after \`npm run setup\`.

| command | what it runs |
|---|---|
| \`svc local\` | a private network on this machine: node, miner, wallet and blocks page. It prints the addresses of both pages |
| \`svc node\` | a full node |
| \`svc sim\` | a simulated network in one process, to check that every node agrees; without arguments it shows its options. Needs cargo |

Ctrl-C (or SIGTERM) stops it cleanly: connections are closed, the last commit is on disk. A second
Ctrl-C ends it at once, which loses nothing that was acknowledged. The exit status is 0 after a clean
stop, 1 after an error (with its sentence and code on standard error), 2 for an unknown command.

An option is taken from the command line, else from its environment variable, else it has its default.
This table is written from the program (\`npm run generate\`).

| option | environment | for | default | what |
|---|---|---|---|---|
${flags
  .filter(({ name }) => name !== "help")
  .map(row)
  .join("")}
## Where things are

\`APPDIR/NETWORK/consensus\` holds the chain (LMDB, and \`segments/\` for large values),
\`APPDIR/NETWORK/meta\` waiting payments and the node's own settings. One node at a time uses a folder; a second one says so
and ends. The profile's digest is stored with the chain: a folder of another network is refused.
A folder that an older build wrote is brought to the present layout at start, wholly or not at all; one of a
newer build is refused and left as it is.

## What is kept

Everything: this build deletes no block, no payment and no scan record, and a node starts at genesis. So
\`historyFromDaaScore\` is 0 and \`historyComplete\` is true. There are no options \`--archival\` and
\`--shielded-history\` yet: they would change nothing. They come with pruning and with nodes that start from a
pruning point.

## Surfaces

| surface | default address | what |
|---|---|---|
| gRPC | 127.0.0.1, the network's gRPC port | blocks, templates, transactions, the shielded calls |
| HTTP | 127.0.0.1, the network's gRPC port + 3000 | \`/v1\` for browsers, \`WS /v1/live\`, the pages; described in [interfaces](../interfaces.md) section 5 |

Both listen on this machine alone until told otherwise.
`;
}

function row({ name, short, value, commands, fallback, text }: FlagRow): string {
  const spelled = `\`--${name}${value === undefined ? "" : ` ${value}`}\``;
  const forms = short === undefined ? spelled : `${spelled}, \`-${short}\``;
  const defaults = [...new Set(commands.map((command) => fallback[command]))];
  const byCommand =
    defaults.length === 1
      ? defaults[0]
      : commands.map((command) => `${command}: ${fallback[command]}`).join("; ");
  const cells = [forms, `\`${environmentName(name)}\``, commands.join(", "), byCommand, text];
  return `| ${cells.join(" | ")} |\n`;
}

async function main(check: boolean): Promise<number> {
  const text = renderProgramPage(FLAGS);
  const old = await readFile(pageUrl, "utf8").catch(() => "");
  if (old === text) return 0;
  if (check) {
    console.error("docs/programs/svc.md is out of date: run npm run generate");
    return 1;
  }
  await writeFile(pageUrl, text);
  console.error("wrote docs/programs/svc.md");
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await main(process.argv.includes("--check"));
}
