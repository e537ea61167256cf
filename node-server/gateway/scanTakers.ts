/** Takes payments that the scans of chain and mempool find to the invoices of a self-hosted gateway, and tells their subscribers. */
import type { PaymentFact } from "@svc/shared/invoice/paymentFact.ts";
import type { ChainDepth } from "@svc/shared/light/workLadder.ts";
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
}: ScanTakersParts): Pick<
  GatewayChainParts,
  "commit" | "takePool" | "endPoolLook" | "onCut" | "onTip"
> {
  let known: ChainDepth = { tip: null, ladder: null };
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
    onCut: (depth) => {
      known = depth;
      looks.moveTip(depth.tip, depth.ladder);
    },
    onTip: (depth) => {
      if (isSame(depth, known)) return;
      known = depth;
      looks.moveTip(depth.tip, depth.ladder);
      watch.moved();
    },
  };
}

/** A longer proof has another tip; of one tip more is proved where a state lies nearer to it. */
function isSame(a: ChainDepth, b: ChainDepth): boolean {
  const proved = ({ ladder }: ChainDepth) => ladder?.steps.at(-1)?.blueScore;
  return a.tip === b.tip && proved(a) === proved(b);
}
