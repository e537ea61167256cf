/**
 * Codec of transactions between peers' messages and RawTransaction (specification network 1.1; docs/formats.md 1).
 *
 * Bytes are copied from one form into the other. The writer of a form checks that the form can hold the values; the core
 * judges their meaning.
 */
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { SvcError } from "../../base/svcError.ts";
import { SUBNETWORK_ID_LENGTH } from "../../chain/transaction.ts";
import { FORM_BOUNDS } from "../raw/formBounds.ts";
import { MIN_INPUT_LENGTH, MIN_OUTPUT_LENGTH } from "../raw/rawTransaction.ts";
import type {
  P2pTransaction,
  P2pTransactionInput,
  P2pTransactionOutput,
} from "./generated/p2pValues.ts";
import { badField, hashBytes, requiredField, u16Field } from "./p2pFields.ts";

const HASH_LENGTH = 32;
/** Marks of an output without and with a covenant. */
const NO_COVENANT = 0;
const COVENANT = 1;

/** Converts a message to a RawTransaction. Throws `p2p/bad-message`. */
export function rawTransactionOf(message: P2pTransaction): Uint8Array<ArrayBuffer> {
  const { inputs, outputs, payload } = message;
  const writer = new ByteWriter(128 + payload.length).u16(u16Field("version", message.version));
  writer.u32(count("inputs", inputs, FORM_BOUNDS.inputs));
  for (const input of inputs) writeInput(writer, input);
  writer.u32(count("outputs", outputs, FORM_BOUNDS.outputs));
  for (const output of outputs) writeOutput(writer, output);
  const { bytes: subnetworkId } = requiredField("subnetworkId", message.subnetworkId);
  if (subnetworkId.length !== SUBNETWORK_ID_LENGTH)
    throw badField("subnetworkId", `it has ${subnetworkId.length} bytes`);
  return writer
    .u64(message.lockTime)
    .raw(subnetworkId)
    .u64(message.gas)
    .block(bounded("payload", payload, FORM_BOUNDS.payload))
    .u64(message.storageMass)
    .toBytes();
}

/** Converts a RawTransaction to its message; its byte strings are views of the input. Throws `codec/…`. */
export function transactionMessage(raw: Uint8Array): P2pTransaction {
  const reader = new ByteReader(raw);
  const version = reader.u16();
  const inputs = reader.checkCount(reader.u32(), FORM_BOUNDS.inputs, MIN_INPUT_LENGTH);
  const inputMessages = Array.from({ length: inputs }, () => readInput(reader));
  const outputs = reader.checkCount(reader.u32(), FORM_BOUNDS.outputs, MIN_OUTPUT_LENGTH);
  const message = {
    version,
    inputs: inputMessages,
    outputs: Array.from({ length: outputs }, () => readOutput(reader)),
    lockTime: reader.u64(),
    subnetworkId: { bytes: reader.take(SUBNETWORK_ID_LENGTH) },
    gas: reader.u64(),
    payload: reader.take(reader.checkCount(reader.u32(), FORM_BOUNDS.payload, 1)),
    storageMass: reader.u64(),
  };
  reader.finish();
  return message;
}

function writeInput(writer: ByteWriter, input: P2pTransactionInput): void {
  const outpoint = requiredField("previousOutpoint", input.previousOutpoint);
  writer
    .raw(hashBytes("transactionId", outpoint.transactionId))
    .u32(outpoint.index)
    .block(bounded("signatureScript", input.signatureScript, FORM_BOUNDS.signatureScript))
    .u64(input.sequence)
    .u16(u16Field("computeCommit", input.computeCommit));
}

function readInput(reader: ByteReader): P2pTransactionInput {
  const previousOutpoint = {
    transactionId: { bytes: reader.take(HASH_LENGTH) },
    index: reader.u32(),
  };
  return {
    previousOutpoint,
    signatureScript: reader.take(reader.checkCount(reader.u32(), FORM_BOUNDS.signatureScript, 1)),
    sequence: reader.u64(),
    computeCommit: reader.u16(),
  };
}

function writeOutput(writer: ByteWriter, output: P2pTransactionOutput): void {
  const { script, version } = requiredField("scriptPublicKey", output.scriptPublicKey);
  writer
    .u64(output.value)
    .u16(u16Field("scriptPublicKey.version", version))
    .block(bounded("script", script, FORM_BOUNDS.script));
  const { covenant } = output;
  if (covenant === undefined) {
    writer.u8(NO_COVENANT);
    return;
  }
  writer
    .u8(COVENANT)
    .u16(u16Field("authorizingInput", covenant.authorizingInput))
    .raw(hashBytes("covenantId", covenant.covenantId));
}

function readOutput(reader: ByteReader): P2pTransactionOutput {
  const value = reader.u64();
  const version = reader.u16();
  const script = reader.take(reader.checkCount(reader.u32(), FORM_BOUNDS.script, 1));
  return { value, scriptPublicKey: { script, version }, covenant: readCovenant(reader) };
}

function readCovenant(reader: ByteReader): P2pTransactionOutput["covenant"] {
  const mark = reader.u8();
  if (mark === NO_COVENANT) return undefined;
  if (mark !== COVENANT) throw new SvcError("codec/not-canonical", { what: "covenant" });
  return {
    authorizingInput: reader.u16(),
    covenantId: { bytes: reader.take(HASH_LENGTH) },
  };
}

function count(field: string, items: readonly unknown[], max: number): number {
  if (items.length > max) throw badField(field, `${items.length} of at most ${max}`);
  return items.length;
}

function bounded(field: string, bytes: Uint8Array, max: number): Uint8Array {
  if (bytes.length > max) throw badField(field, `${bytes.length} of at most ${max} bytes`);
  return bytes;
}
