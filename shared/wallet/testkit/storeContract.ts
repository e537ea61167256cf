/**
 * Contract of a wallet's store, for every implementation of it: what was committed is what a later program loads, whatever happened
 * to the wallet. A case throws where a store breaks it.
 */
import { asTimestampMs, asTxId } from "../../base/brand.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { applyFacts } from "../reduce/applyFacts.ts";
import { restart, rollback } from "../reduce/rollback.ts";
import { newLedger } from "../proof/walletLedger.ts";
import { draftPayment, type Payment } from "../state/payment.ts";
import type { StorePort, TreeChange } from "../state/ports.ts";
import { cursorOf, unspentNotes, type WalletState } from "../state/walletState.ts";
import { encodeWalletState } from "../state/walletStateCodec.ts";
import { ChainModel, freshWallet, TEST_POLICY } from "./chainModel.ts";
import { modelMultiply } from "./modelLedger.ts";
import { payeeOf } from "./payments.ts";

/** One rule of a store. `open` is a fresh program over what is stored. */
export type StoreCase = {
  readonly name: string;
  readonly run: (open: () => StorePort) => Promise<void>;
};

/** The wallet of these cases forgets early, so that a short chain does all that a long one does. */
const POLICY = { ...TEST_POLICY, recentBlocks: 12 };
const LEAF_DIGITS = 64;

/** The rules. Each begins with an empty store. */
export const STORE_CASES: readonly StoreCase[] = [
  {
    name: "has nothing before the first commit",
    run: async (open) => {
      if ((await open().load()) !== null) throw new Error("an empty store loads a wallet");
    },
  },
  {
    name: "gives back what was committed, after every commit of a wallet's life",
    run: async (open) => liveOn(new StoredLife(open), 120),
  },
  {
    name: "goes on from where another program stopped",
    run: async (open) => {
      const life = new StoredLife(open);
      while (life.steps < 60) {
        await liveOn(life, 3);
        await life.reopen();
      }
    },
  },
  {
    name: "keeps hundreds of notes, and one change among them",
    run: async (open) => {
      const life = new StoredLife(open);
      await life.receive(Array.from({ length: 600 }, (_, at) => BigInt(at + 1)));
      for (const at of [0, 300, 599]) await life.spend(at);
      for (let block = 0; block < POLICY.recentBlocks; block += 1) await life.receive([1n]);
      await life.undo(3);
    },
  },
  {
    name: "puts another tree and other rows in the place of those that are there, wherever they end",
    run: async (open) => {
      const life = new StoredLife(open);
      await liveOn(life, 40);
      for (const leaves of [3, 0, 3_000, 400]) {
        await life.replace(leaves);
        await life.reopen();
        await life.pay("ab");
      }
    },
  },
  {
    name: "keeps a payment of any length",
    run: async (open) => {
      const life = new StoredLife(open);
      await life.receive([9n]);
      await life.pay("ab".repeat(125_000));
      await life.pay("cd");
      await life.drop(0);
    },
  },
];

/** A wallet and its store: each step is committed, and compared with what another program would load. */
export class StoredLife {
  steps = 0;
  readonly #open: () => StorePort;
  readonly #model = new ChainModel();
  #store: StorePort;
  #state: WalletState = { ...freshWallet(), ledger: newLedger(cursorOf(freshWallet())) };
  #leaves = "";
  #isNew = true;
  /** Leaves of a tree that takes the place of the stored one with the next commit. */
  #whole: string | null = null;

  constructor(open: () => StorePort) {
    this.#open = open;
    this.#store = open();
  }

  get state(): WalletState {
    return this.#state;
  }

  /** Another program takes over. */
  async reopen(): Promise<void> {
    this.#store = this.#open();
    const loaded = await this.#store.load();
    if (loaded !== null) this.#state = loaded.state;
  }

  /** A block pays these values; nothing for none. */
  async receive(values: readonly bigint[]): Promise<void> {
    this.#model.add({ mined: values.slice(0, 1), txs: this.#receipt(values.slice(1)) });
    await this.#scan();
  }

