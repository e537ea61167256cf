/** Handlers of what shows a third party who was paid: proofs that were kept when a payment was signed, and receipts. */
import { asTxId, type RawAddress } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { receiptText } from "@svc/shared/signer/airgap/receiptText.ts";
import type { ReceiptMaker } from "../receipts/receiptMaker.ts";
import type { DaemonWallets, HandlerParts } from "./daemonWallets.ts";
import type { WalletHandlers } from "./walletHandlers.ts";

/** Makes the handlers. */
export function disclosureHandlers(
  parts: HandlerParts & { readonly receipts: Pick<ReceiptMaker, "make"> },
  wallets: DaemonWallets,
): Pick<WalletHandlers, "disclosure" | "receipt"> {
  const { core, profileJson, store, receipts } = parts;
  const { hrp } = JSON.parse(profileJson);
  const addressOf = (recipient: RawAddress) =>
    callCore(() => core.encodeAddress(hrp, decodeHex(recipient)));
  return {
    disclosure: async ({ token, query }) => {
      await wallets.open(token);
      const txid = asTxId(query.txid);
      const outputs = store.payments.ofTransaction(token, txid)?.outputs ?? [];
      if (outputs.length === 0) throw new SvcError("wallet/no-disclosure", { txid });
      const payments = outputs.map(({ index, recipient, value, rseed }) => ({
        recipient: addressOf(recipient),
        amount_sompi: value,
        amount_sompi_exact: value,
        proof: { txid, index, recipient, value, rseed },
      }));
      return { txid, payments };
    },
    receipt: async ({ token, scoped, query, signal }) => {
      const { index = null, challenge = null } = query;
      // Whoever answers a challenge speaks for the payee.
      if (challenge !== null && scoped !== null) {
        throw new SvcError("wallet/scope", { needed: "owner" });
      }
      const open = await wallets.open(token);
      const txid = asTxId(query.txid);
      const { bytes, note, block } = await receipts.make(open, { txid, index, challenge }, signal);
      return {
        txid,
        index: note.index,
        kind: note.kind,
        recipient: addressOf(note.recipient),
        amount_sompi: note.value,
        amount_sompi_exact: note.value,
        block,
        receipt_hex: encodeHex(bytes),
        receipt: receiptText(bytes),
      };
    },
  };
}
