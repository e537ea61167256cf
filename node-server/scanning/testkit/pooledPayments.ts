/** Payments that wait at a node, for fake scanners: each names the number of the key that it pays. */
import { asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { ByteReader, ByteWriter } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { poolRecord } from "@svc/shared/wallet/node/poolRecord.ts";
import type { RecordPage } from "@svc/shared/wallet/state/ports.ts";
import type { PooledPayment } from "../poolScan.ts";

/** The number of a key that stands for bytes which no scanner reads. */
export const UNREADABLE = 0xff;

const HEAD_BYTES = 98;
const ACTION_BYTES = 788;
const PAYEE_AT = 96;

/** A payment whose id is a number, with two actions, of which the first pays a key. */
export function pooledPayment(number: number, key: number): PooledPayment {
  const txid = decodeHex(number.toString(16).padStart(64, "0"));
  const action = new Uint8Array(ACTION_BYTES);
  action[PAYEE_AT] = key;
  const frame = new ByteWriter().raw(txid).u16(2).raw(action).raw(new Uint8Array(ACTION_BYTES));
  return poolRecord(frame.toBytes());
}

/** What the payments of a page are. Throws `codec/bad-json` where one of them is `UNREADABLE`. */
export function paymentsIn({ body }: RecordPage): readonly {
  readonly txid: TxId;
  readonly key: number;
}[] {
  const reader = new ByteReader(body);
  reader.take(HEAD_BYTES);
  const payments = Array.from({ length: reader.u16() }, () => {
    const txid = asTxId(encodeHex(reader.take(32)));
    const actions = reader.u16();
    const key = reader.take(ACTION_BYTES)[PAYEE_AT] ?? 0;
    reader.take((actions - 1) * ACTION_BYTES);
    return { txid, key };
  });
  if (payments.some(({ key }) => key === UNREADABLE)) {
    throw new SvcError("codec/bad-json", { reason: "a test" });
  }
  return payments;
}
