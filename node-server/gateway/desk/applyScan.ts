/** Applies what the scanner found to invoices: in one commit with the place that the scan has come to. */
import type { ChainIndex } from "@svc/shared/base/brand.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { ScanStep } from "../scan/chainScan.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { FoundRow } from "../store/foundTable.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";
import type { InvoiceDesk } from "./invoiceDesk.ts";

/** Dependencies. */
export type ApplyScanParts = {
  readonly store: Pick<GatewayStore, "commit" | "view" | "found" | "invoices">;
  readonly desk: Pick<InvoiceDesk, "apply">;
  /** Blocks that are remembered. */
  readonly recentBlocks: number;
};

/** Applies a step of the scan. Throws the store's error, and then nothing has happened. */
export function applyScan({ store, desk, recentBlocks }: ApplyScanParts, step: ScanStep): void {
  const { common, blocks, found } = step;
  store.commit((batch) => {
    const facts = [...orphanedAbove(store, batch, common), ...found.map(({ fact }) => fact)];
    store.found.cut(batch, common);
    store.view.change(batch, { common, blocks, most: recentBlocks });
    for (const { chainIndex, fact } of found) keep(store, batch, chainIndex, fact);
    const newest = blocks.at(-1)?.chainIndex;
    if (newest !== undefined) store.found.forget(batch, newest - GATEWAY_LIMITS.foundKept);
    applyFacts({ store, desk }, batch, facts);
  });
}

/** Applies facts to the invoices that have their addresses. An address that no invoice has is nobody's business. */
export function applyFacts(
  {
    store,
    desk,
  }: Pick<ApplyScanParts, "desk"> & { readonly store: Pick<GatewayStore, "invoices"> },
  batch: StoreBatch,
  facts: readonly PaymentFact[],
): void {
  const byAddress = Map.groupBy(facts, ({ key, index }) => `${key}/${index}`);
  for (const own of byAddress.values()) {
    const [first] = own;
    if (first === undefined) continue;
    const invoice = store.invoices.at(first.key, first.index, batch);
    if (invoice === undefined) continue;
    desk.apply(
      batch,
      invoice,
      own.map(({ input }) => input),
    );
  }
}

/** The payments that lose their block, those of the highest block first. */
function orphanedAbove(
  { found }: Pick<GatewayStore, "found">,
  batch: StoreBatch,
  common: ChainIndex | null,
): readonly PaymentFact[] {
  const rows: FoundRow[] = [...found.above(common, batch)];
  return rows.toReversed().map(({ key, index, output, block }) => {
    return { key, index, input: { kind: "orphaned", output, block: block.hash } };
  });
}

function keep(
  { found }: Pick<GatewayStore, "found">,
  batch: StoreBatch,
  chainIndex: ChainIndex,
  { key, index, input }: PaymentFact,
): void {
  if (input.kind !== "mined") return;
  found.put(batch, chainIndex, { key, index, output: input.output, block: input.block });
}
