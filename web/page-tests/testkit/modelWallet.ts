/**
 * A wallet with coins on a model chain. What its worker says of payees, links, payments and the history is what the real one
 * says: the same code over the same core. Only the node, the store and the keys are missing.
 */
import {
  asChainIndex,
  asDaaScore,
  asSompi,
  asTimestampMs,
  type RawAddress,
  type TxId,
} from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { loadCore } from "@svc/shared/core/loadCore.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { maxSendableTransfer } from "@svc/shared/wallet/plan/maxSendableTransfer.ts";
import { payeeFaults, readPayee, type PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import { applyFacts } from "@svc/shared/wallet/reduce/applyFacts.ts";
import { encodeMemo } from "@svc/shared/wallet/state/memo.ts";
import type { Payment } from "@svc/shared/wallet/state/payment.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "@svc/shared/wallet/testkit/chainModel.ts";
import { historyRows } from "@svc/shared/wallet/view/history.ts";
import { NO_LABELS } from "@svc/shared/wallet/view/labelledRows.ts";
import * as glue from "../../../wasm-core/pkg/core/core.js";
import { coreModule } from "../../node/wasmModules.ts";
import { KnownAddresses } from "../../wallet-worker/addresses/knownAddresses.ts";
import { historyPage, walletView } from "../../wallet-worker/walletView.ts";
import { paymentPreview } from "../../wallet-worker/paymentPreview.ts";
import { readLinkFields } from "../../wallet-worker/readLinkFields.ts";
import type { Snapshot, WalletApi, WalletView } from "../../wallet-api/walletApi.ts";
import { openWallet } from "./snapshots.ts";

/** Sompi of a coin. */
export const COIN = 100_000_000n;

/** Fee of a payment that is in a block from the start. */
const FEE = 10_000n;

const POLICY = TEST_POLICY;

/** The seed of the wallet, and that of a stranger. */
const [OWN_SEED, STRANGER_SEED] = [11, 9];

/** A wallet over a model chain. */
export class ModelWallet {
  readonly core: CoreGlue;
  readonly chain = new ChainModel();
  /** Payments that no block has. */
  outbox: readonly Payment[] = [];
  readonly #known: KnownAddresses;

  private constructor(core: CoreGlue) {
    this.core = core;
    this.#known = new KnownAddresses({
      state: () => this.state,
      text: (index) => this.addressText(index),
      contacts: () => [],
    });
  }

  /** Makes one that mined 570 coins long ago, and some of late, which mature. */
  static async open(): Promise<ModelWallet> {
    const wallet = await ModelWallet.unpaid();
    for (let block = 0; block < 10; block += 1) wallet.chain.add({ mined: [57n * COIN] });
    wallet.chain.addEmpty(15);
    wallet.chain.add({ mined: [60n * COIN] });
    return wallet;
  }

  /** Makes one that nobody has paid. */
  static async unpaid(): Promise<ModelWallet> {
    return new ModelWallet(loadCore(glue, await coreModule()));
  }

  /** The wallet's state at the current tip. */
  get state(): WalletState {
    const { chain, outbox } = this;
    const fresh = freshWallet();
    const state = chain.length === 0 ? fresh : applyFacts(fresh, chain.page(1), POLICY);
    return { ...state, outbox };
  }

  /** A copy of the wallet's seed. */
  get seed(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(32).fill(OWN_SEED);
  }

  /** Text form of an own address. */
  addressText(index: number): string {
    return this.#addressOf(OWN_SEED, index);
  }

  /** The wallet's first address. */
  get own(): string {
    return this.addressText(0);
  }

  /** An address of somebody else, whichever number it has. */
  stranger(index = 0): string {
    return this.#addressOf(STRANGER_SEED, index);
  }

  /** Somebody pays this wallet. */
  receive(value: bigint, memo: string): TxId {
    const txid = this.chain.txid();
    this.chain.add({ txs: [{ txid, outputs: [{ value, memo: encodeMemo(memo) }] }] });
    return txid;
  }

  /** The wallet pays itself so much, in a block. */
  payOwn(value: bigint, memo: string): TxId {
    const note = this.state.notes.find((one) => one.spentBy === null && one.value > value);
    if (note === undefined) throw new RangeError("no note is large enough");
    const txid = this.chain.txid();
    const outputs = [
      { value, memo: encodeMemo(memo) },
      { value: note.value - value - FEE, memo: "" },
    ];
    this.chain.add({ txs: [{ txid, spends: [note.nullifier], outputs }] });
    return txid;
  }

  /** The wallet as the page gets it. */
  view(): WalletView {
    const tip = BigInt(this.chain.length);
    return walletView({
      state: this.state,
      policy: POLICY,
      incoming: [],
      labels: { ...NO_LABELS, version: 0 },
      loop: { failures: 0, problem: null, everSynced: true },
      nodeAway: false,
      everSynced: true,
      birthdayGuessed: false,
      older: null,
      tip: {
        chainIndex: asChainIndex(tip),
        historyComplete: true,
        historyFromDaaScore: asDaaScore(0n),
      },
      addressText: (index) => this.addressText(index),
      nowMs: asTimestampMs(0n),
    });
  }

  /** The snapshot of the open wallet. */
  snapshot(): Snapshot {
    const snapshot = openWallet();
    const { evidence } = snapshot.wallet ?? {};
    const view = this.view();
    return {
      ...snapshot,
      network: { name: "net", digest: "00", hrp: POLICY.hrp, builtIn: true },
      wallet: { ...view, evidence: evidence ?? view.evidence },
    };
  }

  /** Answers of its worker. */
  answers(): Partial<WalletApi> {
    const readOne = (text: PayeeText) => readPayee(text, this.#book());
    return {
      readLink: async (text) => readLinkFields(this.core, POLICY.hrp, text),
      payeeFaults: async (payees) => payeeFaults(payees, readOne),
      lookAlike: async (address) => this.#known.lookAlike(address),
      preview: async (payees) =>
        paymentPreview(payees, {
          state: this.state,
          policy: POLICY,
          readPayee: readOne,
          lookAlike: (address) => this.#known.lookAlike(address),
        }),
      maxPayment: async () => maxSendableTransfer(this.state, POLICY, asSompi(0n)),
      history: async (query) => ({
        ...historyPage(historyRows(this.state, POLICY, []), query),
        fault: null,
      }),
    };
  }

  #addressOf(seed: number, index: number): string {
    const { core } = this;
    const raw = callCore(() =>
      core.addressAt(core.fullViewingKey(new Uint8Array(32).fill(seed)), index),
    );
    return callCore(() => core.encodeAddress(POLICY.hrp, raw));
  }

  #book() {
    const { core } = this;
    const viewingKey = callCore(() => core.fullViewingKey(new Uint8Array(32).fill(OWN_SEED)));
    return {
      hrp: POLICY.hrp,
      decodeAddress: (hrp: string, text: string) => callCore(() => core.decodeAddress(hrp, text)),
      isOwn: (recipient: RawAddress) =>
        callCore(() => core.addressIndexOf(viewingKey, decodeHex(recipient))) !== undefined,
    };
  }
}
