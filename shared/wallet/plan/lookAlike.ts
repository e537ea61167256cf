/** Warning of an address that looks like a known one: the same at both of its ends, where people compare, and another in between. */
import { asAddressText, type AddressText } from "../../base/brand.ts";
import type { WalletState } from "../state/walletState.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { lowerCaseAddress } from "./payee.ts";

/** An address that the wallet's owner knows. */
export type KnownAddress = {
  readonly address: AddressText;
  /** Handed out by this wallet, a contact's, or one that it paid. */
  readonly kind: "own" | "contact" | "paid";
};

/** The known address that `typed` begins and ends like without being it; null for none, and for one that is known itself. */
export function lookAlike(typed: string, known: Iterable<KnownAddress>): KnownAddress | null {
  const address = lowerCaseAddress(typed.trim());
  const ends = endsOf(address);
  if (ends === null) return null;
  let found: KnownAddress | null = null;
  for (const one of known) {
    if (one.address === address) return null;
    if (found === null && endsOf(one.address) === ends) found = one;
  }
  return found;
}

/**
 * The addresses that were paid. A payment that was never signed makes none known: whoever was warned and gave it up is warned again.
 */
export function* paidAddresses({
  outbox,
  history,
}: Pick<WalletState, "outbox" | "history">): Generator<KnownAddress> {
  for (const { txid, payees } of outbox) {
    if (txid === null) continue;
    for (const { address } of payees) yield { address, kind: "paid" };
  }
  for (const { counterparty, payees = [] } of history) {
    if (counterparty !== null) yield { address: asAddressText(counterparty), kind: "paid" };
    for (const { address } of payees.slice(1)) yield { address, kind: "paid" };
  }
}

/** Prefix, first and last characters; null where a text is too short to have both. */
function endsOf(address: string): string | null {
  const data = address.indexOf(":") + 1;
  const chars = WALLET_LIMITS.lookAlikeChars;
  if (data === 0 || address.length - data < 2 * chars) return null;
  return `${address.slice(0, data + chars)}…${address.slice(-chars)}`;
}
