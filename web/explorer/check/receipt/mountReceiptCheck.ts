/** Mount of the check of receipts: what a page of the explorer loads lazily into its place. It returns how to end it. */
import "../checks.css";
import { createComponent, render } from "solid-js/web";
import { asBlockHash, parseHash32 } from "@svc/shared/base/brand.ts";
import { findAnchor } from "@svc/shared/light/findAnchor.ts";
import { PAGE_LIMITS } from "../../../pageLimits.ts";
import { restEvidence } from "../chain/restEvidence.ts";
import { runCheck } from "../checkClient.ts";
import { restSource } from "../checkSource.ts";
import { checkTexts } from "../checkTexts.ts";
import type { CheckOptions } from "../mountChecks.ts";
import { ReceiptForm, type ReceiptCalls } from "./ReceiptForm.tsx";

/** The form of a receipt. The core is loaded at once, so that the network may be gone when the receipt comes. */
export function mountReceiptCheck(
  place: HTMLElement,
  { locale, apiBase }: CheckOptions,
): () => void {
  const calls: ReceiptCalls = {
    prepare: () => runCheck(apiBase, async () => undefined),
    check: (asked) => runCheck(apiBase, (api) => api.checkReceipt(asked)),
    anchor: async (receipt) => {
      const header = await runCheck(apiBase, (api) => api.receiptHeader(receipt));
      // Which block a receipt stands on is nothing for the browser to keep.
      const source = restSource(new URL(apiBase, location.href).href, (input, init) =>
        fetch(input, { ...init, cache: "no-store" }),
      );
      const node = restEvidence(source);
      const signal = AbortSignal.timeout(PAGE_LIMITS.checkAnchorMs);
      return findAnchor(node, asBlockHash(parseHash32(header)), signal);
    },
  };
  return render(
    () => createComponent(ReceiptForm, { texts: checkTexts(locale), locale, calls }),
    place,
  );
}
