/** Reads what a node answers over the browser protocol (interfaces 5). Bytes in, checked values out. */
import * as v from "valibot";
import { asAnchor, asBlockHash, asBlueScore, type TxId } from "../base/brand.ts";
import { ByteReader } from "../base/bytes.ts";
import { encodeHex } from "../base/hex.ts";
import { isCode, SvcError } from "../base/svcError.ts";
import { fields } from "../base/fields.ts";
import type { AnchorRow, ChainPlace, NodeTip } from "./ports.ts";

const tipSchema = v.object({
  genesis: fields.blockHash,
  profileDigest: v.string(),
  sink: fields.blockHash,
  sinkBlueScore: fields.blueScore,
  daaScore: fields.daaScore,
  chainIndex: fields.chainIndex,
  treeSize: fields.leafPosition,
  treeRoot: fields.anchor,
});
const placeSchema = v.object({ hash: fields.blockHash, chainIndex: fields.chainIndex });
const submittedSchema = v.object({ txid: fields.txId });

/** Bytes of one row of `/v1/anchors`: blue score, hash, root. */
const ANCHOR_ROW_LENGTH = 72;

/** Reads `/v1/tip` as far as a wallet looks at it. Throws `codec/bad-json`. */
export function readTip(answer: Uint8Array): NodeTip {
  return readJson(tipSchema, answer);
}

/** Reads `/v1/locate`. Throws `codec/bad-json`. */
export function readChainPlace(answer: Uint8Array): ChainPlace {
  return readJson(placeSchema, answer);
}

/** Reads `/v1/tx`. Throws `codec/bad-json`. */
export function readSubmitted(answer: Uint8Array): TxId {
  return readJson(submittedSchema, answer).txid;
}

/** Reads `/v1/anchors`. Throws `codec/trailing-bytes`. */
export function readAnchorRows(answer: Uint8Array): readonly AnchorRow[] {
  const reader = new ByteReader(answer);
  const rows: AnchorRow[] = [];
  while (reader.remaining >= ANCHOR_ROW_LENGTH) {
    rows.push({
      blueScore: asBlueScore(reader.u64()),
      hash: asBlockHash(encodeHex(reader.take(32))),
      root: asAnchor(encodeHex(reader.take(32))),
    });
  }
  reader.finish();
  return rows;
}

/**
 * The error that an answer stands for: its code and data fields lie beside the sentence. An
 * answer without a known code becomes `http/unavailable`.
 */
export function readNodeError(status: number, answer: Uint8Array): SvcError {
  const body = parseJson(answer);
  if (typeof body === "object" && body !== null && "code" in body) {
    const { code, error: _, ...data } = { error: "", ...body };
    if (typeof code === "string" && isCode(code)) return SvcError.fromJson({ code, data });
  }
  return new SvcError("http/unavailable", { reason: `status ${status}` });
}

function readJson<T>(schema: v.GenericSchema<unknown, T>, answer: Uint8Array): T {
  const result = v.safeParse(schema, parseJson(answer));
  if (result.success) return result.output;
  const reason = v.getDotPath(result.issues[0]) ?? "not the expected object";
  throw new SvcError("codec/bad-json", { reason });
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
