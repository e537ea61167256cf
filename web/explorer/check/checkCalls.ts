/** Calls of the check worker: each opens the context of the page's server once, and runs one check in it. */
import { loadCore } from "@svc/shared/core/loadCore.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { SignedMessage } from "@svc/shared/signer/addressControl.ts";
import { auditSupply } from "./auditSupply.ts";
import { checkBlock } from "./checkBlock.ts";
import { FalseNetwork, openContext, type CheckContext } from "./checkContext.ts";
import {
  checkDisclosure,
  verifyAddress,
  verifyMessage,
  type AddressReport,
  type DisclosureReport,
} from "./checkPasted.ts";
import type { BlockReport, CheckReport, CheckStep, SupplyReport } from "./checkReport.ts";
import type { CheckSource } from "./checkSource.ts";
import { checkTransaction } from "./checkTransaction.ts";
import {
  checkReceipt,
  foreignReceipt,
  receiptHeader,
  type AskedReceipt,
  type ReceiptReport,
} from "./receipt/checkReceipt.ts";

/** Makes the calls. `glue`: the module of the core. */
export function checkCalls(glue: unknown) {
  let opening: Promise<CheckContext | FalseNetwork> | null = null;
  const within = async <R>(
    check: (context: CheckContext) => Promise<R> | R,
    otherwise: (steps: readonly CheckStep[]) => R,
  ): Promise<R> => {
    if (opening === null) throw new SvcError("wallet/locked", {});
    const context = await opening;
    return context instanceof FalseNetwork ? otherwise(context.steps) : check(context);
  };
  const bare = (steps: readonly CheckStep[]) => ({ steps, isKnownNetwork: true });
  return {
    /** Takes the compiled core and who asks the server. Rejects as `openContext` does; the next call tries again. */
    async open(module: WebAssembly.Module, source: CheckSource): Promise<void> {
      const core = loadCore(glue, module);
      const begun = openContext(core, source);
      opening = begun;
      try {
        await begun;
      } catch (error) {
        opening = null;
        throw error;
      }
    },
    checkBlock: (hash: string, shown?: unknown): Promise<BlockReport> =>
      within(
        (context) => checkBlock(context, hash, shown),
        (steps) => ({ ...bare(steps), facts: null }),
      ),
    checkTransaction: (txid: string, shown?: unknown): Promise<CheckReport> =>
      within(async (context) => {
        const { steps, isKnownNetwork } = await checkTransaction(context, txid, shown);
        return { steps, isKnownNetwork };
      }, bare),
    auditSupply: (shown?: unknown, coins?: unknown): Promise<SupplyReport> =>
      within(
        (context) => auditSupply(context, shown, coins),
        (steps) => ({ ...bare(steps), figures: null, at: null }),
      ),
    checkDisclosure: (text: string, txid: string): Promise<DisclosureReport> =>
      within(
        (context) => checkDisclosure(context, text, txid),
        (steps) => ({ ...bare(steps), disclosed: null, effect: "open" as const }),
      ),
    checkReceipt: (asked: AskedReceipt): Promise<ReceiptReport> =>
      within((context) => checkReceipt(context, asked), foreignReceipt),
    receiptHeader: (receipt: Uint8Array): Promise<string> =>
      within((context) => receiptHeader(context, receipt), foreignReceipt),
    verifyAddress: (text: string): Promise<AddressReport> =>
      within(
        (context) => verifyAddress(context, text),
        (steps) => ({ ...bare(steps), networkName: "" }),
      ),
    verifyMessage: (signed: SignedMessage): Promise<CheckReport> =>
      within((context) => verifyMessage(context, signed), bare),
  };
}

/** The calls of the check worker. */
export type CheckApi = ReturnType<typeof checkCalls>;
