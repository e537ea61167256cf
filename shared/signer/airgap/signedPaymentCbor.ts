/** Codec of the answer of a device: the spend signatures of a prepared payment, as deterministic CBOR (specification airgap 3). */
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { WALLET_LIMITS } from "../../wallet/walletLimits.ts";
import { CborWriter } from "./cborWriter.ts";
import {
  AIRGAP_VERSION,
  readNextIndex,
  openMessage,
  SESSION_BYTES,
} from "./preparedPaymentCbor.ts";

const SIGNATURE_BYTES = 64;
const KEY = { version: 0, session: 1, signatures: 2 } as const;
const SIGNATURE_ITEMS = 2;

/** Signatures of the spends of a prepared payment, by the index of the action. */
export type SignedPayment = {
  readonly version: typeof AIRGAP_VERSION;
  /** That of the prepared payment. */
  readonly session: string;
  readonly signatures: readonly { readonly index: number; readonly sig: string }[];
};

/** Writes an answer. Throws `codec/bad-hex`, and for what nobody would take the codes of `decodeSignedPayment`. */
export function encodeSignedPayment(signed: SignedPayment): Uint8Array<ArrayBuffer> {
  const writer = new CborWriter().map(Object.keys(KEY).length);
  writer.number(KEY.version).number(AIRGAP_VERSION);
  writer.number(KEY.session).bytes(decodeHex(signed.session));
  const signatures = signed.signatures.toSorted((a, b) => a.index - b.index);
  writer.number(KEY.signatures).list(signatures.length);
  for (const { index, sig } of signatures) {
    writer.list(SIGNATURE_ITEMS).number(index).bytes(decodeHex(sig));
  }
  const bytes = writer.toBytes();
  decodeSignedPayment(bytes);
  return bytes;
}

/**
 * Reads an answer to its last byte; encoding it again gives the same bytes. Throws `airgap/message-too-long`, `airgap/bad-version`,
 * `airgap/cbor-…`, and `airgap/bad-alphas` for indices that do not go up.
 */
export function decodeSignedPayment(bytes: Uint8Array): SignedPayment {
  const reader = openMessage(bytes, Object.keys(KEY).length);
  reader.key(KEY.session);
  const session = encodeHex(reader.bytes(SESSION_BYTES));
  reader.key(KEY.signatures);
  const most = WALLET_LIMITS.walletActionsMax;
  let before = -1;
  const signatures = Array.from({ length: reader.list(most, 1) }, () => {
    reader.list(SIGNATURE_ITEMS);
    const index = readNextIndex(reader, before, most);
    before = index;
    return { index, sig: encodeHex(reader.bytes(SIGNATURE_BYTES)) };
  });
  reader.finish();
  return { version: AIRGAP_VERSION, session, signatures };
}
