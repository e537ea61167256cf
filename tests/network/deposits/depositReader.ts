/**
 * Child process that credits customers by memo, as a shop does: it reads the deposit feed and keeps the credits and the cursor in one
 * file, which it replaces as a whole. It may be killed at any time, and goes on from its file.
 *
 * It is told the daemon's address, the wallet's token and its file, and says `page` when it has read and `kept` when it has written.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import * as v from "valibot";
import { depositLedger, emptyLedger, type DepositLedger } from "./depositLedger.ts";

const [base = "", token = "", file = ""] = process.argv.slice(2);
/** Few, so that most payments of a transaction come over several pages. */
const LIMIT = 7;
const WAIT_SECONDS = 1;
const AGAIN_MS = 20;

const page = v.object({
  events: v.array(
    v.object({
      kind: v.string(),
      memo: v.nullable(v.string()),
      amount_sompi_exact: v.string(),
    }),
  ),
  next: v.string(),
});
const ledger: DepositLedger = existsSync(file)
  ? v.parse(depositLedger, JSON.parse(readFileSync(file, "utf8")))
  : emptyLedger();

/** Answers of the server itself alone count: a daemon that ends may break off, and one that starts opens its wallets. */
async function read(): Promise<v.InferOutput<typeof page> | null> {
  const query = `after=${ledger.cursor}&limit=${LIMIT}&wait=${WAIT_SECONDS}`;
  try {
    const response = await fetch(`${base}/api/wallet/events?${query}`, {
      headers: { "X-Wallet-Token": token },
    });
    const text = await response.text();
    if (response.ok) return v.parse(page, JSON.parse(text));
    if (response.status === 503) return null;
    throw new Error(`${response.status} ${text}`);
  } catch (thrown) {
    // What `fetch` throws for a line that broke off.
    if (thrown instanceof TypeError) return null;
    throw thrown;
  }
}

function apply({ events, next }: v.InferOutput<typeof page>): void {
  for (const { kind, memo, amount_sompi_exact: sompi } of events) {
    const customer = (ledger.customers[memo ?? ""] ??= { credits: 0, finals: 0, sompi: "0" });
    const step = kind === "credited" ? 1 : kind === "reversed" ? -1 : 0;
    customer.credits += step;
    customer.sompi = String(BigInt(customer.sompi) + BigInt(step) * BigInt(sompi));
    if (kind === "final") customer.finals += 1;
  }
  ledger.cursor = next;
}

for (;;) {
  const found = await read();
  if (found === null) {
    await pause(AGAIN_MS);
  } else if (found.events.length > 0) {
    console.log("page");
    apply(found);
    writeFileSync(`${file}.new`, JSON.stringify(ledger));
    renameSync(`${file}.new`, file);
    console.log("kept");
  }
}
