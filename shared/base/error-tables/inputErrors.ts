/** Error registry, rows for malformed input of people and programs: bytes, amounts, addresses, keys, profiles. */
import type { CodeOf } from "../generated/codes.ts";
import { caller, defect, malformed, operator, type ErrorInfo } from "./errorInfo.ts";

type Area = "codec" | "amount" | "address" | "keys" | "profile" | "uri";

/** The registry rows of the areas above. */
export const inputErrors: { readonly [C in CodeOf<Area>]: ErrorInfo } = {
  "codec/unexpected-end": malformed("The data ends too early."),
  "codec/trailing-bytes": malformed("{remaining} bytes are left over after the end of the data."),
  "codec/count-too-large": malformed("The data promises {count} items; at most {max} are allowed."),
  "codec/bad-csv": caller("Line {line} is no CSV: {reason}."),
  "codec/bad-hex": malformed("“{text}” is not hexadecimal of the right length."),
  "codec/bad-json": malformed("The JSON is not what was expected: {reason}."),
  "codec/bad-magic": malformed("The data is of an unknown format."),
  "codec/bad-cbor": malformed("The data is not the CBOR that was expected: {reason} at {offset}."),
  "codec/bad-checksum": malformed("The data was damaged on the way."),
  "codec/bad-utf8": malformed("The text is not valid UTF-8."),
  "codec/not-canonical": malformed("The data is not in its one valid form: {what}."),
  "codec/number-out-of-range": malformed("“{text}” is not a whole number up to {max}."),
  "codec/version": malformed("The data has format {found}; this program knows {expected}."),
  "codec/wrong-length": malformed("The data has {found} bytes instead of {expected}."),

  "amount/malformed": caller("“{text}” is not an amount. Write it like 12.5."),
  "amount/zero": caller("The amount must be more than zero."),
  "amount/negative": caller("The amount must not be negative."),
  "amount/too-many-decimals": caller("An amount has at most {max} decimals."),
  "amount/too-large": caller("This is more than all coins that will ever exist."),

  "address/missing-prefix": caller("The address lacks its network name in front of the colon."),
  "address/wrong-network": caller("The address belongs to {found}; this wallet is on {expected}."),
  "address/bad-character": caller(
    "Character {position} of the address cannot occur in an address.",
  ),
  "address/bad-checksum": caller("The address has a typing error: its check digits do not fit."),
  "address/bad-version": caller("The address is of a kind this program does not know."),
  "address/bad-length": caller("The address is too short or too long."),
  "address/bad-padding": caller("The address is damaged at its end."),
  "address/bad-key": caller("The address is well written but nobody could receive with it."),

  "uri/duplicate-key": caller("The payment link names “{key}” twice."),
  "uri/malformed": caller("This is not a payment link: {reason}."),
  "uri/too-long": caller("The payment link has {length} characters; at most {max} are read."),
  "uri/unsupported": caller("The payment link demands “{key}”, which this wallet does not know."),

  "keys/bad-seed": caller("The seed is not a usable key."),
  "keys/bad-spend-key": caller("The spending key is not usable."),
  "keys/bad-viewing-key": caller("The viewing key is not usable."),
  "keys/bad-signature": caller("The signature does not belong to this address and message.", 422),
  "keys/address-mismatch": caller("The viewing key does not belong to this address."),
  "keys/random-unavailable": operator("The system gave no randomness, so no key was made."),

  "profile/unknown": caller("There is no built-in network called “{name}”."),
  "profile/invalid": caller("The network profile is not valid: {reason}."),
  "profile/bad-value": caller("Field {field} of the network profile is wrong: {reason}."),
  "profile/too-large": caller("The network profile has {length} bytes; at most {max} are read."),
  "profile/genesis-mismatch": defect("The profile's genesis hashes to {found}, not to {expected}."),
};
