/** Parts of keys of the gateway's tables. */
import { asInvoiceId, type InvoiceId, type ViewingKeyId } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";

/** Bytes of an invoice in a key. */
export const INVOICE_KEY_BYTES = 16;
/** The content of an index row: a version, for what may come. */
export const INDEXED = Uint8Array.of(1);

/** The 16 bytes of an invoice's id. */
export function invoiceKey(id: InvoiceId): Uint8Array<ArrayBuffer> {
  return decodeHex(id.slice("inv_".length));
}

/** The invoice that a key ends with. */
export function invoiceAtEnd(key: Uint8Array): InvoiceId {
  return asInvoiceId(`inv_${encodeHex(key.subarray(-INVOICE_KEY_BYTES))}`);
}

/** The 8 bytes of a viewing key's id. */
export function viewingKeyKey(id: ViewingKeyId): Uint8Array<ArrayBuffer> {
  return decodeHex(id.slice("key_".length));
}

/** A number of 32 bits, big endian. */
export function indexKey(index: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, index);
  return bytes;
}

/** The place of an address: viewing key and index. */
export function addressKey(key: ViewingKeyId, index: number): Uint8Array<ArrayBuffer> {
  return concatBytes(viewingKeyKey(key), indexKey(index));
}
