/** Takes payments that the scans of chain and mempool find to the invoices of a self-hosted gateway, and tells their subscribers. */
import type { BlueScore } from "@svc/shared/base/brand.ts";
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import { applyFacts, applyScan } from "./desk/applyScan.ts";
import type { DeskLooks } from "./desk/deskLooks.ts";
import type { InvoiceDesk } from "./desk/invoiceDesk.ts";
import type { InvoiceWatch } from "./desk/invoiceWatch.ts";
import type { GatewayChainParts } from "./gatewayChain.ts";
import { EarlierWaiting } from "./scan/earlierWaiting.ts";
import type { GatewayStore } from "./store/gatewayStore.ts";

/** Dependencies. */
export type ScanTakersParts = {
  readonly store: GatewayStore;
  readonly desk: Pick<InvoiceDesk, "apply" | "revived">;
  readonly looks: Pick<DeskLooks, "moveTip">;
  readonly watch: Pick<InvoiceWatch, "moved">;
};

/** Makes what the chain hands its findings to. Throws the store's errors. */
export function scanTakers({
  store,
  desk,
  looks,
  watch,
}: ScanTakersParts): Pick<GatewayChainParts, "commit" | "takePool" | "endPoolLook" | "onTip"> {
  let score: BlueScore | null = null;
  const earlier = new EarlierWaiting(() => store.invoices.waiting());
  // What waits is applied beside other changes.
  const apply = async (facts: readonly PaymentFact[]): Promise<void> => {
    await store.run((batch) => applyFacts({ store, desk }, batch, facts));
    watch.moved();
  };
  return {
    commit: (step, recentBlocks) => {
      applyScan({ store, desk, recentBlocks }, step);
      watch.moved();
    },
    takePool: (facts) => {
      earlier.hear(facts);
      return apply(facts);
    },
    endPoolLook: async () => {
      const gone = earlier.gone();
      if (gone.length > 0) await apply(gone);
      earlier.end();
    },
    onTip: ({ sinkBlueScore }) => {
      if (sinkBlueScore === score) return;
      score = sinkBlueScore;
      looks.moveTip(score);
      watch.moved();
    },
  };
}
