/**
 * Fault injection: every lie that a node can tell a wallet over its protocol, each as a change of an honest node's answers.
 *
 * The chain they lie about is `storyOf`: the wallet under test mined at block 3, was paid at 6, spent at 9.
 */
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asLeafPosition,
  asNoteCommitment,
  asNullifier,
  asSompi,
  asTxId,
} from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { MAX_SOMPI } from "../../base/money.ts";
import type { NodePort } from "../state/ports.ts";
import type { ScannedBlock, ScannedNote } from "../state/scanFacts.ts";
import { ChainModel } from "./chainModel.ts";
import { ModelNode } from "./ports.ts";

const COIN = 100_000_000n;
const PAID_AT = 6;
const SPENT_AT = 9;
const MINED_AT = 3;

/** Makes the true chain. */
export function storyOf(): ChainModel {
  const model = new ChainModel();
  model.addEmpty(MINED_AT - 1);
  const { notes } = model.add({ mined: [50n * COIN] });
  model.addEmpty(PAID_AT - MINED_AT - 1);
  model.add({ txs: [{ txid: model.txid(), outputs: [{ value: 7n * COIN }] }] });
  model.addEmpty(SPENT_AT - PAID_AT - 1);
  const spends = notes.map(({ nullifier }) => nullifier);
  model.add({ txs: [{ txid: model.txid(), spends, outputs: [{ value: 40n * COIN }] }] });
  model.addEmpty(11);
  return model;
}

/** A lie of a node. */
export type Lie = {
  readonly name: string;
  /** Only the owner of the notes can see that it is one. */
  readonly seenByOwner?: true;
  /** It is told when a wallet is made; of the others a wallet meets at work. */
  readonly atBirth?: true;
  /** The node that tells it about the true chain. */
  readonly tell: (truth: ChainModel) => LyingNode;
};

/** A node with its own view of the chain. */
export class LyingNode extends ModelNode {
  constructor(told: ChainModel, change: Partial<NodePort> = {}) {
    super(told);
    Object.assign(this, change);
  }
}

/** A node that tells the chain with other contents. */
function retold(name: string, change: (block: ScannedBlock, index: number) => ScannedBlock): Lie {
  return { name, tell: (truth) => new LyingNode(truth.retold(change)) };
}

const ownerSees = (lie: Lie): Lie => ({ ...lie, seenByOwner: true });

function atBlock(
  at: number,
  change: (block: ScannedBlock) => Partial<ScannedBlock>,
): (block: ScannedBlock, index: number) => ScannedBlock {
  return (block, index) => (index === at ? { ...block, ...change(block) } : block);
}

function refusing(name: string, make: () => SvcError): Lie {
  const refuse = () => Promise.reject(make());
  const all = { tip: refuse, blocks: refuse, start: refuse, submit: refuse };
  return { name, tell: (truth) => new LyingNode(truth, all) };
}

/** A note of the wallet that nobody ever made, beside a true one. */
function forged(like: ScannedNote, value: bigint, tag: string): ScannedNote {
  const hex = tag.repeat(32);
  return {
    ...like,
    value: asSompi(value),
    cmx: asNoteCommitment(hex),
    nullifier: asNullifier(hex),
    txid: asTxId(hex),
  };
}

const blocksOnTop = (truth: ChainModel, add: (model: ChainModel) => void): ChainModel => {
  const told = truth.retold((block) => block);
  add(told);
  return told;
};

/** Lies about what the blocks hold. */
const ABOUT_CONTENTS: readonly Lie[] = [
  {
    name: "income that nobody paid, buried under a great blue score",
    tell: (truth) =>
      new LyingNode(
        blocksOnTop(truth, (told) => {
          told.add({ txs: [{ txid: told.txid(), outputs: [{ value: 10_000_000n * COIN }] }] });
          told.add({ blue: 100_000n });
        }),
      ),
  },
  retold(
    "a payment to the wallet under a spoilt ciphertext",
    atBlock(PAID_AT, () => ({ notes: [] })),
  ),
  retold(
    "a spend of the wallet left out",
    atBlock(SPENT_AT, ({ txs }) => ({ txs: txs.map((tx) => ({ ...tx, nullifiers: [] })) })),
  ),
  {
    name: "a spend of the wallet that never was",
    tell: (truth) => {
      const own = truth.at(PAID_AT)?.notes[0]?.nullifier;
      const txs = [{ txid: asTxId("c0".repeat(32)), nullifiers: own === undefined ? [] : [own] }];
      return new LyingNode(truth.retold(atBlock(12, () => ({ txs }))));
    },
  },
  ownerSees(
    retold(
      "a mined note with another value",
      atBlock(MINED_AT, ({ minted }) => ({ notes: [], refused: 1, minted: minted + 1n })),
    ),
  ),
  ownerSees(
    retold(
      "one note of the wallet twice",
      atBlock(PAID_AT, ({ notes }) => ({
        notes: notes.flatMap((note) => [
          note,
          { ...note, position: asLater(note), cmx: asNoteCommitment("7e".repeat(32)) },
        ]),
      })),
    ),
  ),
  ownerSees(
    retold(
      "more coins than there are",
      atBlock(PAID_AT, ({ notes }) => ({
        notes: notes.flatMap((note) => [
          note,
          { ...forged(note, MAX_SOMPI, "7f"), position: asLater(note) },
        ]),
      })),
    ),
  ),
  ownerSees(
    retold(
      "a note outside of its block",
      atBlock(PAID_AT, ({ notes }) => ({
        notes: notes.map((note) => ({ ...note, position: asLater(note, 1_000n) })),
      })),
    ),
  ),
];

