/** Rows about transactions, and the search that shows no hash. */
import * as v from "valibot";
import { flagOf, hex, integerOf, textOf, txid, word } from "../../contract/answerFields.ts";
import { hexField, requestObject } from "../../contract/requestFields.ts";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { blockHash, blockHashes, coverage, decimalOf, idParams } from "../restFields.ts";
import { route } from "../route.ts";
import { transactionKind } from "./blockRecords.ts";

const HASH = "ab".repeat(32);
const TXID = "f2".repeat(32);

/** How far a transaction has come. */
const transactionStatus = word(
  ["waiting", "included", "applied", "dropped"],
  "Waiting in the pool of the node; in a block that no chain block has merged; applied by a chain block; carried without effect.",
);

const output = v.object({
  transaction_id: txid,
  index: integerOf("Place among the outputs."),
  amount: integerOf("Sompi."),
  script_public_key: hex(),
  script_public_key_address: v.nullable(textOf("The shielded address that it pays.")),
  script_public_key_type: word(["nonstandard"]),
  accepting_block_hash: v.nullable(blockHash),
});

const transaction = v.object({
  subnetwork_id: hex(20),
  transaction_id: txid,
  hash: v.nullable(hex(32)),
  mass: v.nullable(decimalOf("Mass.")),
  payload: v.nullable(hex()),
  block_hash: blockHashes,
  block_time: v.nullable(integerOf("Unix milliseconds of the first of these blocks.")),
  is_accepted: flagOf("Whether a chain block applied it. Inclusion in a block is not enough."),
  confirmations: integerOf("Blue score of the newest chain block above that of the accepting one."),
  accepting_block_hash: v.nullable(blockHash),
  accepting_block_blue_score: v.nullable(integerOf("Blue score of the accepting block.")),
  accepting_block_time: v.nullable(integerOf("Unix milliseconds of the accepting block.")),
  inputs: v.null(),
  outputs: v.nullable(v.array(output)),
  kind: transactionKind,
  status: transactionStatus,
  status_reason: v.optional(
    textOf(
      "Why a block may have applied it all the same: `the index is behind the chain`. Left out where the status is that of the newest block.",
    ),
  ),
  drop_reason: v.nullable(textOf("Code of the reason for which a chain block gave it no effect.")),
  actions: integerOf("Actions: each spends one note and makes one."),
  fee: v.nullable(decimalOf("Sompi; null for a coinbase.")),
  size: v.nullable(integerOf("Bytes, as fees are counted.")),
  first_seen: v.nullable(integerOf("Unix milliseconds at which this node first saw it.")),
});

const found = v.object({
  transaction_id: txid,
  is_accepted: v.literal(true),
  accepting_block_hash: blockHash,
  accepting_block_blue_score: integerOf("Blue score of the accepting block."),
  block_time: integerOf("Unix milliseconds of the block that carries it."),
});

const bitsField = v.pipe(
  v.string("a number of bits"),
  v.regex(/^(?:\d|[1-3]\d|40)$/, "0 to 40"),
  v.transform(Number),
);

const prefixField = v.pipe(
  v.string("a prefix"),
  v.regex(/^(?:-|[0-9a-f]{1,10})$/, "hexadecimal digits, or a hyphen for none"),
);

/** The rows by their names. */
export const TRANSACTION_ROUTES = {
  transaction: route({
    group: "transactions",
    method: "GET",
    path: "/transactions/{id}",
    credential: "none",
    scope: "any",
    params: idParams,
    answer: transaction,
    refusals: ["chain/unknown-transaction", "chain/pruned", "http/unavailable"],
    about:
      "Shows a transaction. Outputs of a coinbase are public; a payment shows neither amounts nor addresses.",
    example: {
      answer: {
        subnetwork_id: "00".repeat(20),
        transaction_id: TXID,
        hash: "78".repeat(32),
        mass: "7264",
        payload: null,
        block_hash: [HASH],
        block_time: 1_795_678_901_234,
        is_accepted: true,
        confirmations: 12,
        accepting_block_hash: "ac".repeat(32),
        accepting_block_blue_score: 1_276_101,
        accepting_block_time: 1_795_678_902_345,
        inputs: null,
        outputs: null,
        kind: "payment",
        status: "applied",
        drop_reason: null,
        actions: 2,
        fee: "1860000",
        size: 7_264,
        first_seen: 1_795_678_899_000,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
} as const;

/** The rows that only an index answers. */
export const TRANSACTION_INDEX_ROUTES = {
  transactionSearch: route({
    group: "transactions",
    method: "POST",
    path: "/transactions/search",
    credential: "none",
    scope: "any",
    body: requestObject({
      transactionIds: v.pipe(
        v.array(hexField(32), "a list of transaction ids"),
        v.maxLength(
          PROTOCOL_LIMITS.restSearchIds,
          `at most ${PROTOCOL_LIMITS.restSearchIds} transaction ids`,
        ),
      ),
    }),
    answer: v.array(found),
    refusals: ["http/unavailable"],
    about: "Tells which of these transactions a chain block has applied; each id at most once.",
    example: {
      body: { transactionIds: [TXID] },
      answer: [
        {
          transaction_id: TXID,
          is_accepted: true,
          accepting_block_hash: "ac".repeat(32),
          accepting_block_blue_score: 1_276_101,
          block_time: 1_795_678_901_234,
        },
      ],
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  transactionCount: route({
    group: "transactions",
    method: "GET",
    path: "/transactions/count",
    credential: "none",
    scope: "any",
    answer: v.object({
      timestamp: integerOf("Unix milliseconds of the newest chain block."),
      dateTime: textOf("The same as text, in UTC."),
      coinbase: integerOf("Coinbases of the selected chain."),
      regular: integerOf("Payments that chain blocks have applied."),
      dropped: integerOf("Times that a chain block gave a carried payment no effect."),
      ...coverage,
    }),
    refusals: ["http/unavailable"],
    about: "Counts transactions of the selected chain, as far as the index reaches.",
    example: {
      answer: {
        timestamp: 1_795_678_901_234,
        dateTime: "2026-11-26T10:21:41.234Z",
        coinbase: 1_276_100,
        regular: 24_000,
        dropped: 31,
        coveredFrom: { daaScore: "0", timestamp: "1785079000000" },
        isComplete: true,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  searchBucket: route({
    group: "transactions",
    method: "GET",
    path: "/search/{bits}/{prefix}",
    credential: "none",
    scope: "any",
    params: v.object({ bits: bitsField, prefix: prefixField }),
    answer: v.object({
      bits: integerOf("Bits that all of these hashes begin with."),
      prefix: textOf("The prefix, as hexadecimal digits."),
      entries: textOf(
        "Base64 of 14 bytes for each hash: its first 8 bytes, what it is, 5 bytes of DAA score.",
      ),
    }),
    refusals: ["http/unavailable"],
    about:
      "Lists all blocks and transactions whose hashes begin with a prefix that at least 256 of them share, so that nobody is told which one is looked for.",
    example: {
      path: "/search/4/a",
      answer: { bits: 4, prefix: "a", entries: "q6urq6urq6sAAAATeKc=" },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
} as const;
