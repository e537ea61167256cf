/** Renders the option table as help text. */
import type { NodeCommand } from "./flagRow.ts";
import { FLAGS } from "./flags.ts";
import { optionLines } from "./optionLines.ts";

const SUMMARY: Readonly<Record<NodeCommand, string>> = {
  node: "runs a full node",
  local: "runs a network of your own on this machine: node, miner, wallet page, blocks page",
  verify:
    "checks a node's database against its own blocks, from genesis, and names the first difference",
};

/** Renders what `svc <command> --help` prints. */
export function helpText(command: NodeCommand): string {
  const rows = FLAGS.filter((row) => row.commands.includes(command));
  const lines = optionLines(rows.map((row) => ({ ...row, fallback: row.fallback[command] })));
  return `svc ${command}: ${SUMMARY[command]}\n\n${lines}\n`;
}
