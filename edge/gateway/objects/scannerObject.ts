/**
 * Durable Object that applies what the scanner tells. Batches are numbered: each is applied once, in their order, and is acknowledged
 * when every invoice that it tells of has it. A batch that was applied in part comes again, and what it tells is told twice. The last ones
 * are known by their SHA-256: two scanners of one name tell different facts under one number, and what the second tells would be lost.
 */
import { DurableObject } from "cloudflare:workers";
import * as v from "valibot";
import {
  asInvoiceId,
  type InvoiceId,
  type TimestampMs,
  type ViewingKeyId,
} from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { forEachConcurrent } from "@svc/shared/base/forEachConcurrent.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  decodeFactBatch,
  depthIn,
  type AddressesFact,
  type BatchFact,
  type BatchPayment,
  type BatchReceipt,
  type FactBatch,
} from "@svc/shared/invoice/factBatch.ts";
import type { InvoiceInput } from "@svc/shared/invoice/invoiceInput.ts";
import type { ChainDepth } from "@svc/shared/light/workLadder.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";
import { edgeNow } from "../../platform/edgeClock.ts";
import { answered, answering, type ObjectAnswer } from "../../platform/objectAnswer.ts";
import { Turns } from "../../platform/turns.ts";
import { readChainTip, scoreOf, writeChainTip } from "../scanner/chainTip.ts";
import type { GatewayEnv } from "../gatewayEnv.ts";

/** What became of a batch. */
export type IngestAnswer = {
  /** It is applied, now or before; false for one that leaves a number out. */
  readonly isApplied: boolean;
  /** The number of the next batch, decimal. */
  readonly next: string;
};

/** The name of the only object of the scanner. */
export const SCANNER_OBJECT = "scanner";

const TABLES = `
CREATE TABLE IF NOT EXISTS scanners (scanner TEXT PRIMARY KEY, sequence TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS last_batches (scanner TEXT PRIMARY KEY, sequence TEXT NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS batches (scanner TEXT NOT NULL, sequence INTEGER NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (scanner, sequence)) WITHOUT ROWID;
INSERT OR IGNORE INTO batches SELECT scanner, CAST(sequence AS INTEGER), hash FROM last_batches;
DELETE FROM last_batches;
CREATE TABLE IF NOT EXISTS settling (invoice TEXT PRIMARY KEY, score INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS settling_by_score ON settling (score);
CREATE TABLE IF NOT EXISTS watched (number INTEGER PRIMARY KEY AUTOINCREMENT, invoice TEXT NOT NULL UNIQUE, told INTEGER NOT NULL);`;

const stored = v.object({ sequence: fields.u64 });
const applied = v.object({ hash: v.string() });
const settling = v.object({ invoice: fields.invoiceId, score: v.number() });
const watched = v.object({ invoice: fields.invoiceId });

type Settling = { readonly invoice: string; readonly score: number };

/** Before the first. */
const FIRST_SETTLING: Settling = { invoice: "", score: -1 };

/** Facts of one invoice, in the order in which they were told, and what becomes of receipts of its payments. */
type Told = {
  readonly invoice: InvoiceId;
  readonly inputs: readonly InvoiceInput[];
  readonly receipts: readonly BatchReceipt[];
};

/** The object of the scanner. There is one. */
export class ScannerObject extends DurableObject<GatewayEnv> {
  readonly #turns = new Turns();
  readonly #sql = this.ctx.storage.sql;
  /** The last of the invoices that were looked at; the next batch goes on behind it. */
  #settledTo: Settling = FIRST_SETTLING;
  /** The chain at which all of them were looked at; null for none. */
  #settledAt: string | null = null;

  constructor(ctx: DurableObjectState, env: GatewayEnv) {
    super(ctx, env);
    this.#sql.exec(TABLES);
  }

