/** Validates the fields of a payment form; every mistake has its own code. */
import { asAddressText, asRawAddress, type RawAddress } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import { parseCoins } from "../../base/money.ts";
import { encodeMemo } from "../state/memo.ts";
import type { Payee } from "../state/payment.ts";

/** The fields of one payee as typed: text address, coins in plain decimal, memo text. */
export type PayeeText = {
  readonly address: string;
  readonly amount: string;
  readonly memo: string;
};

/** Dependencies of the validation: what it needs to know about addresses. */
export type AddressBook = {
  /** Prefix of this network's addresses. */
  readonly hrp: string;
  /** The core's decoder: 43 bytes, or a throw with an `address/…` code. */
  readonly decodeAddress: (hrp: string, text: string) => Uint8Array;
  /** True for the addresses of this wallet. */
  readonly isOwn: (recipient: RawAddress) => boolean;
};

/**
 * Converts an address that is written in capitals throughout, as some QR codes have it, to small letters; others stay
 * unchanged.
 */
export function lowerCaseAddress(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text;
}

/** Validates a payee. Throws `address/…`, `amount/…` or `wallet/memo-too-long`. */
export function readPayee(text: PayeeText, book: AddressBook): Payee {
  const address = lowerCaseAddress(text.address.trim());
  const recipient = asRawAddress(encodeHex(book.decodeAddress(book.hrp, address)));
  return {
    address: asAddressText(address),
    recipient,
    value: parseCoins(text.amount),
    memo: encodeMemo(text.memo),
    own: book.isOwn(recipient),
  };
}