  /** A block spends an unspent note, by its place among them. */
  async spend(at: number): Promise<void> {
    const note = unspentNotes(this.#state)[at];
    const spends = note === undefined ? [] : [note.nullifier];
    this.#model.add({ txs: [{ txid: this.#model.txid(), spends }] });
    await this.#scan();
  }

  /** The chain leaves its last blocks, and grows otherwise. */
  async undo(blocks: number): Promise<void> {
    const { blocks: known } = this.#state;
    const common = known.at(-1 - Math.min(blocks, known.length - 1)) ?? cursorOf(this.#state);
    this.#model.cut(Number(common.chainIndex));
    await this.#commit(rollback(this.#state, common.hash), "");
    await this.receive([2n]);
  }

  /** All is scanned again. */
  async again(): Promise<void> {
    const { birthday } = this.#state.account;
    await this.#commit(restart(this.#state, birthday, false), "");
    await this.#scan();
  }

  /** Another scan of so many leaves takes the place of this one, with fewer rows. No block may follow. */
  async replace(leaves: number): Promise<void> {
    this.#leaves = Array.from({ length: leaves }, () => this.#model.fresh()).join("");
    this.#whole = this.#leaves;
    const { notes, history } = this.#state;
    await this.#commit({ ...this.#state, notes: notes.slice(3), history: history.slice(2) }, null);
  }

  /** A payment is signed. */
  async pay(raw: string): Promise<void> {
    const id = `payment ${this.steps}`;
    const draft = draftPayment(id, asTimestampMs(BigInt(this.steps)), [payeeOf(5n)]);
    const txid = asTxId(this.#model.fresh());
    const payment: Payment = { ...draft, txid, raw, status: { state: "signed" } };
    await this.#commit({ ...this.#state, outbox: [...this.#state.outbox, payment] }, null);
  }

  /** A payment is taken out of the history. */
  async drop(at: number): Promise<void> {
    const outbox = this.#state.outbox.filter((_, place) => place !== at);
    await this.#commit({ ...this.#state, outbox }, null);
  }

  /** The next address is handed out: the lists stay as they are. */
  async address(): Promise<void> {
    const { account } = this.#state;
    const nextAddressIndex = account.nextAddressIndex + 1;
    await this.#commit({ ...this.#state, account: { ...account, nextAddressIndex } }, null);
  }

  #receipt(values: readonly bigint[]) {
    if (values.length === 0) return [];
    return [{ txid: this.#model.txid(), outputs: values.map((value) => ({ value })) }];
  }

  async #scan(): Promise<void> {
    const page = this.#model.page(Number(cursorOf(this.#state).chainIndex) + 1);
    const next = applyFacts(this.#state, page, POLICY, modelMultiply);
    await this.#commit(next, page.facts.cmx);
  }

  async #commit(state: WalletState, appended: string | null): Promise<void> {
    this.steps += 1;
    const change = appended === null ? this.#wholeChange() : this.#treeChange(state, appended);
    await this.#store.commit({ state, tree: change });
    this.#state = state;
    await this.#compare();
  }

  #wholeChange(): TreeChange | null {
    const leaves = this.#whole;
    this.#whole = null;
    if (leaves === null) return null;
    return {
      truncatedTo: BigInt(leaves.length / LEAF_DIGITS),
      ...{ appended: new Uint8Array(), whole: true },
      snapshot: () => decodeHex(leaves),
    };
  }

  /** Leaves beyond the last block are cut, as after a reorganisation. */
  #treeChange(state: WalletState, appended: string): TreeChange {
    const end = Number(cursorOf(state).leafEnd) - appended.length / LEAF_DIGITS;
    const isCut = this.#isNew || end * LEAF_DIGITS < this.#leaves.length;
    this.#isNew = false;
    this.#leaves = this.#leaves.slice(0, end * LEAF_DIGITS) + appended;
    const leaves = this.#leaves;
    return {
      truncatedTo: isCut ? BigInt(end) : null,
      appended: decodeHex(appended),
      snapshot: () => decodeHex(leaves),
    };
  }

  async #compare(): Promise<void> {
    const loaded = await this.#open().load();
    if (loaded === null) throw new Error(`nothing is stored after step ${this.steps}`);
    const [stored, known] = [encodeWalletState(loaded.state), encodeWalletState(this.#state)];
    if (stored !== known) throw new Error(`another state is stored after step ${this.steps}`);
    if (encodeHex(loaded.tree) + encodeHex(loaded.leaves) !== this.#leaves) {
      throw new Error(`other leaves are stored after step ${this.steps}`);
    }
  }
}

/** So many steps, the same each time. */
async function liveOn(life: StoredLife, steps: number): Promise<void> {
  for (const end = life.steps + steps; life.steps < end;) {
    const turn = life.steps;
    if (turn % 11 === 10) await life.undo(turn % 5);
    else if (turn % 37 === 36) await life.again();
    else if (turn % 7 === 3) await life.spend(turn % 4);
    else if (turn % 9 === 4) await life.pay("ef".repeat(turn * 40));
    else if (turn % 13 === 8) await life.drop(turn % 3);
    else if (turn % 8 === 5) await life.address();
    else await life.receive(Array.from({ length: turn % 6 }, (_, at) => BigInt(turn + at + 1)));
  }
}
