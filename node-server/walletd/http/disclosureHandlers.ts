/** Handler of payment proofs: what the daemon kept of a payment when it was signed. */
import { asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { Payment } from "@svc/shared/wallet/state/payment.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import type { DaemonWallets, HandlerParts } from "./daemonWallets.ts";
import type { WalletHandlers } from "./walletHandlers.ts";

/** Makes the handler. */
export function disclosureHandlers(
  parts: HandlerParts,
  wallets: DaemonWallets,
): Pick<WalletHandlers, "disclosure"> {
  const { core, profileJson } = parts;
  const { hrp } = JSON.parse(profileJson);
  return {
    disclosure: async ({ token, query }) => {
      await wallets.open(token);
      const txid = asTxId(query.txid);
      const outputs = paymentWith(parts, token, txid)?.outputs ?? [];
      if (outputs.length === 0) throw new SvcError("wallet/no-disclosure", { txid });
      const payments = outputs.map((output) => ({
        recipient: callCore(() => core.encodeAddress(hrp, decodeHex(output.recipient))),
        amount_sompi: output.value,
        amount_sompi_exact: output.value,
        proof: { txid, ...output },
      }));
      return { txid, payments };
    },
  };
}

function paymentWith({ store }: HandlerParts, token: WalletToken, txid: TxId): Payment | undefined {
  for (const payment of store.payments.ofWallet(token)) {
    if (payment.txid === txid) return payment;
  }
  return undefined;
}
