/**
 * Fault injection: lies that evidence brings to light. Each is a node and its evidence, told about the chain `longStory`. The judge of the
 * model knows the true chain, so what is told of another one is refused as the core refuses it.
 */
import { asBlockHash, asNullifier, asTxId, type BlockHash } from "../../base/brand.ts";
import type { Code } from "../../base/generated/codes.ts";
import { SvcError } from "../../base/svcError.ts";
import type { ScannedBlock } from "../state/scanFacts.ts";
import type { ChainModel } from "./chainModel.ts";
import { storyOf } from "./lies.ts";
import { bytesOf, ModelEvidence } from "./modelEvidence.ts";
import { modelMultiply } from "./modelLedger.ts";
import { ModelNode } from "./ports.ts";

const COIN = 100_000_000n;
const MINED_AT = 3;
const PAID_AT = 6;
const SPENT_AT = 9;

/** The story of the lies, with so many blocks above it that evidence covers what it tells. */
export function longStory(): ChainModel {
  const model = storyOf();
  model.addEmpty(30);
  return model;
}

/** What a wallet asks: a node, and what it shows. */
export type Told = { readonly node: ModelNode; readonly evidence: ModelEvidence };

/** A lie, and the name that a wallet gives to it. */
export type EvidenceLie = {
  readonly name: string;
  readonly code: Code;
  readonly tell: (truth: ChainModel) => Told;
};

type Change = (block: ScannedBlock, index: number) => ScannedBlock;

const at = (place: number, change: (block: ScannedBlock) => Partial<ScannedBlock>): Change => {
  return (block, index) => (index === place ? { ...block, ...change(block) } : block);
};

/** A node with other records; its evidence is that of the true chain, or made of what it tells. */
function retold(name: string, change: Change, code: Code, claims: "true" | "told"): EvidenceLie {
  return {
    name,
    code,
    tell: (truth) => {
      const told = truth.retold(change);
      const evidence = new ModelEvidence(claims === "true" ? truth : told);
      return { node: new ModelNode(told), evidence };
    },
  };
}

/** Evidence in which one call answers otherwise. */
class Shown extends ModelEvidence {
  constructor(model: ChainModel, change: Partial<ModelEvidence>) {
    super(model);
    Object.assign(this, change);
  }
}

function shown(
  name: string,
  code: Code,
  change: (honest: ModelEvidence, truth: ChainModel) => Partial<ModelEvidence>,
): EvidenceLie {
  return {
    name,
    code,
    tell: (truth) => {
      const honest = new ModelEvidence(truth);
      return { node: new ModelNode(truth), evidence: new Shown(truth, change(honest, truth)) };
    },
  };
}

const unspent = at(SPENT_AT, ({ txs }) => ({ txs: txs.map((tx) => ({ ...tx, nullifiers: [] })) }));
const neverSpent = at(12, () => ({
  txs: [{ txid: asTxId("c0".repeat(32)), nullifiers: [asNullifier("c1".repeat(32))] }],
}));
const richer = at(MINED_AT, ({ minted, notes }) => ({ minted: minted + COIN, notes }));
const higher: Change = (block) => {
  const blueScore = block.blueScore * 1_000n;
  return { ...block, blueScore: blueScore as ScannedBlock["blueScore"] };
};

/** The records of a chain that has other notes at one place. */
function otherNotes(truth: ChainModel): ChainModel {
  const told = truth.retold((block) => block);
  told.swapLeaf(PAID_AT, "77".repeat(32));
  return told;
}

/** Pages and claims that do not go together. */
const ABOUT_PAGES: readonly EvidenceLie[] = [
  retold("a withheld nullifier", unspent, "evidence/other-nullifiers", "true"),
  retold("a withheld nullifier, and claims to match", unspent, "evidence/other-state", "told"),
  retold("a nullifier that nobody showed", neverSpent, "evidence/other-nullifiers", "true"),
  retold("an invented coinbase", richer, "evidence/other-coins", "true"),
  retold("an invented coinbase, and claims to match", richer, "evidence/other-state", "told"),
  retold("false scores under true hashes", higher, "evidence/other-scores", "true"),
  {
    name: "a withheld note, and another in its place",
    code: "evidence/other-notes",
    tell: (truth) => {
      const node = new ModelNode(otherNotes(truth));
      return { node, evidence: new ModelEvidence(truth) };
    },
  },
  {
    name: "a fork that nobody mined",
    code: "header/invalid-pow",
    tell: (truth) => {
      const told = truth.retold((block) => block);
      told.cut(SPENT_AT - 1);
      told.addEmpty(60);
      return { node: new ModelNode(told), evidence: new ModelEvidence(told) };
    },
  },
];

/** What the node shows, under true pages. */
const ABOUT_EVIDENCE: readonly EvidenceLie[] = [
  shown("no evidence", "evidence/not-shown", () => ({
    fault: new SvcError("http/not-found", { path: "/v1/evidence" }),
  })),
  shown("the opening of another block", "evidence/other-header", (honest, truth) => ({
    opening: () => honest.opening(hashAt(truth, 2), "digest"),
  })),
  shown("the work above another block", "evidence/other-header", (honest, truth) => ({
    run: (_: BlockHash, to: BlockHash) => honest.run(hashAt(truth, 2), to),
  })),
  shown("a run without headers above the state", "evidence/too-few-headers", (honest) => ({
    run: (from: BlockHash) => honest.run(from, from),
  })),
  shown("bytes that are no evidence", "evidence/not-shown", () => ({
    fault: new SvcError("http/unavailable", { reason: "status 200" }),
  })),
  shown("a state that no block commits to", "evidence/other-state", (honest) => ({
    opening: async (of: BlockHash) => bytesOf({ ...honest.stateOf(of), minted: "1" }),
  })),
];

/** All of them. */
export const EVIDENCE_LIES: readonly EvidenceLie[] = [...ABOUT_PAGES, ...ABOUT_EVIDENCE];

/** A node that left a nullifier out, and gives a state at the wallet's birthday that absorbs it. */
export function falseBirthday(truth: ChainModel, birthday: number): Told {
  const hidden = truth.at(SPENT_AT)?.spent ?? "";
  const told = truth.retold(unspent);
  const honest = new ModelEvidence(truth);
  const evidence = new Shown(truth, {
    opening: async (of) => {
      const state = honest.stateOf(of);
      const isBirthday = of === truth.at(birthday)?.hash;
      const product = isBirthday ? modelMultiply([state.product, hidden]) : state.product;
      return bytesOf({ ...state, product });
    },
  });
  return { node: new ModelNode(told), evidence };
}

function hashAt(model: ChainModel, index: number): BlockHash {
  return asBlockHash(model.at(index)?.hash ?? "");
}
