/** What a step of the scan changes in the tables that a reorganisation is told from: the blocks, and the payments that they accept. */
import type { ChainIndex } from "@svc/shared/base/brand.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { ViewTable } from "../../storage/rows/viewTable.ts";
import type { ProofTable } from "../proof/proofTable.ts";
import type { ScanStep } from "../scan/chainScan.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { FoundRow, FoundTable } from "../store/foundTable.ts";

/** The tables. */
export type StepTables = {
  readonly view: ViewTable;
  readonly found: FoundTable;
  readonly proof: ProofTable;
};

/**
 * Writes a step, and returns what it means: payments that lose their block, those of the highest block first, then those that blocks
 * accept. At most `recentBlocks` blocks are remembered.
 */
export function keepStep(
  tables: StepTables,
  batch: StoreBatch,
  { common, blocks, found, covered = null }: ScanStep,
  recentBlocks: number,
): readonly PaymentFact[] {
  const facts = [...orphanedAbove(tables, batch, common), ...found.map(({ fact }) => fact)];
  tables.found.cut(batch, common);
  tables.view.change(batch, { common, blocks, most: recentBlocks });
  if (covered === null) tables.proof.clear(batch);
  else tables.proof.change(batch, common, blocks, covered);
  for (const { chainIndex, fact } of found) keep(tables, batch, chainIndex, fact);
  const newest = blocks.at(-1)?.chainIndex;
  if (newest !== undefined) tables.found.forget(batch, newest - GATEWAY_LIMITS.foundKept);
  return facts;
}

function orphanedAbove(
  { found }: StepTables,
  batch: StoreBatch,
  common: ChainIndex | null,
): readonly PaymentFact[] {
  const rows: FoundRow[] = [...found.above(common, batch)];
  return rows.toReversed().map(({ key, index, output, block }) => {
    return { key, index, input: { kind: "orphaned", output, block: block.hash } };
  });
}

function keep(
  { found }: StepTables,
  batch: StoreBatch,
  chainIndex: ChainIndex,
  { key, index, input }: PaymentFact,
): void {
  if (input.kind !== "mined") return;
  found.put(batch, chainIndex, { key, index, output: input.output, block: input.block });
}