function asLater({ position }: ScannedNote, by = 1n): ScannedNote["position"] {
  return asLeafPosition(position + by);
}

/** Lies about where the blocks stand. */
const ABOUT_PLACES: readonly Lie[] = [
  retold("blue scores that are too high, under true hashes", (block) => ({
    ...block,
    blueScore: asBlueScore(block.blueScore * 1_000n),
  })),
  retold(
    "a blue score that falls",
    atBlock(8, () => ({ blueScore: asBlueScore(1n) })),
  ),
  retold(
    "leaves that do not follow",
    atBlock(8, ({ firstLeaf }) => ({ firstLeaf: asLeafPosition(firstLeaf + 1n) })),
  ),
  {
    name: "pages that begin elsewhere than asked",
    tell: (truth) => {
      const honest = new ModelNode(truth);
      return new LyingNode(truth, {
        blocks: async (after, limit) => {
          const page = await honest.blocks(after, limit);
          return { ...page, firstIndex: asChainIndex(page.firstIndex + 1n) };
        },
      });
    },
  },
  {
    name: "pages without an end",
    tell: (truth) => {
      const told = truth.retold((block) => block);
      const honest = new ModelNode(truth);
      const node = new LyingNode(told, { tip: () => honest.tip() });
      const { blocks } = node;
      node.blocks = (after, limit) => {
        told.addEmpty(limit);
        return blocks.call(node, after, limit);
      };
      return node;
    },
  },
  {
    name: "pages without an end, and a tip that is never reached",
    tell: (truth) => {
      const told = truth.retold((block) => block);
      const honest = new ModelNode(truth);
      const far = { chainIndex: asChainIndex(2n ** 60n), sink: asBlockHash("fa".repeat(32)) };
      const node = new LyingNode(told, { tip: async () => ({ ...(await honest.tip()), ...far }) });
      const { blocks } = node;
      node.blocks = (after) => {
        told.addEmpty(1);
        return blocks.call(node, after, 1);
      };
      return node;
    },
  },
  {
    name: "bytes that are no records",
    tell: (truth) =>
      new LyingNode(truth, {
        blocks: async () => ({
          firstIndex: asChainIndex(1n),
          count: 3,
          body: new Uint8Array(50),
        }),
      }),
  },
  {
    name: "another root of the note tree",
    tell: (truth) => {
      const node = new LyingNode(truth);
      node.lie = "ab".repeat(32);
      return node;
    },
  },
];

/** Lies about the chain as a whole. */
const ABOUT_CHAIN: readonly Lie[] = [
  {
    name: "a tip that never moves",
    tell: (truth) => {
      const old = truth.retold((block) => block);
      old.cut(5);
      return new LyingNode(old);
    },
  },
  {
    name: "no block that the wallet knows",
    tell: (truth) =>
      new LyingNode(truth, {
        blocks: (hash) => Promise.reject(new SvcError("chain/unknown-block", { hash })),
      }),
  },
  {
    name: "another chain every time",
    tell: (truth) =>
      new LyingNode(truth, {
        blocks: () => {
          const commonHash = truth.at(2)?.hash ?? "";
          return Promise.reject(new SvcError("chain/not-on-chain", { commonHash, chainIndex: 2 }));
        },
      }),
  },
  {
    name: "a block more and the chain taken back, over and over",
    tell: (truth) => {
      const told = truth.retold((block) => block);
      const honest = new ModelNode(told);
      const common = truth.at(truth.length)?.hash ?? "";
      const sink = asBlockHash("fa".repeat(32));
      let serves = false;
      return new LyingNode(told, {
        tip: async () => ({ ...(await honest.tip()), sink }),
        blocks: (after, limit) => {
          serves = !serves;
          if (!serves) {
            const data = { commonHash: common, chainIndex: truth.length };
            return Promise.reject(new SvcError("chain/not-on-chain", data));
          }
          told.cut(truth.length);
          told.addEmpty(1);
          return honest.blocks(after, limit);
        },
      });
    },
  },
  {
    name: "a beginning that no chain has",
    atBirth: true,
    tell: (truth) => {
      const honest = new ModelNode(truth);
      return new LyingNode(truth, {
        start: async (index) => ({
          ...(await honest.start(index)),
          hash: asBlockHash("bb".repeat(32)),
        }),
      });
    },
  },
  {
    name: "another network",
    tell: (truth) => {
      const node = new LyingNode(truth);
      node.profileDigest = "d2".repeat(32);
      return node;
    },
  },
];

/** Errors that a node has no reason to give. */
const ABOUT_ITSELF: readonly Lie[] = [
  refusing("that we stopped it ourselves", () => new SvcError("run/aborted", {})),
  refusing(
    "that our tree differs",
    () => new SvcError("wallet/tree-mismatch", { expected: "a", found: "b" }),
  ),
  refusing("that our store failed", () => new SvcError("wallet/storage", { reason: "told" })),
  refusing("that we were cancelled", () => new SvcError("wallet/cancelled", {})),
];

/** All lies. */
export const LIES: readonly Lie[] = [
  ...ABOUT_CONTENTS,
  ...ABOUT_PLACES,
  ...ABOUT_CHAIN,
  ...ABOUT_ITSELF,
];
