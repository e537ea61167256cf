/**
 * Writes `docs/programs/svc.md` and `docs/programs/seeder.md` from the program's own tables of options.
 *
 * `--check` writes nothing and exits 1 when a page is out of date.
 */
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { EXIT_STATUS } from "@svc/node-server/app/exitStatus.ts";
import type { FlagRow } from "@svc/node-server/app/flagRow.ts";
import { FLAGS } from "@svc/node-server/app/flags.ts";
import { environmentName } from "@svc/node-server/app/readOptions.ts";
import { SEEDER_FLAGS, type SeederFlagRow } from "@svc/node-server/app/seederFlags.ts";

const folder = new URL("../docs/programs/", import.meta.url);

/** What a node deletes, and what it keeps. */
const KEEPING = `## What is kept

| | default | \`--shielded-history=on\` | \`--archival\` |
|---|---|---|---|
| bodies below the pruning point | deleted | deleted | kept from now on |
| scan records since the chain of the node begins | kept for ever | kept for ever | kept for ever |
| scan records from before | not wanted | fetched from peers | fetched from peers |

The pruning point follows the chain on every node; without \`--archival\` what lies below goes in small steps, whenever
nobody waits for the engine, also after a restart. Space is given back in whole segment files. \`historyFromDaaScore\`
is the lowest DAA score from which every scan record is held, \`historyComplete\` says that this is genesis. A node that
began at genesis has all of them, pruned or not. One that is new, or was away for longer than its peers keep blocks, begins at
a peer's pruning point: scan records from before that are gone then, and come back as history with \`--shielded-history=on\`.
An archival node that begins anew keeps the database of before as \`consensus.archive-1\` (and so on); delete it when you
need its blocks no more.

Without \`--archival\` on a folder that was used with it, the node does not start: what was kept on purpose would be
deleted. \`--yes\` confirms that. Switching \`--archival\` on later brings nothing back; the log says so where bodies are gone.
`;

/** What a node does so that nobody sees where payments come from. */
const ORIGIN = `## Where payments come from

What a wallet hands in over \`/v1/tx\` or gRPC goes to one peer first, from there to another, and after some such steps all are
told; that takes a second or two ([decision 22](../adr/0022-origin-of-a-payment.md)). Until then the node's own lists
(\`/v1/mempool\`, live frames, \`getMempoolEntries\`, \`getMempoolEntry\`) do not show the payment: the answer to the call that
handed it in, its id, says that it is here. Templates may hold it. A node that dials nobody, such as \`svc local\`, shows it at once.

\`--proxy HOST:PORT\` dials every peer through a SOCKS5 proxy without a password, such as Tor's at \`127.0.0.1:9050\`. With it
- names are for the proxy to look up: \`--connect\` and \`--addpeer\` take them, and this machine asks no name server about any peer. Only
  HOST, where it is a name, is looked up here;
- seeders are asked nothing over DNS. Two of their names are dialled through the proxy, and whichever node it reaches is asked for
  addresses like any peer;
- peers are taken in only where \`--listen\` says so, and no address of this machine is told to anybody unless \`--externalip\` does;
- a peer has 30 seconds to be reached in place of one.

The proxy is for peers. Wallets that use this node over gRPC or HTTP come to it as before.
`;

/** What `svc verify` compares, and what it leaves out. */
const CHECKING = `## Checking a database

\`svc verify\` hands the blocks of a database to an engine that begins with nothing, parents first, and compares what
it writes with what is stored, byte for byte. The database under check is only read; the other one lies in
\`APPDIR/NETWORK/verify\` while the check runs, takes as much room, and is removed at the end, also after Ctrl-C (one
that a kill left is removed by the next check). A node that uses the folder must be stopped first. Every proof is
verified again unless \`--assume-proofs\` is given.

All pages of the database are looked at first: a file that is damaged is named, with status 65. At the first difference
the check prints table, key and both records, and ends with status 1. With \`--json\` it prints one line:
\`{"result":"same","blocks":n,"notes":[code]}\`, \`{"result":"different","blocks":n,"table":…,"key":…,"stored":…,"computed":…}\`,
\`{"result":"interrupted","blocks":n}\`, or \`{"result":"failed","blocks":n,"code":…,"message":…}\`.

| compared | how |
|---|---|
| header and level, coloring, depths, blocks outside the difficulty window, body, witness | byte for byte, every block |
| verdicts on proofs, status | every block; whether a block beside the selected chain has been judged depends on the order in which blocks came, and its verdicts may be waiting |
| acceptance, chain state, nullifiers and lanes that a block changed, scan record | byte for byte, the selected chain; beside it only blocks that both the node and the check judged |
| selected chain by index and by block, nullifiers, lanes, their tree and their ages | whole tables at the sink, nothing missing, nothing more |
| blocks that produced an anchor | whole table; rows of blocks beside the chain are compared with those blocks' states |
| reachability, children, tips | as sets: lists stand in the order of arrival. The numbers of intervals differ from node to node; that they lie in each other as they must is checked |
| number of headers and of bodies | against the rows |
| pruning points, where scan records begin | the node may be behind by some points |

Left out, because each depends on when blocks came: headers whose body is not known or was refused, and marks of
refused blocks; which header has the most work; the parents of the next template (only that they are accepted blocks); the place where
reachability makes room. Left out as well: how often each file of large values is referred to. Left out, because nothing reads it: the table of latest anchors of old layouts. Not checked
again: that a block was not from the future when it came.

When a node was killed in the middle of a change of the selected chain, nullifiers and lanes stand elsewhere than
the chain; the check says so (\`verify/unfinished\`) and holds them against the state of that block only.

A pruned database has no blocks to begin with. That it is one must fit what is there: what was swept is one of its
pruning points, and the block above genesis has no body. The check says so (\`verify/pruned\`) and holds the records against each
other: headers are those of their keys, bodies those that headers name, the chain's index and blocks name each other
and follow their selected parents, no scan record is missing from the first one held on, intervals lie in each other,
nullifiers multiply to the product in the state, lanes are those of its root and have their rows by age, anchors are
those of the blocks' states, tips are tips.

Records of older layouts are compared in the present form, but a
database that no node of this build has opened yet is refused: start and stop one on it.
`;

