/** Renders the option table as help text. */
import type { FlagRow, NodeCommand } from "./flagRow.ts";
import { FLAGS } from "./flags.ts";

const SUMMARY: Readonly<Record<NodeCommand, string>> = {
  node: "runs a full node",
  local: "runs a network of your own on this machine: node, miner, wallet page, blocks page",
  verify:
    "checks a node's database against its own blocks, from genesis, and names the first difference",
};

function left(row: FlagRow): string {
  const short = row.short === undefined ? "" : `-${row.short}, `;
  return `${short}--${row.name}${row.value === undefined ? "" : `=${row.value}`}`;
}

/** Renders what `svc <command> --help` prints. */
export function helpText(command: NodeCommand): string {
  const rows = FLAGS.filter((row) => row.commands.includes(command));
  const width = Math.max(...rows.map((row) => left(row).length));
  const lines = rows.map((row) => {
    const fallback = row.fallback[command];
    const note = fallback === "" ? "" : ` Default: ${fallback}.`;
    return `  ${left(row).padEnd(width)}  ${row.text}${note}`;
  });
  return `svc ${command}: ${SUMMARY[command]}\n\n${lines.join("\n")}\n`;
}
