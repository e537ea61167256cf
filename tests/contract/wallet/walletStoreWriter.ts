/**
 * Child process of the kill test of the wallet daemon's store: goes on with the steps where the store is, prints the number
 * of each commit after it returned, and dies at its first one. Arguments: folder, `before` or `after`.
 */
import { writeSync } from "node:fs";
import type { Kv, KvChange, KvPair, KvRange, KvReader } from "@svc/node-server/storage/kv.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import { WALLET_STORE_LAYOUT } from "@svc/node-server/walletd/store/walletStoreLayout.ts";
import { STEPS } from "./walletStoreSteps.ts";

/** A database that ends its process at the next commit. */
class LastCommitKv implements Kv {
  readonly #inner: Kv;
  readonly #moment: string;

  constructor(inner: Kv, moment: string) {
    this.#inner = inner;
    this.#moment = moment;
  }

  commit(changes: readonly KvChange[]): void {
    if (this.#moment === "before") process.kill(process.pid, "SIGKILL");
    this.#inner.commit(changes);
    process.kill(process.pid, "SIGKILL");
  }

  get(table: number, key: Uint8Array): Uint8Array | undefined {
    return this.#inner.get(table, key);
  }

  range(range: KvRange): KvPair[] {
    return this.#inner.range(range);
  }

  snapshot(): KvReader {
    return this.#inner.snapshot();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

const [folder = "", moment = ""] = process.argv.slice(2);
const { store: kv } = await openStore(folder, WALLET_STORE_LAYOUT);
const store = new WalletStore(new LastCommitKv(kv, moment), null);
const step = STEPS[Number(store.sequence)];
if (step === undefined) throw new Error("no step is left");
store.commit((batch) => step(store, batch));
writeSync(1, "still here\n");
