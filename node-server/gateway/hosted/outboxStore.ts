/** The database of a scanner that tells a hosted gateway: what it has seen of the chain, and the batches that it has to tell. */
import * as v from "valibot";
import type { ViewingKeyId } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { PaymentOutput } from "@svc/shared/invoice/invoice.ts";
import { paymentOutput } from "@svc/shared/invoice/invoiceCodec.ts";
import { nodeFault, type NodeFault } from "@svc/shared/light/nodeFault.ts";
import { openStore } from "../../storage/openStore.ts";
import type { Kv } from "../../storage/kv.ts";
import { jsonCodec, RowTable } from "../../storage/rows/rowTable.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { numberKey, pairsFrom, pairsIn, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { StoreSteps } from "../../storage/rows/storeSteps.ts";
import { ViewTable } from "../../storage/rows/viewTable.ts";
import { ProofTable } from "../proof/proofTable.ts";
import { ReceiptTable } from "../receipts/receiptTable.ts";
import { FoundTable } from "../store/foundTable.ts";
import type { WaitingPayment } from "../scan/earlierWaiting.ts";
import { viewingKeyKey } from "../store/gatewayKeys.ts";
import { OrphanTable } from "./orphanTable.ts";
import { OUTBOX_LAYOUT, OUTBOX_TABLES } from "./outboxLayout.ts";
import { PayoutTable } from "./payoutTable.ts";
import { ReceivedTable } from "./receivedTable.ts";

/** How far a scanner has come. Numbers of batches begin at 1. */
export type OutboxState = {
  /** The name under which it tells. */
  readonly scanner: string;
  /** Number of the last batch that is written; 0 before the first. */
  readonly written: bigint;
  /** All up to this one are acknowledged. It falls where the hosted gateway has lost some. */
  readonly told: bigint;
  /** The highest that was ever acknowledged. */
  readonly highest: bigint;
  /** Why the node is not believed; null while it is. */
  readonly fault: NodeFault | null;
};

const waitingPayment: v.GenericSchema<unknown, WaitingPayment> = v.object({
  key: fields.viewingKeyId,
  index: fields.u32,
  output: paymentOutput,
});
const STATE_KEY = Uint8Array.of(0);
const state: v.GenericSchema<unknown, OutboxState> = v.object({
  scanner: v.string(),
  written: fields.u64,
  told: fields.u64,
  highest: fields.u64,
  // Older programs wrote none.
  fault: v.optional(v.nullable(nodeFault), null),
});

/** The tables, and the commits over them. Reads throw as those of `RowTable` do. */
export class OutboxStore {
  readonly view: ViewTable;
  readonly found: FoundTable;
  readonly proof: ProofTable;
  readonly receipts: ReceiptTable;
  readonly received: ReceivedTable;
  readonly payouts: PayoutTable;
  readonly orphans: OrphanTable;
  readonly #kv: Kv;
  readonly #steps: StoreSteps;
  readonly #states = new RowTable({
    table: OUTBOX_TABLES.state,
    name: "state",
    codec: jsonCodec(state),
    seal: null,
  });
  readonly #batches = new RowTable<string>({
    table: OUTBOX_TABLES.batches,
    name: "batches",
    codec: {
      encode: (text) => new TextEncoder().encode(text),
      decode: (bytes) => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    },
    seal: null,
  });
  readonly #waiting = new RowTable({
    table: OUTBOX_TABLES.waiting,
    name: "waiting",
    codec: jsonCodec(waitingPayment),
    seal: null,
  });
  readonly #runs = new RowTable({
    table: OUTBOX_TABLES.runs,
    name: "runs",
    codec: jsonCodec<{ readonly sequence: bigint }>(v.object({ sequence: fields.u64 })),
    seal: null,
  });

  /** Takes over an open database of `OUTBOX_LAYOUT`. */
  constructor(kv: Kv) {
    this.#kv = kv;
    this.view = new ViewTable(kv, OUTBOX_TABLES.view);
    this.orphans = new OrphanTable(kv, OUTBOX_TABLES.orphans);
    this.proof = new ProofTable(kv, OUTBOX_TABLES);
    this.receipts = new ReceiptTable(kv, OUTBOX_TABLES);
    this.found = new FoundTable(kv, OUTBOX_TABLES.found);
    this.received = new ReceivedTable(kv);
    this.payouts = new PayoutTable(kv);
    this.#steps = new StoreSteps(kv, OUTBOX_TABLES.sequence);
  }

  /** Opens or creates the database in a folder; null gives one in memory. Rejects as `openStore` does. */
  static async open(folder: string | null): Promise<OutboxStore> {
    const { store } = await openStore(folder, OUTBOX_LAYOUT);
    return new OutboxStore(store);
  }

  /** Commits what a step collects, as `StoreSteps.commit`. */
  commit<T>(step: (batch: StoreBatch) => T): T {
    return this.#steps.commit(step);
  }

  /** How far the scanner has come; undefined before it began. */
  state(reader: StoreReader = this.#kv): OutboxState | undefined {
    return this.#states.get(reader, STATE_KEY);
  }

  /** Writes how far it has come. */
  putState(batch: StoreBatch, row: OutboxState): void {
    this.#states.put(batch, STATE_KEY, row);
  }

  /** A batch as JSON; undefined where it is not kept. */
  batch(sequence: bigint, reader: StoreReader = this.#kv): string | undefined {
    return this.#batches.get(reader, numberKey(sequence));
  }

  /** Writes a batch. */
  putBatch(batch: StoreBatch, sequence: bigint, json: string): void {
    this.#batches.put(batch, numberKey(sequence), json);
  }

  /** Forgets the batches below a number. */
  forgetBelow(batch: StoreBatch, sequence: bigint): void {
    if (sequence <= 0n) return;
    const range = { from: Uint8Array.of(), to: numberKey(sequence) };
    for (const { key } of pairsIn(batch, { table: OUTBOX_TABLES.batches, ...range })) {
      this.#batches.delete(batch, key);
    }
  }

  /** Number of the batch with the last run of addresses of a viewing key; null where it was given none. */
  runOf(key: ViewingKeyId, reader: StoreReader = this.#kv): bigint | null {
    return this.#runs.get(reader, viewingKeyKey(key))?.sequence ?? null;
  }

  /** Writes which batch has it. */
  putRun(batch: StoreBatch, key: ViewingKeyId, sequence: bigint): void {
    this.#runs.put(batch, viewingKeyKey(key), { sequence });
  }

  /** The payments that were told to wait and neither gone nor mined since. */
  *waiting(reader: StoreReader = this.#kv): Generator<WaitingPayment, void> {
    for (const { row } of this.#waiting.from(reader, Uint8Array.of())) yield row;
  }

  /** Writes one. */
  putWaiting(batch: StoreBatch, row: WaitingPayment): void {
    this.#waiting.put(batch, decodeHex(row.output.cmx), row);
  }

  /** Forgets one; does nothing where there is none. */
  forgetWaiting(batch: StoreBatch, { cmx }: PaymentOutput): void {
    const key = decodeHex(cmx);
    if (this.#waiting.get(batch, key) !== undefined) this.#waiting.delete(batch, key);
  }

  /** Forgets all batches and which runs were given. */
  clear(batch: StoreBatch): void {
    for (const table of [OUTBOX_TABLES.batches, OUTBOX_TABLES.runs]) {
      for (const { key } of pairsFrom(batch, table, Uint8Array.of())) batch.put(table, key, null);
    }
  }

  /** Closes the database. */
  close(): Promise<void> {
    return this.#kv.close();
  }
}
