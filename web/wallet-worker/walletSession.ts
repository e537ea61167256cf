/**
 * Session of an unlocked wallet: its synchronisation, its incoming payments that still wait, its outgoing payments. Ends
 * with `close`.
 */
import {
  asAddressText,
  asBlockHash,
  asRawAddress,
  type Sompi,
  type TxId,
} from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { forgetPayment } from "@svc/shared/wallet/reduce/forgetPayment.ts";
import {
  addIncoming,
  dropIncoming,
  type IncomingPayment,
} from "@svc/shared/wallet/reduce/incoming.ts";
import type { Birthday } from "@svc/shared/wallet/sync/birthday.ts";
import {
  OlderReader,
  type OlderStore,
  type OlderView,
} from "@svc/shared/wallet/run/olderReader.ts";
import { openWallet } from "@svc/shared/wallet/run/openWallet.ts";
import { namedAddresses } from "@svc/shared/wallet/labels/namedAddresses.ts";
import { readPayee, type AddressBook, type PayeeText } from "@svc/shared/wallet/plan/payee.ts";
import type { Payee, Payment } from "@svc/shared/wallet/state/payment.ts";
import { CoreReceipts } from "@svc/shared/light/coreReceipts.ts";
import type { EvidencePort } from "@svc/shared/light/evidencePort.ts";
import { noteCommitment } from "@svc/shared/light/noteCommitment.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";
import { logFromOf } from "@svc/shared/light/logFromOf.ts";
import { coreEvidence, type EvidenceNetwork } from "@svc/shared/wallet/sync/coreEvidence.ts";
import { drawPayment } from "@svc/shared/wallet/sync/drawPayment.ts";
import { ownReceipts, type OwnReceipts } from "@svc/shared/wallet/sync/ownReceipts.ts";
import { withRecordChecks } from "@svc/shared/wallet/sync/recordChecks.ts";
import { handOver, type SubmitPort } from "@svc/shared/wallet/send/handOver.ts";
import type { PayloadPort } from "@svc/shared/light/secondOpinion.ts";
import type { OtherNodes } from "@svc/shared/wallet/node/otherNodes.ts";
import { lastProved } from "@svc/shared/wallet/proof/chainProof.ts";
import type {
  NodePort,
  ProveProgress,
  SignerPort,
  StorePort,
} from "@svc/shared/wallet/state/ports.ts";
import { poolRecord } from "@svc/shared/wallet/node/poolRecord.ts";
import { isResumable } from "@svc/shared/wallet/reduce/orders.ts";
import { mergeNotes } from "@svc/shared/wallet/send/mergeNotes.ts";
import { tipToPayAt } from "@svc/shared/wallet/send/reservePayment.ts";
import {
  resumePayment,
  sendPayment,
  stopPayment,
  type SendParts,
  type SendRequest,
} from "@svc/shared/wallet/send/sendPayment.ts";
import { CoreTree } from "@svc/shared/wallet/state/coreTree.ts";
import { WalletLoop, type LoopFacts, type LoopParts } from "@svc/shared/wallet/run/walletLoop.ts";
import { walletPolicy, type WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import { historyRows } from "@svc/shared/wallet/view/history.ts";
import type { RescanFrom, WalletSync } from "@svc/shared/wallet/sync/walletSync.ts";
import type { ViewingKeys } from "../wallet-api/keyringApi.ts";
import { ownAnnotations, type OwnAnnotations } from "./addresses/ownAnnotations.ts";
import { browserClock } from "./browserClock.ts";
import { chance } from "./chance.ts";
import type { Database } from "./store/database.ts";
import type { Network } from "../node/networks.ts";
import type { ProverHost } from "./proverHost.ts";
import { olderStore } from "./older/olderStore.ts";
import { ScanPool } from "./scanPool.ts";
import { WalletStore } from "./store/walletStore.ts";

/** Dependencies of a session. */
export type SessionParts = {
  readonly core: CoreGlue;
  readonly module: WebAssembly.Module;
  readonly network: Network;
  readonly node: NodePort & EvidencePort & PayloadPort;
  /** Other nodes, with which that one is compared and which take payments; null for none. */
  readonly others: OtherNodes | null;
  readonly database: Database;
  readonly prover: ProverHost;
  readonly signer: SignerPort;
  /** Whether payments carry the outgoing viewing key, as the wallet's owner chose by now. */
  readonly recoverable: () => boolean;
  /** Called whenever something that the page shows may have changed. */
  readonly onChange: () => void;
  /** Called when a scan begins anew: the balance is unknown again. */
  readonly onRestart: () => void;
};

/** The wallet while it is unlocked. */
export class WalletSession {
  readonly sync: WalletSync;
  readonly policy: WalletPolicy;
  readonly annotations: OwnAnnotations;
  readonly #parts: SessionParts;
  readonly #scan: ScanPool;
  readonly #dataKey: Secret;
  readonly #viewingKey: string;
  readonly #sendParts: SendParts & LoopParts;
  readonly #loop: WalletLoop;
  readonly #stop = new AbortController();
  readonly #older: OlderReader;
  #running: Promise<unknown> = Promise.resolve();
  #incoming: readonly IncomingPayment[] = [];

  private constructor(
    parts: SessionParts,
    sync: WalletSync,
    keys: { readonly scan: ScanPool; readonly dataKey: Secret; readonly viewingKey: string },
    store: OlderStore,
  ) {
    this.#parts = parts;
    this.sync = sync;
    this.#scan = keys.scan;
    this.#dataKey = keys.dataKey;
    this.#viewingKey = keys.viewingKey;
    this.policy = policyOf(parts.network);
    this.annotations = ownAnnotations({
      core: parts.core,
      network: parts.network,
      database: parts.database,
      dataKey: keys.dataKey,
      state: () => sync.state,
      rows: () => historyRows(sync.state, this.policy, this.#incoming),
      text: (index) => this.addressText(index),
      onChange: parts.onChange,
    });
    this.#sendParts = sendPartsOf(parts, sync, this.policy, keys.viewingKey);
    const { node, clock } = this.#sendParts;
    const pollMs = PAGE_LIMITS.walletPollMs;
    this.#older = new OlderReader({
      main: sync,
      store,
      node,
      clock,
      pollMs,
      onChange: parts.onChange,
    });
    const looked = (): void => {
      if (sync.hasAsked) this.#older.begin();
    };
    this.#loop = new WalletLoop({ ...this.#sendParts, looked }, pollMs, parts.onChange);
    sync.subscribe(({ blocks }) => {
      if (blocks.length === 1) parts.onRestart();
      parts.onChange();
    });
  }

  /** Opens the stored wallet or begins a new one. Rejects as `openWallet` does. */
  static async open(
    parts: SessionParts,
    keys: ViewingKeys,
    birthday: Birthday,
    signal: AbortSignal,
  ): Promise<WalletSession> {
    const { core, module, network, node, others: second, database } = parts;
    const dataKey = new Secret(keys.dataKey);
    const { viewingKey } = keys;
    const scan = new ScanPool(
      { core: module, profileJson: network.profileJson, viewingKey },
      navigator.hardwareConcurrency,
    );
    const policy = policyOf(network);
    const makeTree = (bytes: Uint8Array) => new CoreTree(core, bytes);
    const sources = { payloads: node, second, draw: drawPayment(chance) };
    const evidence = withRecordChecks(core, coreEvidence(core, node, networkOf(network)), sources);
    const identity = {
      profileDigest: network.view.digest,
      genesis: asBlockHash(network.genesis),
      defaultAddress: asRawAddress(encodeHex(callCore(() => core.addressAt(viewingKey, 0)))),
    };
    const shared = { policy, node, scan, makeTree, clock: browserClock, evidence };
    const openIn = (store: StorePort, until: AbortSignal) =>
      openWallet({ ...shared, store }, identity, birthday, until);
    const store = new WalletStore(database, dataKey);
    const recentFirst = true;
    const sync = await openWallet({ ...shared, store, recentFirst }, identity, birthday, signal);
    const held = { scan, dataKey, viewingKey: encodeHex(viewingKey) };
    return new WalletSession(parts, sync, held, olderStore(database.name, dataKey, openIn));
  }

  /** Begins to follow the chain. */
  start(): void {
    // What fails here is tried again with the next start.
    this.#readAnnotations().catch(() => undefined);
    const { signal } = this.#stop;
    this.#running = Promise.all([this.#loop.run(signal), this.#older.run(signal)]);
  }

  /** Reads the annotations; addresses with a name were handed out. */
  async #readAnnotations(): Promise<void> {
    await this.annotations.labels.read();
    const { addresses } = this.annotations.labels.known;
    const known = this.sync.state.account.nextAddressIndex;
    const max = PAGE_LIMITS.namedAddressesMax;
    if (namedAddresses(addresses, known, max) === known) return;
    await this.sync.update((state) => {
      const { account } = state;
      const nextAddressIndex = namedAddresses(addresses, account.nextAddressIndex, max);
      return { ...state, account: { ...account, nextAddressIndex } };
    });
  }

  /** Ends everything and erases the keys. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    this.#scan.stop();
    await this.sync.close();
    this.#dataKey.erase();
  }

  /** The nodes that are not followed; null for none. */
  get others(): OtherNodes | null {
    return this.#parts.others;
  }

  /** Looks at them once, for whoever looks at the list of nodes. */
  async lookAtOthers(): Promise<void> {
    await this.others?.look(lastProved(this.sync.state.proof), this.#stop.signal);
  }

  /** How far the older blocks are read that are read behind the recent ones; null for none. */
  get older(): OlderView | null {
    return this.#older.view;
  }

  get loopFacts(): LoopFacts {
    return this.#loop.facts;
  }

  get incoming(): readonly IncomingPayment[] {
    return this.#incoming;
  }

  /** Scans everything again, from the birthday or from genesis. */
  async rescan(from: RescanFrom): Promise<void> {
    await this.sync.rescan(this.#stop.signal, from);
    this.wake();
  }

  /** Takes a payment that ended out of the history. Throws `wallet/payment-pending`. */
  async forgetPayment(id: string): Promise<void> {
    await this.annotations.labels.forget(id, async () => {
      await this.sync.update((state) => forgetPayment(state, id));
    });
  }

  /** There is news from the node. */
  wake(): void {
    this.#loop.wake();
  }

  /** A transaction waits in the node's pool: perhaps it pays us. */
  async poolAdd(frame: Uint8Array): Promise<void> {
    const { page } = poolRecord(frame);
    const facts = await this.#scan.scan(page, this.#stop.signal);
    this.#setIncoming(addIncoming(this.#incoming, facts, this.sync.state));
  }

  poolDel(txid: TxId): void {
    this.#setIncoming(dropIncoming(this.#incoming, [txid]));
  }

  /** Profile of the wallet's network, as JSON. */
  get profileJson(): string {
    return this.#parts.network.profileJson;
  }

  /** Name of the wallet's network. */
  get networkName(): string {
    return this.#parts.network.view.name;
  }

  /** The text form of an own address. */
  addressText(index: number): string {
    const { core, network } = this.#parts;
    const viewingKey = decodeHex(this.#viewingKey);
    const raw = callCore(() => core.addressAt(viewingKey, index));
    return callCore(() => core.encodeAddress(network.view.hrp, raw));
  }

  /** Hands out the next address. */
  async newAddress(): Promise<void> {
    await this.sync.update((state) => {
      const { account } = state;
      const nextAddressIndex = account.nextAddressIndex + 1;
      return { ...state, account: { ...account, nextAddressIndex } };
    });
  }

  /** Checks a line of the payment form. */
  readPayee(text: PayeeText): Payee {
    return readPayee(text, this.#addressBook());
  }

  /** Sends; the session's end cancels what is not yet broadcast. */
  async send(
    payees: readonly Payee[],
    wish: PaymentWish,
    { id, progress, signal }: PaymentRun,
  ): Promise<Payment> {
    const recoverable = this.#parts.recoverable();
    const request: SendRequest = { id, payees, ...wish, recoverable };
    const either = AbortSignal.any([signal, this.#stop.signal]);
    return sendPayment(this.#sendParts, request, progress, either);
  }

  /** Goes on with a payment over several transactions; the session's end leaves it to be gone on with again. */
  async resumePayment({ id, progress, signal }: PaymentRun): Promise<Payment> {
    const either = AbortSignal.any([signal, this.#stop.signal]);
    return resumePayment(this.#sendParts, id, progress, either);
  }

  /** Merges notes once, as nobody confirmed. Rejects as `mergeNotes` does; the session's end cancels it. */
  async mergeNotes(id: string, signal: AbortSignal): Promise<Payment> {
    const request = { id, address: asAddressText(this.addressText(0)) };
    return mergeNotes(this.#sendParts, request, AbortSignal.any([signal, this.#stop.signal]));
  }

  /** Stops a payment over several transactions that nobody is making. */
  async stopPayment(id: string): Promise<void> {
    await stopPayment(this.#sendParts, id);
  }

  /** The payment that can be gone on with now; null for none. */
  get resumable(): string | null {
    const { state, tip, fault } = this.sync;
    const order = state.orders.find((one) => isResumable(state, one));
    if (order === undefined || !this.#loop.facts.everSynced) return null;
    try {
      tipToPayAt({ state, tip, fault });
      return order.id;
    } catch {
      return null;
    }
  }

  /** Makes the receipts of what a line of the history received or sent. Rejects as `ownReceipts` does. */
  async receipts(rowId: string, challenge: string): Promise<OwnReceipts> {
    const { core, network, node } = this.#parts;
    const receipts = new CoreReceipts(core, network.profileJson);
    const viewingKey = decodeHex(this.#viewingKey);
    const commitment = (note: Parameters<typeof noteCommitment>[1]) => noteCommitment(core, note);
    const parts = { receipts, node, policy: this.policy, viewingKey, commitment };
    return ownReceipts(parts, this.sync, { rowId, challenge }, this.#stop.signal);
  }

  /** True for the text of an own address; false for all other text. */
  isOwn(address: string): boolean {
    const { hrp, decodeAddress, isOwn } = this.#addressBook();
    try {
      return isOwn(asRawAddress(encodeHex(decodeAddress(hrp, address))));
    } catch {
      return false;
    }
  }

  #addressBook(): AddressBook {
    const { core, network } = this.#parts;
    const viewingKey = decodeHex(this.#viewingKey);
    return {
      hrp: network.view.hrp,
      decodeAddress: (hrp, text) => callCore(() => core.decodeAddress(hrp, text)),
      isOwn: (recipient) =>
        callCore(() => core.addressIndexOf(viewingKey, decodeHex(recipient))) !== undefined,
    };
  }

  #setIncoming(incoming: readonly IncomingPayment[]): void {
    if (incoming === this.#incoming) return;
    this.#incoming = incoming;
    this.#parts.onChange();
  }
}

function networkOf({ profileJson, checkpoint }: Network): EvidenceNetwork {
  return { profileJson, logFrom: logFromOf(readProfile(profileJson)), checkpoint };
}

function policyOf({ profile, checkpoint }: Network): WalletPolicy {
  return walletPolicy(profile, { knowsWork: checkpoint !== null });
}

function withLast<Node>(nodes: readonly Node[], last: Node): readonly [Node, ...Node[]] {
  const [first, ...more] = nodes;
  return first === undefined ? [last] : [first, ...more, last];
}

/** What the person confirmed about a payment: the highest fee, and whether it is one more beside an equal one. */
export type PaymentWish = { readonly maxFee: Sompi; readonly separate: boolean };

/** One run of a payment: its id, who is told of its progress, and what stops it. */
export type PaymentRun = {
  readonly id: string;
  readonly progress: ProveProgress;
  readonly signal: AbortSignal;
};

function sendPartsOf(
  parts: SessionParts,
  sync: WalletSync,
  policy: WalletPolicy,
  fvk: string,
): SendParts & LoopParts {
  const { core, network, prover, signer } = parts;
  const { node, others } = parts;
  return {
    sync,
    node: handOver(() => withLast<SubmitPort>(others?.order ?? [], node)),
    policy,
    prover,
    signer,
    fvk,
    clock: browserClock,
    profile: JSON.parse(network.profileJson),
    transactionId: (raw) => callCore(() => core.transactionId(raw)),
  };
}
