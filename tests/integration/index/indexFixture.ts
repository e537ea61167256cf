/** Fixture of the index: a chain with reorganisations, red blocks and conflicting payments, and an index over an engine of the test. */
import { readTxCheck } from "@svc/node-server/engine/calls/engineFacts.ts";
import { takeQuestion } from "@svc/node-server/engine/calls/engineQuestions.ts";
import type { QuestionSource } from "@svc/node-server/engine/calls/askFacts.ts";
import { DerivedStore } from "@svc/node-server/indexer/follow/derivedStore.ts";
import { IndexFollower } from "@svc/node-server/indexer/follow/indexFollower.ts";
import { DERIVED_LAYOUT } from "@svc/node-server/indexer/tables/indexLayout.ts";
import { chainEnd } from "@svc/node-server/indexer/tables/derivedTables.ts";
import type { BlockSource } from "@svc/node-server/indexer/derive/readBlock.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { KEYS_END, type KvReader } from "@svc/node-server/storage/kv.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { isAnswerTo } from "@svc/node-server/engine/calls/engineQuestions.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { readPaymentFacts } from "@svc/shared/protocol/facts/paymentFacts.ts";
import { readShieldedFacts } from "@svc/shared/protocol/facts/shieldedFacts.ts";
import type { SeededRandom } from "../../testkit/seededRandom.ts";
import { core, NOW_MS, START_MS } from "../engine/engineFixture.ts";
import { EngineNode } from "../engine/importFixture.ts";
import { madePayment } from "../payments/madePayment.ts";
import { smallNetwork } from "../node/smallNetwork.ts";

/** Profile of the network that both mine on. */
export const FORK_PROFILE = core.canonicalProfile(smallNetwork());
/** Chain blocks from the sink down to the anchor of a payment. */
const ANCHOR_BELOW = 6n;
/** Blocks that one side usually mines alone at most, and rounds of which one has payments. */
const MOST_ALONE = 5;
const PAYMENT_EVERY = 3;
const FEE = 20_000n;

/** Two miners that lose sight of each other again and again. */
export class ForkingChain {
  readonly #random: SeededRandom;
  readonly #mostAlone: number;
  readonly #sides = [new EngineNode(), new EngineNode()] as const;
  #nowMs = START_MS;
  #notes = 0;

  /** `mostAlone`: blocks that one side mines at most before it hears of the other. */
  constructor(random: SeededRandom, mostAlone = MOST_ALONE) {
    this.#random = random;
    this.#mostAlone = mostAlone;
  }

  /** What both mine before they hear of each other again, in an order in which the chain changes its mind. */
  round(): Uint8Array[] {
    const [left, right] = this.#sides;
    const shared = this.#random.below(PAYMENT_EVERY) === 0 ? [this.#payment(left)] : [];
    const ours = this.#alone(left, 1, shared);
    const theirs = this.#alone(right, 2, this.#random.below(2) === 0 ? shared : []);
    for (const block of theirs) left.insert(block);
    for (const block of ours) right.insert(block);
    left.settle();
    right.settle();
    return [...ours, ...theirs];
  }

  #alone(side: EngineNode, payTo: number, payments: readonly Uint8Array[]): Uint8Array[] {
    const count = 1 + this.#random.below(this.#mostAlone);
    return Array.from({ length: count }, (_, at) => {
      this.#nowMs += 1_000n;
      const own = this.#random.below(PAYMENT_EVERY) === 0 ? [this.#payment(side)] : [];
      const wanted = at === 0 ? [...payments, ...own] : own;
      const block = side.build(payTo, this.#ready(side, wanted), this.#nowMs);
      side.insert(block);
      side.settle();
      return block;
    });
  }

  /** Half of the payments spend a note that was spent before, on the other side as a rule. */
  #payment(side: EngineNode): Uint8Array {
    const { chainIndex } = side.tip();
    const block =
      side.engine.chainHashAt(chainIndex > ANCHOR_BELOW ? chainIndex - ANCHOR_BELOW : 0n) ?? "";
    const { root } = readShieldedFacts(callCore(() => side.engine.shieldedFacts(block)));
    if (this.#random.below(2) === 0) this.#notes += 1;
    const actions = 1 + this.#random.below(3);
    return madePayment(this.#notes, { block, root }, { actions, fee: FEE });
  }

  /** Those that this side would carry. */
  #ready(side: EngineNode, payments: readonly Uint8Array[]): Uint8Array[] {
    return payments.filter((raw) => {
      const held = side.engine.holdTransaction(raw);
      try {
        const { txid, format } = readTxCheck(side.engine.checkTransaction(held));
        side.approve([{ txid, format }]);
        return true;
      } catch {
        return false;
      } finally {
        side.engine.releaseTransaction(held);
      }
    });
  }
}

/** Answers of an engine of the test's own thread. */
export function sourceOf(node: Pick<EngineNode, "engine">, skipsWork = true): BlockSource {
  const engine: QuestionSource = {
    ask: (question, args) => {
      const answer = callCore(() => takeQuestion(node.engine, question, args));
      if (!isAnswerTo(question, answer)) throw new Error(question);
      return Promise.resolve(answer);
    },
  };
  return {
    engine,
    skipsWork,
    summarize: (raw, daaScore) =>
      readPaymentFacts(callCore(() => core.transactionSummary(FORK_PROFILE, raw, daaScore))),
  };
}

/** An index that follows an engine of the test. */
export type TestIndex = {
  readonly derived: DerivedStore;
  readonly follower: IndexFollower;
  /** Resolves when it is at the engine's sink. */
  settle(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts an index over an engine; `root: null` keeps it in memory. */
export async function startIndex(node: EngineNode, root: string | null = null): Promise<TestIndex> {
  const log = createLog("silent");
  const derived = new DerivedStore({ root, log });
  await derived.open();
  const follower = new IndexFollower({
    derived,
    source: sourceOf(node),
    clock: new ManualClock(NOW_MS),
    log,
    keptMs: null,
  });
  follower.start();
  return {
    derived,
    follower,
    settle: async () => {
      for (;;) {
        const settled = follower.caughtUp;
        follower.wake();
        await settled;
        if (headOf(derived.kv) === node.tip().sink) return;
      }
    },
    stop: async () => {
      await follower.stop();
      await derived.close();
    },
  };
}

/** The newest indexed chain block. */
export function headOf(reader: Pick<KvReader, "get" | "range">): string | undefined {
  return chainEnd(reader, "last")?.hash;
}

/** All rows of the derived tables, as text. */
export function derivedRows(reader: Pick<KvReader, "range">): string[] {
  return DERIVED_LAYOUT.tables.flatMap(({ number, name }) => {
    const all = { table: number, from: new Uint8Array(), to: KEYS_END, limit: 10_000_000 };
    return reader
      .range(all)
      .map(({ key, value }) => `${name} ${encodeHex(key)} ${encodeHex(value)}`);
  });
}
