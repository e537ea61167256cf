/**
 * Makes receipts of the daemon's payments (docs/light-client.md).
 *
 * The state that a receipt shows is the one after the newest block at a fixed depth, whatever the payment: the node that is asked for
 * evidence of it learns nothing about when the payment was. Its path comes from the tree that all wallets share. Node and tree check
 * each other: a receipt is checked before it is given out.
 */
import type { BlockHash, TxId } from "@svc/shared/base/brand.ts";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { publicSentenceOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import {
  CoreReceipts,
  type ReceiptChallenge,
  type ReceiptNote,
} from "@svc/shared/light/coreReceipts.ts";
import type { EvidencePort } from "@svc/shared/light/evidencePort.ts";
import { LIGHT_LIMITS } from "@svc/shared/light/lightLimits.ts";
import { makeReceipt, type ReceiptTools } from "@svc/shared/light/makeReceipt.ts";
import { noteCommitment } from "@svc/shared/light/noteCommitment.ts";
import type { HardestHeader } from "@svc/shared/protocol/facts/receiptFacts.ts";
import { blockAt, tipOf, type ChainView } from "@svc/shared/wallet/state/chainView.ts";
import { Mutex } from "@svc/shared/wallet/state/mutex.ts";
import type { ShownNote } from "@svc/shared/wallet/state/shownNotes.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import { findLeaf } from "./findLeaf.ts";
import { KeptEvidence } from "./keptEvidence.ts";
import { shownNote } from "./shownNote.ts";

/** Dependencies of receipts. */
export type ReceiptMakerParts = {
  readonly core: CoreGlue;
  /** Canonical JSON of the network profile. */
  readonly profileJson: string;
  readonly store: Pick<WalletStore, "payments" | "tree">;
  readonly node: EvidencePort;
  /** The chain that the shared tree follows. */
  readonly view: () => ChainView;
};

/** What a receipt is made of. */
export type ReceiptWish = {
  readonly txid: TxId;
  /** Which output of the payment; null for the first one. */
  readonly index: number | null;
  /** Text of whoever asked for the receipt. The payee's wallet answers it; a payer's receipt only names it. */
  readonly challenge: string | null;
};

/** A receipt, and the note and block that it shows. */
export type MadeReceipt = {
  readonly bytes: Uint8Array;
  readonly note: ShownNote;
  readonly block: BlockHash;
};

/** The blocks that evidence is asked about. */
type Places = { readonly state: ChainBlock; readonly from: BlockHash; readonly to: BlockHash };

/** Areas of what evidence is refused for. */
const OF_EVIDENCE = /^(?:evidence|codec|shielded|block|pow|tx)\//;

/** The maker of receipts, one after the other. */
export class ReceiptMaker {
  readonly #parts: ReceiptMakerParts;
  readonly #receipts: CoreReceipts;
  readonly #evidence: KeptEvidence;
  /** By the run that was kept: looking through hundreds of headers takes as long as all the rest. */
  readonly #hardest = new WeakMap<Uint8Array, NonNullable<HardestHeader>>();
  readonly #turns = new Mutex();

  constructor(parts: ReceiptMakerParts) {
    this.#parts = parts;
    this.#receipts = new CoreReceipts(parts.core, parts.profileJson);
    this.#evidence = new KeptEvidence(parts.node);
  }

  /**
   * Makes a receipt. Rejects with `wallet/no-disclosure` for a payment of which nothing is known, `evidence/not-shown` for one that is
   * not deep enough yet and where the node shows no evidence, `wallet/false-record` where that does not hold, `wallet/opening`,
   * `wallet/node-compact-only`, `wallet/node-unreachable`, `run/aborted`.
   */
  make(open: OpenWallet, wish: ReceiptWish, signal: AbortSignal): Promise<MadeReceipt> {
    return this.#turns.run(() => this.#make(open, wish, signal));
  }

  async #make(open: OpenWallet, wish: ReceiptWish, signal: AbortSignal): Promise<MadeReceipt> {
    throwIfAborted(signal);
    const shown = this.#shown(open, wish);
    const { state, from, to } = placesIn(this.#parts.view());
    const position = await this.#positionOf(shown, state, signal);
    const path = open.tree.path(position, state.leafEnd);
    const { recipient, value, rho, rseed } = shown;
    const note = { recipient, value, rho, rseed, position: Number(position) };
    const challenge = this.#challenge(open, wish, { shown, note });
    const order = { note, path, block: state.hash, from, to, ...(challenge && { challenge }) };
    try {
      const bytes = await makeReceipt(this.#tools, this.#evidence, order, signal);
      return { bytes, note: shown, block: state.hash };
    } catch (error) {
      throw this.#fault(error, state);
    }
  }

  /** The core's maker, which looks through a run of headers once. */
  get #tools(): ReceiptTools {
    const receipts = this.#receipts;
    return {
      make: (parts) => receipts.make(parts),
      hardestHeader: (run) => {
        const found = this.#hardest.get(run) ?? receipts.hardestHeader(run);
        if (found !== null) this.#hardest.set(run, found);
        return found;
      },
    };
  }

  #shown(open: OpenWallet, { txid, index }: ReceiptWish): ShownNote {
    const { notes } = open.state;
    const payment = this.#parts.store.payments.ofTransaction(open.token, txid);
    const found = shownNote({ txid, notes, payment }, index);
    if (found === undefined) throw new SvcError("wallet/no-disclosure", { txid });
    return found;
  }

  /** Where the note stands among the leaves of the state. */
  async #positionOf(
    shown: ShownNote,
    { leafEnd }: ChainBlock,
    signal: AbortSignal,
  ): Promise<bigint> {
    const { core, store } = this.#parts;
    const { position, above: from } = shown;
    const range = { from, to: leafEnd };
    const found =
      position ?? (await findLeaf(store.tree, noteCommitment(core, shown), range, signal));
    if (found === null || found >= leafEnd) throw tooYoung();
    return found;
  }

  #challenge(
    open: OpenWallet,
    { challenge: text }: ReceiptWish,
    { shown, note }: { readonly shown: ShownNote; readonly note: ReceiptNote },
  ): ReceiptChallenge | null {
    if (text === null) return null;
    if (shown.kind === "sent") return { text };
    return { text, answer: this.#receipts.answer(open.wallet.fvk, note, text) };
  }

  /** What the caller is told of a node that shows nothing, or something that does not hold. */
  #fault(error: unknown, { chainIndex }: ChainBlock): unknown {
    if (!(error instanceof SvcError) || SvcError.is(error, "evidence/not-shown")) return error;
    const reason = publicSentenceOf(error);
    if (SvcError.is(error, "chain/pruned")) {
      return new SvcError("evidence/not-shown", { reason }, error);
    }
    if (!OF_EVIDENCE.test(error.code)) return error;
    this.#evidence.forget();
    return new SvcError("wallet/false-record", { index: chainIndex, reason }, error);
  }
}

/** The block of the state, and between which blocks the header is looked for: by the tip alone. Throws `evidence/not-shown`. */
function placesIn(view: ChainView): Places {
  const { receiptDepth: depth } = WALLETD_LIMITS;
  const { receiptSureBlocks: sure } = LIGHT_LIMITS;
  const { chainIndex: tip } = tipOf(view);
  const state = blockAt(view, tip - depth);
  const from = blockAt(view, tip - depth + sure);
  const to = blockAt(view, tip - sure);
  if (state === undefined || from === undefined || to === undefined) throw tooYoung();
  return { state, from: from.hash, to: to.hash };
}

function tooYoung(): SvcError {
  const { receiptDepth } = WALLETD_LIMITS;
  const reason = `a receipt is made once ${receiptDepth} blocks stand above the payment`;
  return new SvcError("evidence/not-shown", { reason });
}
