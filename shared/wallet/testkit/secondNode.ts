/**
 * Nodes for tests of what no state root covers: one whose ciphertexts may be changed, asked for pages, digests and payments, and a scan
 * that finds nothing in changed ciphertexts.
 */
import { asBlockHash, parseHash32, type BlockHash } from "../../base/brand.ts";
import { equalBytes } from "../../base/bytes.ts";
import { SvcError } from "../../base/svcError.ts";
import type { PayloadPort } from "../../light/secondOpinion.ts";
import { readRecords } from "../../protocol/http/recordContainer.ts";
import { digestOf, recordHash, type RecordDigest } from "../../protocol/http/recordDigest.ts";
import { bytesIn, recordLayouts } from "../../protocol/http/recordLayout.ts";
import type { NodePort, PayloadParts, RecordPage, ScanPort, SecondNode } from "../state/ports.ts";
import { VEIL, type ChainModel } from "./chainModel.ts";
import { ModelNode } from "./ports.ts";

/** The chain as somebody tells it who changed the ciphertexts of one block. */
export function veiledAt(truth: ChainModel, index: number): ChainModel {
  const told = truth.retold((block) => block);
  told.veiled.add(index);
  return told;
}

/** A block that nobody mined. */
export const BESIDE = asBlockHash("be".repeat(32));

/** The same with that block in the place of the one whose ciphertexts were changed. */
export function veiledBeside(truth: ChainModel, index: number): ChainModel {
  const told = truth.retold((block, at) => (at === index ? { ...block, hash: BESIDE } : block));
  told.veiled.add(index);
  return told;
}

/** A node over a model that can be exchanged; everything that is asked of it is kept. */
export class OpinionNode implements SecondNode, PayloadPort, NodePort {
  readonly asked: string[] = [];
  model: ChainModel;
  /** Thrown by every call while it stands there. */
  fault: SvcError | null = null;
  /** By how much its tip is said to be higher. */
  ahead = 0n;

  constructor(model: ChainModel) {
    this.model = model;
  }

  async tip() {
    const tip = await this.#node("tip").tip();
    return { ...tip, sinkBlueScore: (tip.sinkBlueScore + this.ahead) as typeof tip.sinkBlueScore };
  }

  async start(index: bigint) {
    return this.#node(`start ${index}`).start(index);
  }

  async submit(raw: Uint8Array) {
    return this.#node("submit").submit(raw);
  }

  async blocks(after: BlockHash, limit: number): Promise<RecordPage> {
    return this.#node(`blocks ${after} ${limit}`).blocks(after, limit);
  }

  async recordDigest(after: BlockHash, to: BlockHash): Promise<RecordDigest> {
    this.#node(`records ${after} ${to}`);
    const [low, high] = [this.#indexOf(after), this.#indexOf(to)];
    const body = this.model.body(low + 1, high);
    const records = recordLayouts(body, high - low);
    const digest = digestOf(records.map((record) => recordHash(bytesIn(body, record))));
    return { count: high - low, last: to, digest };
  }

  /** The payment as this node tells it: a model has no proofs. */
  async payload(at: BlockHash, place: number): Promise<Uint8Array> {
    this.#node(`payload ${at} ${place}`);
    return paymentOf(this.model, at, place);
  }

  #indexOf(hash: string): number {
    const index = this.model.indexOf(hash);
    if (index === undefined) throw new SvcError("chain/unknown-block", { hash });
    return index;
  }

  #node(question: string): ModelNode {
    this.asked.push(question);
    if (this.fault !== null) throw this.fault;
    return new ModelNode(this.model);
  }
}

/** Draws of payments from a node, judged by who knows the true chain. */
export function modelPayloads(
  source: PayloadPort,
  truth: ChainModel,
  draw: PayloadParts["draw"],
): PayloadParts {
  const check = (block: BlockHash, shown: Uint8Array) => {
    const payments = placesOf(truth, block).map((place) => paymentOf(truth, block, place));
    if (!payments.some((payment) => equalBytes(payment, shown))) {
      throw new SvcError("evidence/other-payload", { txid: "" });
    }
    return shown;
  };
  return { source, check, draw };
}

/**
 * The same, judged as by headers that nobody mined: each commits to the payment that is told under it. What is true of it only evidence of the
 * block shows.
 */
export function anyPayloads(source: PayloadPort, draw: PayloadParts["draw"]): PayloadParts {
  return { source, check: (_, shown) => shown, draw };
}

/** Finds the wallet's notes in pages of the chain, but none in ciphertexts that somebody changed; a stranger finds none at all. */
export class VeilScan implements ScanPort {
  readonly #truth: ChainModel;
  readonly #owns: boolean;

  constructor(truth: ChainModel, owns: boolean) {
    this.#truth = truth;
    this.#owns = owns;
  }

  async scan(page: RecordPage) {
    const from = Number(page.firstIndex);
    const { facts } = this.#truth.page(from, from + page.count - 1);
    const records = readRecords(page);
    const blocks = facts.blocks.map((block, index) => {
      const actions = records[index]?.transactions.flatMap((tx) => tx.actions) ?? [];
      const isVeiled = actions.some(({ bytes }) => bytes.at(-1) === VEIL);
      const notes = block.notes.filter(({ kind }) => kind === "coinbase" || !isVeiled);
      const hash = asBlockHash(parseHash32(records[index]?.hash ?? block.hash));
      return { ...block, hash, notes: this.#owns ? notes : [] };
    });
    return { ...facts, blocks };
  }
}

function placesOf(model: ChainModel, hash: string): number[] {
  const block = model.at(model.indexOf(hash) ?? 0);
  return Array.from({ length: block?.txs.length ?? 0 }, (_, place) => place);
}

function paymentOf(model: ChainModel, hash: string, place: number): Uint8Array {
  const index = model.indexOf(hash);
  if (index === undefined) throw new SvcError("chain/unknown-block", { hash });
  const body = model.body(index, index);
  const span = recordLayouts(body, 1)[0]?.payments[place];
  if (span === undefined) throw new SvcError("chain/unknown-block", { hash });
  return bytesIn(body, span).slice();
}
