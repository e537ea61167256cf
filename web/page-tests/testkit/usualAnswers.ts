/** Answers of a wallet worker and a keyring that have nothing special to say. */
import { asAddressText, asSompi } from "@svc/shared/base/brand.ts";
import type { Snapshot } from "../../wallet-api/walletApi.ts";
import type { WorkerAnswers } from "./fakeWorkers.ts";

/** The answers that fit a snapshot: one address, the recent lines as its whole history, no contacts, nothing wrong. */
export function usualAnswers({ wallet }: Snapshot): WorkerAnswers {
  const text = wallet?.address.text ?? asAddressText("");
  const address = { index: 0, text, label: "", received: asSompi(0n), payments: 0 };
  const rows = wallet?.recent ?? [];
  const nothing = { amount: asSompi(0n), fee: asSompi(0n), notes: 0, transactions: 0 };
  return {
    wallet: {
      replaceKeyring: async () => undefined,
      noteActivity: () => undefined,
      warmProver: () => undefined,
      clearSend: () => undefined,
      lookAtOthers: async () => undefined,
      addresses: async () => ({ rows: [address], total: 1 }),
      contacts: async () => [],
      history: async () => ({ rows, total: rows.length, fault: null }),
      payeeFaults: async (payees) => payees.map(() => null),
      lookAlike: async () => null,
      maxPayment: async () => wallet?.sendable ?? nothing,
      consolidation: async () => null,
      lock: async () => undefined,
    },
    keyring: {
      connect: () => undefined,
      lock: () => undefined,
      pauseMs: () => 0,
    },
  };
}