const COMMANDS = `# svc

One program with commands. From a checkout it is \`npm start\` for \`svc local\`, and
\`sh scripts/run.sh node-server/bin/svc.ts COMMAND\` for anything else, after \`npm run setup\`.

| command | what it runs |
|---|---|
| \`svc local\` | a private network on this machine: node, miner, wallet and blocks page. It prints the addresses of both pages |
| \`svc node\` | a full node |
| \`svc seeder\` | names nodes of a network over DNS; [its own page](seeder.md) |
| \`svc sim\` | a simulated network in one process, to check that every node agrees; without arguments it shows its options. Needs cargo |
| \`svc verify\` | checks a node's database against its own blocks, from genesis, and names the first difference |

Ctrl-C, SIGTERM or a terminal that is closed (SIGHUP) stops it cleanly, whatever it is doing: connections are closed, the last
commit is on disk. A second signal a second or more later ends it at once, which loses nothing that was acknowledged.

| exit status | after |
|---:|---|
| ${EXIT_STATUS.fine} | a clean stop; a check without a difference |
| ${EXIT_STATUS.failed} | an error, with its sentence and code on standard error; a check that found a difference |
| ${EXIT_STATUS.unknownCommand} | an unknown command |
| ${EXIT_STATUS.damaged} | a file of a database is damaged or cannot be read, at start or later: starting again does not help ([what to do](../operators.md#when-something-is-wrong)) |
| ${EXIT_STATUS.fault} | a fault that nothing caught; the program stopped cleanly |
| ${EXIT_STATUS.outOfRoom} | no room on the disk or in the database, at start or later; starting again helps when there is room ([operators](../operators.md)) |
| ${EXIT_STATUS.interrupted} | a second Ctrl-C; \`svc verify\` or \`svc sim\` that was interrupted |
| 143, 129 | a second signal, SIGTERM or SIGHUP |

Node undoes what \`nohup\` does: a node that is to outlive its terminal is started by a service manager or with \`setsid\`.
`;

const SURFACES = `## Surfaces

| surface | default address | what |
|---|---|---|
| peers | 0.0.0.0, the network's port for peers | other nodes; \`svc local\` takes none in unless told to |
| gRPC | 127.0.0.1, the network's gRPC port | blocks, templates, transactions, the shielded calls |
| HTTP | 127.0.0.1, the network's gRPC port + 3000 | \`/v1\` for browsers, \`WS /v1/live\`, the pages; described in [interfaces](../interfaces.md) section 5 |

gRPC and HTTP listen on this machine alone until told otherwise. Peers are taken in from everywhere by \`svc node\`: that is
what a node is for. A fault that nothing caught stops the program cleanly with status 70, and it does not go on.

## Who may use HTTP

A page that is open in a browser on this machine can send requests to a server on it. So HTTP looks at two headers that no page
can choose ([decision 20](../adr/0020-edges.md)):

- \`Host\`: requests for 127.0.0.1, localhost, [::1], the address in \`--httplisten\` and the address that the connection came to are
  served. A server with a name of its own needs \`--http-host NAME\`. Anything else gets status 421, \`http/foreign-host\`.
- \`Origin\`: the server's own pages may use it, and pages of the origins in \`--http-origin\`, which get CORS headers and may not use
  \`/local\`. Any other page gets status 403, \`http/foreign-origin\`, whatever it asks for. Programs that send no \`Origin\` are served.

Behind a proxy that ends TLS, three options belong together. The proxy must pass on \`Host\` and set \`X-Forwarded-For\`:

\`\`\`
svc node --http-host=node.example --trusted-proxy=127.0.0.1 --http-origin=https://wallet.example
\`\`\`

Without \`--trusted-proxy\` everybody behind the proxy is one host, and shares what one host may have: connections, live
connections, a rate of questions, answered one at a time, and bytes that wait to be read (the figures are in
[LIMITS.md](../../LIMITS.md), \`http…\` and \`live…\`). An IPv6 /64 is one host. More gets status 429 with \`Retry-After\`, or the
connection is closed.
`;

