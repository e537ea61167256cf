/**
 * The wallet daemon's database: what must not be lost, and what all wallets share.
 *
 * Every change is part of a commit: a step that collects changes of any tables, which are then written together or not at all.
 * Nothing is visible before it is on disk. Each commit has a number; it is part of the commit, so a database that somebody put
 * back is known by it.
 */
import { join } from "node:path";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Kv } from "../../storage/kv.ts";
import { openStore } from "../../storage/openStore.ts";
import { ChargeTable } from "./chargeTable.ts";
import { CursorTable } from "./cursorTable.ts";
import { DeliveryTable } from "./deliveryTable.ts";
import { EventTable } from "./eventTable.ts";
import { IdempotencyTable } from "./idempotencyTable.ts";
import { JobTable } from "./jobTable.ts";
import { OwnerTable, ownerOf } from "./ownerTable.ts";
import { keepToOwner } from "./keepToOwner.ts";
import { PaymentTable } from "./paymentTable.ts";
import type { RowSeal } from "../../storage/rows/rowSeal.ts";
import { StoreSteps } from "../../storage/rows/storeSteps.ts";
import { keepSealMark } from "./sealMark.ts";
import type { StoreFlaw, TellFlaw } from "../../storage/rows/storeFlaw.ts";
import { TokenTable } from "./tokenTable.ts";
import { TreeTable } from "./treeTable.ts";
import { ViewTable } from "../../storage/rows/viewTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { STORE_TABLES, WALLET_STORE_LAYOUT } from "./walletStoreLayout.ts";

/** The tables, and the commits over them. The caller holds the folder's lock; one object writes a database. */
export class WalletStore {
  readonly payments: PaymentTable;
  readonly idempotency: IdempotencyTable;
  readonly jobs: JobTable;
  readonly events: EventTable;
  readonly tree: TreeTable;
  readonly view: ViewTable;
  readonly cursors: CursorTable;
  readonly deliveries: DeliveryTable;
  readonly tokens: TokenTable;
  readonly charges: ChargeTable;
  readonly owners: OwnerTable;
  readonly #kv: Kv;
  readonly #steps: StoreSteps;

  /** Takes over an open database of `WALLET_STORE_LAYOUT`. `seal` hides what is private in it; null leaves it readable. */
  constructor(kv: Kv, seal: RowSeal | null) {
    this.#kv = kv;
    this.payments = new PaymentTable(kv, seal);
    this.idempotency = new IdempotencyTable(kv, seal);
    this.jobs = new JobTable(kv, seal);
    this.events = new EventTable(kv, seal);
    this.tree = new TreeTable(kv);
    this.view = new ViewTable(kv, STORE_TABLES.view);
    this.cursors = new CursorTable(kv);
    this.deliveries = new DeliveryTable(kv);
    this.tokens = new TokenTable(kv, seal);
    this.charges = new ChargeTable(kv);
    this.owners = new OwnerTable(kv);
    this.#steps = new StoreSteps(kv, STORE_TABLES.sequence);
  }

  /**
   * Opens or creates the database in a folder; null gives one in memory. Throws `store/version` for a layout of another version,
   * `store/read-failed`, `store/corrupt`, `store/damaged`, `node/bad-folder` for files that others may use and that cannot be changed,
   * and `wallet/rows-sealed` or `wallet/no-secret` for a database whose rows were sealed otherwise.
   */
  static async open(folder: string | null, seal: RowSeal | null): Promise<WalletStore> {
    const { store } = await openStore(folder, WALLET_STORE_LAYOUT);
    try {
      if (folder !== null) keepToOwner(join(folder, WALLET_STORE_LAYOUT.name));
      keepSealMark(store, seal);
      return new WalletStore(store, seal);
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  /** The number of the last commit; 0 before the first. */
  get sequence(): bigint {
    return this.#steps.sequence;
  }

  /** Commits what a step collects, as `StoreSteps.commit`. */
  commit<T>(step: (batch: StoreBatch) => T): T {
    return this.#steps.commit(step);
  }

  /** What the last commit failed with, such as a full disk; null when it did not. */
  get problem(): SvcError | null {
    return this.#steps.problem;
  }

  /** After a commit that failed: looks whether one works again. Never throws. */
  retry(): void {
    this.#steps.retry();
  }

  /** Forgets all rows of a wallet, its idempotency keys too, in one commit. */
  deleteWallet(token: string): void {
    this.commit((batch) => this.#deleteRows(batch, token));
  }

  /**
   * The wallet under a token has this viewing key from now on. Rows of another key go, those of this one stay, and so do rows of
   * which nobody wrote down whose they are, or where that does not read any more. Throws as `commit` does, and `store/corrupt` for
   * rows that cannot be forgotten.
   */
  own(token: string, fvk: Uint8Array): void {
    const found = this.owners.find(token, fvk);
    if (found === "same") return;
    this.commit((batch) => {
      if (found === "other") this.#deleteRows(batch, token);
      this.owners.put(batch, token, ownerOf(fvk));
    });
  }

  /** Forgets the scoped tokens whose rows nobody can open any more, with their sums, in one commit; returns how many. */
  deleteLostTokens(): number {
    return this.commit((batch) => {
      const lost = this.tokens.deleteLost(batch);
      for (const hash of lost) this.charges.deleteToken(batch, hash);
      return lost.length;
    });
  }

  #deleteRows(batch: StoreBatch, token: string): void {
    this.owners.deleteWallet(batch, token);
    this.payments.deleteWallet(batch, token);
    this.idempotency.deleteWallet(batch, token);
    this.jobs.deleteWallet(batch, token);
    this.events.deleteWallet(batch, token);
    this.cursors.deleteWallet(batch, token);
    this.deliveries.deleteWallet(batch, token);
    this.charges.deleteWallet(batch, token);
    for (const key of this.tokens.deleteWallet(batch, token)) this.charges.deleteToken(batch, key);
  }

  /** What is wrong with the rows and indexes, all of which are read; nothing is changed. */
  flaws(): readonly StoreFlaw[] {
    const flaws: StoreFlaw[] = [];
    const tell = (table: string, reason: string): void => void flaws.push({ table, reason });
    const { payments, idempotency, jobs, events, cursors, deliveries, tokens, charges } = this;
    const tables = [payments, idempotency, jobs, events, cursors, deliveries, tokens, charges];
    for (const table of [...tables, this.owners]) table.audit(tell);
    auditChain(this, tell);
    return flaws;
  }

  /** Closes the database; resolves when its folder may be opened again. */
  close(): Promise<void> {
    return this.#kv.close();
  }
}

/** The tree has all its leaves and ends where the last block of the view does. */
function auditChain({ tree, view }: Pick<WalletStore, "tree" | "view">, tell: TellFlaw): void {
  try {
    for (const leaves of tree.leaves()) void leaves;
    tree.auditNodes(tell);
    const end = view.blocks().at(-1)?.leafEnd;
    const size = tree.head()?.size;
    const fits = end === undefined || size === undefined || end === size;
    if (!fits) tell("tree", `it has ${size} leaves, and the last block ends at ${end}`);
  } catch (error) {
    if (!SvcError.is(error, "store/corrupt")) throw error;
    tell(error.data.table ?? "tree", error.data.reason ?? "content");
  }
}
