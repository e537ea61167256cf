/** Codec of RawTransaction: the little-endian bytes of a transaction (docs/formats.md 1). */
import { asSompi, asTxId, parseHash32 } from "../../base/brand.ts";
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import {
  SUBNETWORK_ID_LENGTH,
  type Covenant,
  type Transaction,
  type TransactionInput,
  type TransactionOutput,
} from "../../chain/transaction.ts";
import { FORM_BOUNDS } from "./formBounds.ts";

/** Bytes of the smallest input. */
export const MIN_INPUT_LENGTH = 32 + 4 + 4 + 8 + 2;
/** Bytes of the smallest output. */
export const MIN_OUTPUT_LENGTH = 8 + 2 + 4 + 1;
const VERSION_0_COMPUTE_MAX = 0xff;

/**
 * Encodes a transaction. Throws `codec/number-out-of-range`, `codec/count-too-large`, `codec/not-canonical`,
 * `codec/wrong-length`.
 */
export function encodeRawTransaction(transaction: Transaction): Uint8Array<ArrayBuffer> {
  const { version, inputs, outputs, subnetworkId, payload } = transaction;
  const writer = new ByteWriter(128 + payload.length).u16(version);
  writer.u32(checkCount(inputs.length, FORM_BOUNDS.inputs));
  for (const input of inputs) writeInput(writer, input, version);
  writer.u32(checkCount(outputs.length, FORM_BOUNDS.outputs));
  for (const output of outputs) writeOutput(writer, output, version);
  if (subnetworkId.length !== SUBNETWORK_ID_LENGTH) {
    const found = subnetworkId.length;
    throw new SvcError("codec/wrong-length", { expected: SUBNETWORK_ID_LENGTH, found });
  }
  checkCount(payload.length, FORM_BOUNDS.payload);
  return writer
    .u64(transaction.lockTime)
    .raw(subnetworkId)
    .u64(transaction.gas)
    .block(payload)
    .u64(transaction.storageMass)
    .toBytes();
}

/** Decodes a transaction; reads the bytes to their last one. Throws `codec/…`. */
export function decodeRawTransaction(bytes: Uint8Array): Transaction {
  const reader = new ByteReader(bytes);
  const version = reader.u16();
  const inputCount = reader.checkCount(reader.u32(), FORM_BOUNDS.inputs, MIN_INPUT_LENGTH);
  const inputs = Array.from({ length: inputCount }, () => readInput(reader, version));
  const outputCount = reader.checkCount(reader.u32(), FORM_BOUNDS.outputs, MIN_OUTPUT_LENGTH);
  const outputs = Array.from({ length: outputCount }, () => readOutput(reader, version));
  const transaction = {
    version,
    inputs,
    outputs,
    lockTime: reader.u64(),
    subnetworkId: reader.take(SUBNETWORK_ID_LENGTH).slice(),
    gas: reader.u64(),
    payload: byteString(reader, FORM_BOUNDS.payload),
    storageMass: reader.u64(),
  };
  reader.finish();
  return transaction;
}

function writeInput(writer: ByteWriter, input: TransactionInput, version: number): void {
  checkCount(input.script.length, FORM_BOUNDS.signatureScript);
  checkCompute(input.compute, version);
  writer
    .raw(decodeHex(input.txid, 32))
    .u32(input.index)
    .block(input.script)
    .u64(input.sequence)
    .u16(input.compute);
}

function readInput(reader: ByteReader, version: number): TransactionInput {
  const input = {
    txid: asTxId(encodeHex(reader.take(32))),
    index: reader.u32(),
    script: byteString(reader, FORM_BOUNDS.signatureScript),
    sequence: reader.u64(),
    compute: reader.u16(),
  };
  checkCompute(input.compute, version);
  return input;
}

function writeOutput(writer: ByteWriter, output: TransactionOutput, version: number): void {
  checkCount(output.script.length, FORM_BOUNDS.script);
  writer.u64(output.value).u16(output.scriptVersion).block(output.script);
  if (output.covenant === null) {
    writer.u8(0);
    return;
  }
  if (version === 0) throw new SvcError("codec/not-canonical", { what: "covenant" });
  const { authorizingInput, id } = output.covenant;
  writer.u8(1).u16(authorizingInput).raw(decodeHex(id, 32));
}

function readOutput(reader: ByteReader, version: number): TransactionOutput {
  return {
    value: asSompi(reader.u64()),
    scriptVersion: reader.u16(),
    script: byteString(reader, FORM_BOUNDS.script),
    covenant: readCovenant(reader, version),
  };
}

function readCovenant(reader: ByteReader, version: number): Covenant | null {
  const mark = reader.u8();
  if (mark === 0) return null;
  if (mark !== 1 || version === 0) throw new SvcError("codec/not-canonical", { what: "covenant" });
  return { authorizingInput: reader.u16(), id: parseHash32(encodeHex(reader.take(32))) };
}

/** In version 0 the field counts signature operations and is one byte wide in every other form. */
function checkCompute(compute: number, version: number): void {
  if (version === 0 && compute > VERSION_0_COMPUTE_MAX) {
    const data = { text: String(compute), max: VERSION_0_COMPUTE_MAX };
    throw new SvcError("codec/number-out-of-range", data);
  }
}

function byteString(reader: ByteReader, max: number): Uint8Array {
  return reader.take(reader.checkCount(reader.u32(), max, 1)).slice();
}

function checkCount(count: number, max: number): number {
  if (count > max) throw new SvcError("codec/count-too-large", { count, max });
  return count;
}