  /**
   * Applies a batch. Answers with `gateway/bad-key` for another scanner than the one that is listened to, `gateway/idempotency-conflict`
   * for the number of a batch with other content or one of long ago, and with what is wrong with it.
   */
  ingest(json: string): Promise<ObjectAnswer<IngestAnswer>> {
    return answering(() =>
      this.#turns.take(async () => {
        const batch = decodeFactBatch(json);
        const { scanner, sequence } = batch;
        if (scanner !== this.env.SVC_SCANNER) throw new SvcError("gateway/bad-key", {});
        const next = this.#sequenceOf(scanner) + 1n;
        if (sequence > next) return { isApplied: false, next: String(next) };
        const hash = await sha256(json);
        if (sequence < next) {
          if (this.#isAnother(batch, hash, next))
            throw new SvcError("gateway/idempotency-conflict", {});
          return { isApplied: true, next: String(next) };
        }
        await this.#apply(batch);
        this.#remember(batch, hash);
        await this.#tellPages();
        return { isApplied: true, next: String(sequence + 1n) };
      }),
    );
  }

  /** Pages look at an invoice: its object hears of each new tip while its payments get deep. Waits for no batch. */
  watch(invoice: InvoiceId): void {
    this.#sql.exec("INSERT OR IGNORE INTO watched (invoice, told) VALUES (?, 0)", invoice);
    this.#sql.exec(
      "DELETE FROM watched WHERE number <= (SELECT max(number) FROM watched) - ?",
      EDGE_LIMITS.watchedInvoices,
    );
  }

  async #apply(batch: FactBatch): Promise<void> {
    const { facts, receipts = [], seenAtMs } = batch;
    for (const fact of facts) {
      if (isRun(fact)) answered(await this.env.MERCHANTS.getByName(fact.key).addRun(fact));
    }
    const depth = depthIn(batch);
    const said = { depth, blockMs: batch.tip.timestampMs, fault: batch.fault ?? null };
    // Of a scanner that is behind the one before it, or whose chain is another now: its facts are no deeper than it says.
    const known = await readChainTip(this.env.DB);
    if (known !== null && scoreOf(depth) < known.blueScore) {
      await writeChainTip(this.env.DB, said, edgeNow());
    }
    const payments = facts.filter((fact) => !isRun(fact));
    const told = await this.#invoicesOf([...payments, ...receipts]);
    await forEachConcurrent(told, EDGE_LIMITS.callsAtOnce, (one) =>
      this.#change(one, depth, seenAtMs),
    );
    await writeChainTip(this.env.DB, said, edgeNow());
    await this.#settle(depth);
  }

  /** The invoices that a batch is about. An address that no invoice has is nobody's business. */
  async #invoicesOf(parts: readonly (BatchPayment | BatchReceipt)[]): Promise<readonly Told[]> {
    const all: Told[] = [];
    for (const [key, own] of Map.groupBy(parts, (part) => part.key)) {
      const byIndex = Map.groupBy(own, ({ index }) => index);
      const invoices = await this.#invoicesAt(key, [...byIndex.keys()]);
      for (const [place, told] of [...byIndex.values()].entries()) {
        const invoice = invoices[place] ?? null;
        if (invoice === null) continue;
        const inputs = told.filter((part) => "kind" in part);
        const receipts = told.filter((part) => "receipt" in part);
        all.push({ invoice: asInvoiceId(invoice), inputs, receipts });
      }
    }
    return all;
  }

  async #invoicesAt(key: ViewingKeyId, indices: number[]): Promise<readonly (string | null)[]> {
    return answered(await this.env.MERCHANTS.getByName(key).invoicesAt(indices));
  }

  async #change(
    { invoice, inputs, receipts }: Told,
    depth: ChainDepth,
    seenMs: TimestampMs | null,
  ): Promise<void> {
    const change = { inputs, receipts, depth, seenMs, revision: null };
    const after = answered(await this.env.INVOICES.getByName(invoice).change(change));
    if (after.settlesAt === null) {
      this.#sql.exec("DELETE FROM settling WHERE invoice = ?", invoice);
      return;
    }
    this.#sql.exec(
      "INSERT INTO settling (invoice, score) VALUES (?1, ?2) ON CONFLICT (invoice) DO UPDATE SET score = ?2",
      ...[invoice, Number(after.settlesAt)],
    );
  }

  /**
   * Looks at the invoices that the tip may settle a payment of. Those that are deep and not proved stay: behind them are others, which the
   * next batch looks at. One that fails is looked at again.
   */
  async #settle(depth: ChainDepth): Promise<void> {
    const chain = `${scoreOf(depth)} ${depth.ladder?.steps.at(-1)?.blueScore}`;
    if (chain === this.#settledAt) return;
    const { score, invoice: last } = this.#settledTo;
    const rows = this.#sql.exec(
      "SELECT invoice, score FROM settling WHERE score <= ?1 AND (score > ?2 OR (score = ?2 AND invoice > ?3)) ORDER BY score, invoice LIMIT ?4",
      ...[Number(scoreOf(depth)), score, last, EDGE_LIMITS.lookInvoices],
    );
    const due = [...rows].map((row) => v.parse(settling, row));
    let hasFailed = false;
    await forEachConcurrent(due, EDGE_LIMITS.callsAtOnce, async ({ invoice }) => {
      try {
        await this.#change({ invoice, inputs: [{ kind: "look" }], receipts: [] }, depth, null);
      } catch (thrown) {
        hasFailed = true;
        console.error(`an invoice was not looked at: ${SvcError.from(thrown).code}`);
      }
    });
    const isFull = due.length === EDGE_LIMITS.lookInvoices;
    this.#settledTo = (isFull ? due.at(-1) : undefined) ?? FIRST_SETTLING;
    this.#settledAt = isFull || last !== "" || hasFailed ? null : chain;
  }

  /** Never rejects: a page that hears nothing now hears of the next tip. */
  async #tellPages(): Promise<void> {
    const rows = this.#sql.exec(
      "SELECT invoice FROM watched JOIN settling USING (invoice) ORDER BY told LIMIT ?",
      EDGE_LIMITS.watchedAtOnce,
    );
    const invoices = [...rows].map((row) => v.parse(watched, row).invoice);
    await forEachConcurrent(invoices, EDGE_LIMITS.callsAtOnce, async (invoice) => {
      try {
        const isWatched = await this.env.INVOICES.getByName(invoice).tellTip();
        if (!isWatched) this.#sql.exec("DELETE FROM watched WHERE invoice = ?", invoice);
      } catch (thrown) {
        console.error(`pages did not hear of the tip: ${SvcError.from(thrown).code}`);
      }
      this.#sql.exec(
        "UPDATE watched SET told = ?2 WHERE invoice = ?1",
        ...[invoice, Number(edgeNow())],
      );
    });
  }

  /**
   * Whether this number was told with another content, or so long ago that nobody knows: no scanner that is right repeats it then. One of
   * before hashes were kept is not compared.
   */
  #isAnother({ scanner, sequence }: FactBatch, hash: string, next: bigint): boolean {
    if (next - sequence > BigInt(EDGE_LIMITS.batchHashes)) return true;
    const [row] = this.#sql.exec(
      "SELECT hash FROM batches WHERE scanner = ? AND sequence = ?",
      ...[scanner, Number(sequence)],
    );
    return row !== undefined && v.parse(applied, row).hash !== hash;
  }

  #remember({ scanner, sequence }: FactBatch, hash: string): void {
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec(
        "INSERT INTO scanners (scanner, sequence) VALUES (?1, ?2) ON CONFLICT (scanner) DO UPDATE SET sequence = ?2",
        ...[scanner, String(sequence)],
      );
      this.#sql.exec(
        "INSERT OR REPLACE INTO batches (scanner, sequence, hash) VALUES (?, ?, ?)",
        ...[scanner, Number(sequence), hash],
      );
      this.#sql.exec(
        "DELETE FROM batches WHERE scanner = ? AND sequence <= ?",
        ...[scanner, Number(sequence) - EDGE_LIMITS.batchHashes],
      );
    });
  }

  #sequenceOf(scanner: string): bigint {
    const [row] = this.#sql.exec("SELECT sequence FROM scanners WHERE scanner = ?", scanner);
    return row === undefined ? 0n : v.parse(stored, row).sequence;
  }
}

function isRun(fact: BatchFact): fact is AddressesFact {
  return fact.kind === "addresses";
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return encodeHex(new Uint8Array(digest));
}
