/** Reads a block for the index: from its bytes and what the engine says of its place. */
import type { BlockHash, DaaScore } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { serializedSize } from "@svc/shared/chain/serializedSize.ts";
import type { Transaction } from "@svc/shared/chain/transaction.ts";
import type { BlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import type { PaymentFacts } from "@svc/shared/protocol/facts/paymentFacts.ts";
import { coinbaseMiner } from "@svc/shared/protocol/raw/coinbasePayload.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { encodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";
import { askFacts, type QuestionSource } from "../../engine/calls/askFacts.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import type { WorkKind } from "../tables/blockRow.ts";
import type { TransactionContent } from "../tables/transactionRow.ts";
import type { WholeBlock } from "./chainContent.ts";

/** Who answers about blocks. */
export type BlockSource = {
  readonly engine: QuestionSource;
  /** What a raw payment says. Throws `codec/…`, `shielded/…`, `tx/…`. */
  readonly summarize: (raw: Uint8Array, daaScore: DaaScore) => PaymentFacts;
  /** The network asks for no work. */
  readonly skipsWork: boolean;
};

/** Reads a block of the graph. Rejects with `chain/unknown-block`, and as a question does. */
export async function readBlock(
  source: BlockSource,
  hash: BlockHash,
  signal: AbortSignal,
): Promise<WholeBlock> {
  const { engine } = source;
  const [facts, raw] = await Promise.all([
    askFacts(engine, "blockFacts", [hash], signal),
    engine.ask("blockBytes", [hash], signal),
  ]);
  if (facts === undefined) throw new SvcError("chain/unknown-block", { hash });
  return wholeBlock(source, facts, raw);
}

/** A block whose body is gone has no transactions. */
function wholeBlock(
  source: BlockSource,
  facts: BlockFacts,
  raw: Uint8Array | undefined,
): WholeBlock {
  const { hash, parents, selectedParent, daaScore, blueScore, timestamp, difficulty } = facts;
  const place = { hash, parents, selectedParent, daaScore, blueScore, timestamp, difficulty };
  if (raw === undefined) {
    const nothing = { minerScript: new Uint8Array(), extraData: new Uint8Array() };
    const work = source.skipsWork ? "skipped" : "native";
    return { ...place, ...nothing, work, coinbase: [], transactions: [], contents: [] };
  }
  const { transactions, witness } = decodeRawBlock(raw);
  const [coinbase] = transactions;
  const contents = facts.txids.flatMap((txid, at): TransactionContent[] => {
    const transaction = transactions[at];
    if (transaction === undefined) return [];
    return [{ txid, ...contentOf(source, transaction, { isCoinbase: at === 0, daaScore }) }];
  });
  return {
    ...place,
    ...minerOf(coinbase?.payload ?? new Uint8Array()),
    work: workOf(source, witness),
    coinbase: coinbase?.outputs.map(({ value }) => value) ?? [],
    transactions: contents.map(({ txid, actions }) => ({ txid, actions })),
    contents,
  };
}

function workOf({ skipsWork }: BlockSource, witness: Uint8Array | undefined): WorkKind {
  if (skipsWork) return "skipped";
  return witness === undefined ? "native" : "merge-mined";
}

type Carried = { readonly isCoinbase: boolean; readonly daaScore: DaaScore };

function contentOf(
  { summarize }: BlockSource,
  transaction: Transaction,
  { isCoinbase, daaScore }: Carried,
): Omit<TransactionContent, "txid"> {
  const size = serializedSize(transaction);
  if (isCoinbase) return { kind: "coinbase", actions: 0, fee: null, size };
  try {
    const { actions, fee } = summarize(encodeRawTransaction(transaction), daaScore);
    return { kind: "payment", actions, fee, size };
  } catch (error) {
    // A block may carry a payment that no chain block can apply, since nobody can read it.
    const { code } = SvcError.from(error);
    if (!/^(?:codec|shielded|tx)\//.test(code)) throw error;
    return { kind: "payment", actions: 0, fee: null, size };
  }
}

/** What its miner says in the coinbase; nothing where that is too short. */
function minerOf(payload: Uint8Array): Pick<WholeBlock, "minerScript" | "extraData"> {
  const miner = coinbaseMiner(payload);
  return {
    minerScript: miner?.script.slice() ?? new Uint8Array(),
    extraData: miner?.extra.slice(0, INDEXER_LIMITS.indexExtraBytes) ?? new Uint8Array(),
  };
}
