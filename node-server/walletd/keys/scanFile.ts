/**
 * Scan file: the snapshot of a wallet, sealed with the data key of its wallet file.
 *
 * Magic 7 ‖ version u8 1 ‖ sealed u8 (1 or 0) ‖ id of the wallet file 16, then the body: nonce 24 ‖ ciphertext ‖ tag 16, or in
 * plaintext the bytes ‖ CRC-32C u32 over all before it. Token, network and the part in clear are authenticated with the body.
 */
import { ByteReader, ByteWriter, concatBytes, equalBytes } from "@svc/shared/base/bytes.ts";
import { crc32c } from "@svc/shared/base/crc32c.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { openBytes, sealBytes, sealContext } from "./sealedBytes.ts";
import type { WalletToken } from "./walletToken.ts";

const MAGIC = new TextEncoder().encode("svcscan");
const VERSION = 1;
const ID_BYTES = 16;
const HEAD_BYTES = MAGIC.length + 2 + ID_BYTES;
const CRC_BYTES = 4;

/** Whose scan it is. */
export type ScanOwner = {
  readonly token: WalletToken;
  readonly network: string;
  /** Of the wallet file. */
  readonly id: string;
  readonly dataKey: Secret | null;
};

/** What stands in clear at the front of a scan file. */
export type ScanHead = { readonly isSealed: boolean; readonly id: string };

/** The bytes of a scan file, sealed when its owner has a data key. */
export function writeScanFile(owner: ScanOwner, snapshot: Uint8Array): Uint8Array<ArrayBuffer> {
  const { id, dataKey } = owner;
  const head = new ByteWriter(HEAD_BYTES)
    .raw(MAGIC)
    .u8(VERSION)
    .u8(dataKey === null ? 0 : 1)
    .raw(decodeHex(id, ID_BYTES))
    .toBytes();
  if (dataKey !== null) {
    return concatBytes(head, sealBytes(dataKey, contextOf(owner, head), snapshot));
  }
  const crc = new ByteWriter(CRC_BYTES).u32(crc32c(snapshot, crc32c(head)));
  return concatBytes(head, snapshot, crc.toBytes());
}

/** Reads the clear part. Throws `wallet/file-damaged`, `wallet/file-version`; `label` stands for the file. */
export function readScanHead(bytes: Uint8Array, label: string): ScanHead {
  if (bytes.length < HEAD_BYTES) throw damaged(label, "it is too short");
  const reader = new ByteReader(bytes.subarray(0, HEAD_BYTES));
  if (!equalBytes(reader.take(MAGIC.length), MAGIC)) throw damaged(label, "it is no scan file");
  const version = reader.u8();
  if (version > VERSION) {
    throw new SvcError("wallet/file-version", { file: label, expected: VERSION, found: version });
  }
  const sealed = reader.u8();
  if (version !== VERSION || sealed > 1) throw damaged(label, "its first bytes");
  return { isSealed: sealed === 1, id: encodeHex(reader.take(ID_BYTES)) };
}

/**
 * The snapshot in a scan file. Throws `wallet/file-damaged`, also for a scan of another wallet and for one in plaintext whose
 * owner has a data key: whoever can write files could have made it. Throws `wallet/file-version`.
 */
export function openScanFile(owner: ScanOwner, bytes: Uint8Array, label: string): Uint8Array {
  const { id, isSealed } = readScanHead(bytes, label);
  if (id !== owner.id) throw damaged(label, "it belongs to another wallet");
  const head = bytes.subarray(0, HEAD_BYTES);
  const body = bytes.subarray(HEAD_BYTES);
  if (isSealed !== (owner.dataKey !== null)) {
    throw damaged(label, isSealed ? "it is sealed, its wallet is not" : "it is not sealed");
  }
  const snapshot =
    owner.dataKey === null
      ? checkedBody(head, body)
      : openBytes(owner.dataKey, contextOf(owner, head), body);
  if (snapshot === null) throw damaged(label, "its bytes were changed");
  return snapshot;
}

function checkedBody(head: Uint8Array, body: Uint8Array): Uint8Array | null {
  if (body.length < CRC_BYTES) return null;
  const snapshot = body.subarray(0, body.length - CRC_BYTES);
  const found = new ByteReader(body.subarray(body.length - CRC_BYTES)).u32();
  return found === crc32c(snapshot, crc32c(head)) ? snapshot : null;
}

function contextOf({ token, network }: ScanOwner, head: Uint8Array): Uint8Array {
  return sealContext("scan", VERSION, token, network, encodeHex(head));
}

function damaged(file: string, reason: string): SvcError {
  return new SvcError("wallet/file-damaged", { file, reason });
}
