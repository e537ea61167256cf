/** Validates the fields of a payment form; every mistake has its own code. */
import { asAddressText, asRawAddress, type RawAddress } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import { parseCoins } from "../../base/money.ts";
import { SvcError, type ErrorJson } from "../../base/svcError.ts";
import { encodeMemo } from "../state/memo.ts";
import type { Payee } from "../state/payment.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

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

/** Reads one payee of a form, as `readPayee` does with the addresses of a wallet. */
export type PayeeReader = (text: PayeeText) => Payee;

/** Reads all payees of a payment form. Throws as the reader does, and `wallet/too-many-payees`. */
export function readPayees(texts: readonly PayeeText[], read: PayeeReader): readonly Payee[] {
  const max = WALLET_LIMITS.walletPayeesMax;
  if (texts.length > max)
    throw new SvcError("wallet/too-many-payees", { count: texts.length, max });
  return texts.map((text) => read(text));
}

/** An amount that stands for one that was not typed yet. */
const UNTYPED = "1";

/** What is wrong with each payee of a form by itself while it is filled in: an empty field is nothing wrong. */
export function payeeFaults(
  texts: readonly PayeeText[],
  read: PayeeReader,
): readonly (ErrorJson | null)[] {
  return texts.map((text) => {
    if (text.address.trim() === "") return null;
    try {
      read({ ...text, amount: text.amount.trim() === "" ? UNTYPED : text.amount });
      return null;
    } catch (error) {
      return SvcError.from(error).toJSON();
    }
  });
}