/** What a seeder does, and what it needs. */
const SEEDER = `# svc seeder

A new node must learn of some others before it can ask anybody. A seeder visits the nodes of a network, remembers how often
each of them answered, and names some of the good ones to whoever asks a name server for the addresses of its name.

Two records in the zone above make it known; the seeder answers for the name itself:

\`\`\`
seed.example.org.    NS  ns.example.org.
ns.example.org.      A   203.0.113.5
\`\`\`

\`\`\`
svc seeder --host seed.example.org --nameserver ns.example.org --peer 203.0.113.20
\`\`\`

Port 53 is reserved on most systems: give the program the right to it, or let the system pass it on to another port given
with \`--listen\`. Ctrl-C stops it and writes down what it knows.

## Which nodes it names

Those that it reached itself: a whole handshake on the right network, in the right version of the protocol, at the port that
nodes dial when a name has none, which is not always the one they listen on (\`ports\` of the profile). A node is tried every
quarter of an hour, and less often while it does not answer; those given with \`--peer\` are always tried as often. While no
node answers, the other seeders of the network are asked every two minutes. A node is named when it answered within a day, and

- half of its first three tries succeeded, or
- more than 85 % over two hours, 70 % over eight hours, 55 % over a day or 45 % over a week did, with more than 2, 4, 8 or 16
  tries behind it. Older tries count less.

On public networks only addresses that all can reach are taken. How many it knows of one host, one neighbourhood and by the
word of one node is bounded ([LIMITS](../../LIMITS.md)); what it knows lies in \`nodes.json\`, which is replaced as a whole.

## What it answers

A and AAAA: some nodes, drawn anew for each question, to be kept a minute; one of each neighbourhood before a second one of
any, and no two of one host. NS and SOA: itself. Anything else about the name: nothing is there. Other names are refused. Over
UDP an answer has at most 512 bytes and at most twelve times the length of its question, since the sender may be forged: fewer
nodes are named when not all fit, and over TCP all of them. Each host and all of them together may ask so much in a second,
over UDP and TCP each, and what is above stays without an answer.
`;

/** The whole page. */
export function renderProgramPage(flags: readonly FlagRow[]): string {
  return `${COMMANDS}
An option is taken from the command line, else from its environment variable (several values with commas in between), else it
has its default. This table is written from the program (\`npm run generate\`).

| option | environment | for | default | what |
|---|---|---|---|---|
${flags
  .filter(({ name }) => name !== "help")
  .map(row)
  .join("")}
## Where things are

\`APPDIR/NETWORK/consensus\` holds the chain (LMDB, and \`segments/\` for large values),
\`APPDIR/NETWORK/meta\` waiting payments, addresses of peers and the node's own settings. While a node begins anew there are
\`staging\` and \`consensus.old\` (\`consensus.archive\` in an archival node) too. One node at a time uses a folder; a second one says so
and ends. The profile's digest is stored with the chain: a folder of another network is refused.
A folder that an older build wrote is brought to the present layout at start, wholly or not at all; one of a
newer build is refused and left as it is, by \`svc verify\` too.

${KEEPING}
${CHECKING}
${ORIGIN}
${SURFACES}`;
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

/** The page of the seeder. */
export function renderSeederPage(flags: readonly SeederFlagRow[]): string {
  const rows = flags
    .filter(({ name }) => name !== "help")
    .map(({ name, short, value, fallback, text }) => {
      const spelled = `\`--${name}${value === undefined ? "" : ` ${value}`}\``;
      const forms = short === undefined ? spelled : `${spelled}, \`-${short}\``;
      return `| ${forms} | \`${environmentName(name)}\` | ${fallback} | ${text} |\n`;
    });
  return `${SEEDER}
## Options

An option is taken from the command line, else from its environment variable (several values with commas in between), else it
has its default. This table is written from the program (\`npm run generate\`).

| option | environment | default | what |
|---|---|---|---|
${rows.join("")}`;
}

async function main(check: boolean): Promise<number> {
  const pages = { "svc.md": renderProgramPage(FLAGS), "seeder.md": renderSeederPage(SEEDER_FLAGS) };
  let stale = 0;
  for (const [name, text] of Object.entries(pages)) {
    const url = new URL(name, folder);
    if ((await readFile(url, "utf8").catch(() => "")) === text) continue;
    if (check) {
      stale += 1;
      console.error(`docs/programs/${name} is out of date: run npm run generate`);
    } else {
      await writeFile(url, text);
      console.error(`wrote docs/programs/${name}`);
    }
  }
  return stale === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await main(process.argv.includes("--check"));
}
