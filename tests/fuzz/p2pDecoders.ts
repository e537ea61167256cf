/** Fuzz targets: decoders of peer-to-peer messages, and their conversion to the core's raw forms. */
import { ByteWriter, equalBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { P2pBlock } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import {
  blockMessage,
  headerForms,
  headerMessages,
  rawBlockFrom,
  rawBlockOf,
  rawHeadersOf,
} from "@svc/shared/protocol/p2p/p2pBlock.ts";
import {
  readEnvelope,
  writeEnvelope,
  type P2pPayload,
} from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import {
  sampleHash,
  sampleHistory,
  sampleState,
} from "@svc/shared/protocol/p2p/testkit/importSamples.ts";
import { throughRaw } from "@svc/shared/protocol/p2p/testkit/throughRaw.ts";
import { rawTransactionOf, transactionMessage } from "@svc/shared/protocol/p2p/p2pTransaction.ts";
import { p2pVectors } from "../vectors/p2pVectors.ts";
import type { Decoder } from "./fuzzDecoder.ts";

const { recorded, made } = p2pVectors();
const alone = (payload: P2pPayload): Uint8Array =>
  writeEnvelope({ payload, responseId: 0, requestId: 0 });
/** A payment on its stem is a transaction under another number. */
const onStem = (envelope: Uint8Array): Uint8Array[] => {
  const { payload } = readEnvelope(envelope);
  return payload?.$case === "transaction"
    ? [alone({ $case: "stemTransaction", value: payload.value })]
    : [];
};
const known = [...recorded, ...made].map(({ hex }) => decodeHex(hex));
const seeds = [...known, ...known.flatMap(onStem)];
/** The recorded state is shortened, which no reader takes. */
const importSeeds = [
  ...recorded.filter(({ type }) => type !== "shieldedMetadata").map(({ hex }) => decodeHex(hex)),
  alone({ $case: "shieldedMetadata", value: sampleState() }),
  alone({ $case: "shieldedHistoryChunk", value: sampleHistory() }),
  alone({ $case: "shieldedNullifierChunk", value: { nullifiers: [sampleHash(1)] } }),
  alone({
    $case: "anchorBindingChunk",
    value: { entries: [{ block: sampleHash(2), data: sampleHash(3) }], done: true },
  }),
];

/** What was read can be written, and reads the same. */
function envelope(bytes: Uint8Array): void {
  const written = writeEnvelope(readEnvelope(bytes));
  if (!equalBytes(writeEnvelope(readEnvelope(written)), written)) {
    throw new Error("what was written reads otherwise");
  }
}

/** The raw form of whatever a message carries, and back. */
function raw(bytes: Uint8Array): void {
  const { payload } = readEnvelope(bytes);
  if (payload !== undefined) toRaw(payload);
}

function toRaw({ $case, value }: P2pPayload): void {
  switch ($case) {
    case "block":
    case "ibdBlock":
      block(value);
      break;
    case "transaction":
    case "stemTransaction":
      same(rawTransactionOf(value), (form) => rawTransactionOf(transactionMessage(form)));
      break;
    case "blockBody":
      value.transactions.forEach((each) => rawTransactionOf(each));
      break;
    case "blockHeaders":
    case "pruningPoints":
      headers(rawHeadersOf(value.blockHeaders));
      break;
    case "blockWithTrustedDataV4":
      if (value.block !== undefined) block(value.block);
      break;
    default:
      break;
  }
}

function block(value: P2pBlock): void {
  const { header } = value;
  if (header !== undefined) rawBlockFrom(header, value.transactions);
  same(rawBlockOf(value), (form) => rawBlockOf(blockMessage(form)));
}

/** Headers that are passed over are as long as those that are read. */
function headers(raw: Uint8Array): void {
  same(raw, (form) => rawHeadersOf(headerMessages(form)));
  const forms = headerForms(raw);
  const writer = new ByteWriter(raw.length).u32(forms.length);
  for (const form of forms) writer.raw(form);
  same(raw, () => writer.toBytes());
}

function same(form: Uint8Array, again: (form: Uint8Array) => Uint8Array): void {
  if (!equalBytes(again(form), form)) throw new Error("the raw form reads otherwise");
}

/** Whether what goes through the raw form of an import once comes out of it the same the second time. */
function imported(bytes: Uint8Array): void {
  const { payload } = readEnvelope(bytes);
  if (payload === undefined) return;
  const once = throughRaw(payload);
  if (once === undefined) return;
  const again = throughRaw(once);
  if (again === undefined) throw new Error("there is no raw form the second time");
  same(alone(once), () => alone(again));
}

/** All decoders of peers' messages. */
export const P2P_DECODERS: readonly Decoder[] = [
  { name: "p2p: envelope", seeds, run: envelope },
  { name: "p2p: raw forms", seeds, run: raw },
  { name: "p2p: imports", seeds: importSeeds, run: imported },
];
