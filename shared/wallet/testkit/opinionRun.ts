/** A wallet over model nodes that may hide payments: what it has, what it says of its node, and what was asked of each. */
import { asSompi } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { OtherNodes } from "../node/otherNodes.ts";
import { openWallet } from "../run/openWallet.ts";
import type { DrawPayment } from "../state/ports.ts";
import { sumOfNotes, unspentNotes } from "../state/walletState.ts";
import { nodeDoubt, secondClaim } from "../view/backing.ts";
import { EPOCH_POLICY, freshWallet, type ChainModel } from "./chainModel.ts";
import { ModelEvidence, modelEvidence } from "./modelEvidence.ts";
import { FoldTree, ManualClock, MemoryStore } from "./ports.ts";
import { anyPayloads, modelPayloads, OpinionNode, VeilScan } from "./secondNode.ts";

/** What the wallet has on the true chain of `longStory`. */
export const TOTAL = asSompi(47n * 100_000_000n);
/** The block of that chain whose payment is the wallet's. */
export const PAID_AT = 6;
export const never = new AbortController().signal;
/** Draws the first payment of each page. */
export const first: DrawPayment = (count) => (count > 0 ? 0 : null);
const none: DrawPayment = () => null;

/** What a run begins with. */
export type Begin = {
  readonly own: ChainModel;
  readonly other?: ChainModel;
  /** The chain of a third node, which stands in for the second one: that one is away. */
  readonly spare?: ChainModel;
  readonly draw?: DrawPayment;
  /** What the node shows of the chain, where it is not the truth. */
  readonly shown?: ModelEvidence;
  /** Its payments hold under whatever header it made for them. */
  readonly hasForgedHeaders?: boolean;
  /** Whether chain blocks stand in a log; they do where nothing is said. */
  readonly hasLog?: boolean;
  readonly owns?: boolean;
  readonly recentBlocks?: number;
};

/** Opens a wallet whose node tells `own`, on a chain that truly is `truth`. */
export async function running(truth: ChainModel, begin: Begin) {
  const { own, other, spare, draw = none, owns = true } = begin;
  const { recentBlocks = EPOCH_POLICY.recentBlocks, hasLog = true } = begin;
  const shown = begin.shown ?? new ModelEvidence(truth);
  const node = new OpinionNode(own);
  const second = Object.assign(new OpinionNode(other ?? truth), { url: "second" });
  const third = Object.assign(new OpinionNode(spare ?? truth), { url: "third" });
  if (spare !== undefined) second.fault = new SvcError("wallet/node-unreachable", { url: "" });
  const clock = new ManualClock();
  const { genesis, profileDigest } = freshWallet().account;
  const others = new OtherNodes([second, third], {
    network: { genesis, profileDigest },
    clock,
    onChange: () => undefined,
  });
  const parts = {
    policy: { ...EPOCH_POLICY, recentBlocks },
    node,
    scan: new VeilScan(truth, owns),
    store: new MemoryStore(),
    clock,
    makeTree: (bytes: Uint8Array) => new FoldTree(bytes),
    evidence: {
      ...modelEvidence(shown, truth),
      ...(hasLog ? {} : { logFrom: null }),
      payloads:
        begin.hasForgedHeaders === true
          ? anyPayloads(node, draw)
          : modelPayloads(node, truth, draw),
      ...(other === undefined ? {} : { second: spare === undefined ? second : others }),
    },
  };
  const sync = await openWallet(parts, freshWallet().account, "genesis", never);
  const total = () => sumOfNotes(unspentNotes(sync.state));
  /** One look at the node; the code of what it rejects with. */
  const look = async () => {
    const thrown: unknown = await sync.catchUp(never).catch((error: unknown) => error);
    return thrown === undefined ? null : SvcError.from(thrown).code;
  };
  const said = () =>
    (nodeDoubt(sync.state, 0n, EPOCH_POLICY) ?? secondClaim(sync.state))?.code ?? null;
  return { node, second, third, shown, others, clock, parts, sync, total, look, said };
}
