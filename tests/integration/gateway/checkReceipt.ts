/** Checks a receipt as anybody does who has it: with `svc receipt check`. */
import { expect } from "vitest";
import { runReceipt } from "@svc/node-server/app/receipt/runReceipt.ts";
import { never } from "../node/nodeFixture.ts";

/** What the command says of a receipt of simnet; further options, such as `--node`, go with it. */
export async function checkReceipt(...args: readonly string[]): Promise<unknown> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const all = ["check", ...args, "--json", "--simnet"];
  expect(await runReceipt({ args: all, environment: {}, print, signal: never })).toBe(0);
  return JSON.parse(lines.join("\n"));
}
