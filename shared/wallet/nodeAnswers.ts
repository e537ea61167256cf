/** Reads what a node answers over the browser protocol (interfaces 5). Bytes in, checked values out. */
import * as v from "valibot";
import { asAnchor, asBlockHash, asBlueScore, type TxId } from "../base/brand.ts";
import { ByteReader } from "../base/bytes.ts";
import { encodeHex } from "../base/hex.ts";
import { isCode, SvcError } from "../base/svcError.ts";
import { fields } from "../base/fields.ts";
import { factsReader } from "../protocol/facts/readFacts.ts";
import type { AnchorRow, ChainPlace, NodeTip } from "./ports.ts";

const tipReader = factsReader(
  v.object({
    genesis: fields.blockHash,
    profileDigest: v.string(),
    sink: fields.blockHash,
    sinkBlueScore: fields.blueScore,
    daaScore: fields.daaScore,
    chainIndex: fields.chainIndex,
    treeSize: fields.leafPosition,
    treeRoot: fields.anchor,
  }),
  "tip",
);
const placeReader = factsReader(
  v.object({ hash: fields.blockHash, chainIndex: fields.chainIndex }),
  "chain place",
);
const submittedReader = factsReader(v.object({ txid: fields.txId }), "submitted transaction");

/** Bytes of one row of `/v1/anchors`: blue score, hash, root. */
const ANCHOR_ROW_LENGTH = 72;

/** Reads `/v1/tip` as far as a wallet looks at it. Throws `codec/bad-json`. */
export function readTip(answer: Uint8Array): NodeTip {
  return tipReader(decodeText(answer));
}

/** Reads `/v1/locate`. Throws `codec/bad-json`. */
export function readChainPlace(answer: Uint8Array): ChainPlace {
  return placeReader(decodeText(answer));
}

/** Reads `/v1/tx`. Throws `codec/bad-json`. */
export function readSubmitted(answer: Uint8Array): TxId {
  return submittedReader(decodeText(answer)).txid;
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

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeText(bytes));
  } catch {
    return undefined;
  }
}

function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
