/**
 * A fake node with fixed answers, for tests of transport alone: framing, order, bounds, errors. What the answers mean is tested
 * against a real node in `tests/integration`.
 */
import { asTimestampMs, asTxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { InsertOutcome } from "../../engine/calls/engineFacts.ts";
import { EvidenceAnswers } from "../service/evidenceAnswers.ts";
import type { NodeApi, NodeNotification, NodeProfile, NodeStatus } from "../service/nodeApi.ts";
import type { Question, QuestionAnswer, QuestionArgs } from "../../engine/calls/engineQuestions.ts";

/** Fixed answers of the engine by question; a function is called with the arguments. */
export type FakeAnswers = {
  [Q in Question]?: (...args: QuestionArgs<Q>) => QuestionAnswer<Q> | Promise<QuestionAnswer<Q>>;
};

/** Hash of 32 equal bytes. */
export function hashOf(byte: number): string {
  return byte.toString(16).padStart(2, "0").repeat(32);
}

/** Transport looks at few fields of a profile; the others are never read here. */
const known: Partial<NodeProfile> = {
  networkName: "net-fake",
  hrp: "fake",
  ports: { grpc: 1, p2p: 6666, p2pDial: 7777, wrpcBorsh: 2, wrpcJson: 3, http: null },
  mergesetSizeLimit: 180,
  difficultyWindowSize: 661,
  difficultySampleRate: 4,
  activations: { securityFork: 50_000 },
  canonicalJson: '{"networkName":"net-fake"}',
  digest: hashOf(0xdd),
};
const profile = known as NodeProfile;

/** The engine's TipFacts with a sink at this chain index. */
export function fakeTip(index: number): string {
  const hash = hashOf(index);
  return JSON.stringify({
    genesis: hashOf(0),
    sink: hash,
    sinkBlueScore: String(index),
    sinkBlueWork: index.toString(16),
    sinkTimestamp: "1000",
    daaScore: String(index + 1),
    chainIndex: String(index),
    finalIndex: "0",
    treeSize: "0",
    treeRoot: hashOf(0xee),
    pruningPoint: hashOf(0),
    virtualParents: [hash],
    tips: [hash],
    headersTip: hash,
    headersBlueScore: String(index),
    headersBlueWork: index.toString(16),
    pastMedianTime: "900",
    bits: 1,
    difficulty: 1.5,
    blockCount: String(index + 1),
    headerCount: String(index + 1),
    historyFromDaaScore: "0",
    historyComplete: true,
  });
}

/** The fake node, and the controls of a test. */
export class FakeNode implements NodeApi {
  readonly profile = profile;
  readonly version: string = "9.8.7";
  readonly nodeId = "00000000-0000-4000-8000-000000000000";
  network: NodeApi["network"] = null;
  index: NodeApi["index"] = null;
  unsafeRpc = false;
  readonly evidence = new EvidenceAnswers(this);
  readonly answers: FakeAnswers = { tip: () => fakeTip(1) };
  readonly listeners = new Set<(news: NodeNotification) => void>();
  /** Raw blocks and transactions that came in. */
  readonly submitted: Uint8Array[] = [];
  /** Who sent the transactions. */
  readonly sources: string[] = [];
  state: NodeStatus = {
    isSynced: true,
    shouldMine: true,
    mayMine: true,
    proverReady: false,
    isArchival: false,
    mempoolSize: 3,
    nowMs: asTimestampMs(5_000n),
    warnings: [],
  };
  onSubmitBlock: () => Promise<InsertOutcome> = () =>
    Promise.reject(new SvcError("node/stopping", {}));

  readonly core: NodeApi["core"] = {
    decodeAddress: () => new Uint8Array(43),
    encodeAddress: (hrp) => `${hrp}:me`,
    computeHashes: () => {
      throw new SvcError("engine/bad-call", { reason: "not here" });
    },
    transactionId: () => hashOf(0xaa),
    transactionSummary: () => {
      throw new SvcError("engine/bad-call", { reason: "not here" });
    },
    mempoolFrame: () => {
      throw new SvcError("engine/bad-call", { reason: "not here" });
    },
    emissionFacts: () => '{"subsidy":"6000000000","next":null}',
  };

  status(): NodeStatus {
    return this.state;
  }

  async ask<Q extends Question>(question: Q, args: QuestionArgs<Q>): Promise<QuestionAnswer<Q>> {
    const answer = this.answers[question];
    if (answer === undefined) throw new SvcError("chain/unknown-block", { hash: question });
    return answer(...args);
  }

  submitBlock(raw: Uint8Array): Promise<InsertOutcome> {
    this.submitted.push(raw);
    return this.onSubmitBlock();
  }

  submitTransaction(raw: Uint8Array, _signal: AbortSignal, source = "") {
    this.submitted.push(raw);
    this.sources.push(source);
    return Promise.resolve(asTxId(hashOf(0xaa)));
  }

  async probeTransaction(): Promise<void> {
    // Whatever is asked about would be taken.
  }

  template(): Promise<Uint8Array> {
    return Promise.reject(new SvcError("template/not-ready", { reason: "fake" }));
  }

  waiting(): ReturnType<NodeApi["waiting"]> {
    return [];
  }

  waitingTransaction(): undefined {
    return undefined;
  }

  onEvent(listener: (news: NodeNotification) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Tells every listener. */
  tell(news: NodeNotification): void {
    for (const listener of this.listeners) listener(news);
  }
}
