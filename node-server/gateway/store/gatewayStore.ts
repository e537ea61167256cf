/** The gateway's database: its tables, and the commits over them. The caller holds the folder's lock; one object writes a database. */
import { openStore } from "../../storage/openStore.ts";
import type { Kv } from "../../storage/kv.ts";
import { CommitQueue, type CommitStep } from "../../storage/rows/commitQueue.ts";
import type { RowSeal } from "../../storage/rows/rowSeal.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { StoreFlaw, TellFlaw } from "../../storage/rows/storeFlaw.ts";
import { StoreSteps } from "../../storage/rows/storeSteps.ts";
import { ViewTable } from "../../storage/rows/viewTable.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { ProofTable } from "../proof/proofTable.ts";
import { ReceiptTable } from "../receipts/receiptTable.ts";
import { AddressTable } from "./addressTable.ts";
import { ChallengeTable } from "./challengeTable.ts";
import { DeliveryTable } from "./deliveryTable.ts";
import { EndpointTable } from "./endpointTable.ts";
import { FoundTable } from "./foundTable.ts";
import { GATEWAY_LAYOUT, GATEWAY_TABLES } from "./gatewayLayout.ts";
import { InvoiceEventTable } from "./invoiceEventTable.ts";
import { InvoiceTable } from "./invoiceTable.ts";
import { OldAddressTable } from "./oldAddressTable.ts";
import { RefundTable } from "./refundTable.ts";
import { TILL_DEVICES, TILL_SESSIONS, TillSessionTable } from "./tillSessionTable.ts";
import { RequestKeyTable } from "./requestKeyTable.ts";
import { SessionTable } from "./sessionTable.ts";

/** The tables and their commits. */
export class GatewayStore {
  readonly invoices: InvoiceTable;
  readonly idempotency = new RequestKeyTable();
  readonly events: InvoiceEventTable;
  readonly endpoints: EndpointTable;
  readonly deliveries: DeliveryTable;
  readonly addresses: AddressTable;
  readonly view: ViewTable;
  readonly found: FoundTable;
  readonly proof: ProofTable;
  readonly receipts: ReceiptTable;
  readonly refunds: RefundTable;
  readonly challenges: ChallengeTable;
  readonly oldAddresses: OldAddressTable;
  readonly sessions = new SessionTable();
  readonly tillSessions: TillSessionTable;
  readonly tillDevices: TillSessionTable;
  readonly #kv: Kv;
  readonly #steps: StoreSteps;
  readonly #queue: CommitQueue;

  /** Takes over an open database of `GATEWAY_LAYOUT`. `seal` hides the secrets in it; null leaves them readable. */
  constructor(kv: Kv, seal: RowSeal | null) {
    this.#kv = kv;
    this.invoices = new InvoiceTable(kv);
    this.events = new InvoiceEventTable(kv);
    this.endpoints = new EndpointTable(kv, seal);
    this.deliveries = new DeliveryTable(kv);
    this.addresses = new AddressTable(kv);
    this.view = new ViewTable(kv, GATEWAY_TABLES.view);
    this.found = new FoundTable(kv, GATEWAY_TABLES.found);
    this.proof = new ProofTable(kv, GATEWAY_TABLES);
    this.receipts = new ReceiptTable(kv, GATEWAY_TABLES);
    this.refunds = new RefundTable(kv);
    this.challenges = new ChallengeTable(kv);
    this.oldAddresses = new OldAddressTable(kv);
    this.tillSessions = new TillSessionTable(kv, TILL_SESSIONS);
    this.tillDevices = new TillSessionTable(kv, TILL_DEVICES);
    this.#steps = new StoreSteps(kv, GATEWAY_TABLES.sequence);
    this.#queue = new CommitQueue(this.#steps, GATEWAY_LIMITS.commitSteps);
  }

  /** Opens or creates the database in a folder; null gives one in memory. Rejects as `openStore` does. */
  static async open(folder: string | null, seal: RowSeal | null): Promise<GatewayStore> {
    const { store } = await openStore(folder, GATEWAY_LAYOUT);
    return new GatewayStore(store, seal);
  }

  /** The number of the last commit; 0 before the first. */
  get sequence(): bigint {
    return this.#steps.sequence;
  }

  /** Commits what a step collects, at once, as `StoreSteps.commit`. */
  commit<T>(step: (batch: StoreBatch) => T): T {
    return this.#steps.commit(step);
  }

  /** Commits a step together with others that come at the same time, as `CommitQueue.run`. */
  run<T>(step: CommitStep<T>): Promise<T> {
    return this.#queue.run(step);
  }

  /** What is wrong with the invoices, the refunds, what x402 keeps, and their index rows, all of which are read; nothing is changed. */
  flaws(): readonly StoreFlaw[] {
    const flaws: StoreFlaw[] = [];
    const tell: TellFlaw = (table, reason) => void flaws.push({ table, reason });
    this.invoices.audit(tell);
    this.refunds.audit(tell);
    this.oldAddresses.audit(tell);
    this.challenges.audit(tell);
    this.sessions.audit(this.#kv, tell);
    return flaws;
  }

  /** Waits for the steps that came, and closes the database; resolves when its folder may be opened again. */
  async close(): Promise<void> {
    await this.#queue.idle();
    await this.#kv.close();
  }
}
