/** A payment from its call to its end, as the steps that the wallet daemon commits one after the other. */
import type { Kv } from "@svc/node-server/storage/kv.ts";
import type { StoreBatch } from "@svc/node-server/storage/rows/storeBatch.ts";
import type { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import { WALLET_STORE_LAYOUT } from "@svc/node-server/walletd/store/walletStoreLayout.ts";
import { WALLETD_LIMITS } from "@svc/node-server/walletd/walletdLimits.ts";
import {
  asBlockHash,
  asChainIndex,
  asLeafPosition,
  asSompi,
  asTimestampMs,
} from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import {
  BODY,
  NOW,
  USE,
  blockOf,
  deliveryOf,
  eventOf,
  hashOf,
  jobOf,
  leavesOf,
  paymentOf,
  scopedTokenOf,
} from "./walletStoreFixtures.ts";

const TOKEN = USE.token;
const FIRST = { token: TOKEN, cursor: 1n };

const delivery = deliveryOf(1);
const scopedToken = scopedTokenOf(TOKEN);

function follow(store: WalletStore, batch: StoreBatch): void {
  store.view.change(batch, { common: null, blocks: [blockOf(1), blockOf(2)], most: 10 });
  store.tree.reset(batch, Uint8Array.of(1), asLeafPosition(0n));
  store.tree.append(batch, leavesOf(0, 3_000));
  store.events.append(batch, TOKEN, eventOf("credited", 1, 2));
  store.deliveries.add(batch, FIRST, delivery);
  store.deliveries.add(batch, { ...FIRST, cursor: 2n }, deliveryOf(2));
  const hash = asBlockHash(hashOf(2));
  store.cursors.put(batch, TOKEN, {
    snapshotSequence: batch.sequence,
    hash,
    chainIndex: asChainIndex(2n),
  });
}

function reorganise(store: WalletStore, batch: StoreBatch): void {
  const common = asChainIndex(1n);
  store.view.change(batch, { common, blocks: [blockOf(2, 1), blockOf(3, 1)], most: 10 });
  store.tree.truncate(batch, asLeafPosition(1_000n));
  store.tree.append(batch, leavesOf(1_000, 100));
  store.events.append(batch, TOKEN, eventOf("reversed", 1, 2));
  store.deliveries.change(batch, FIRST, { ...delivery, state: "delivered" });
  store.charges.set(batch, TOKEN, jobOf(1).id, null);
  store.payments.put(batch, TOKEN, paymentOf("p", { status: { state: "signed" } }));
}

/** The steps; each is one commit. */
export const STEPS: readonly ((store: WalletStore, batch: StoreBatch) => void)[] = [
  (store, batch) => void store.idempotency.claim(batch, USE, BODY, NOW),
  (store, batch) => {
    store.idempotency.name(batch, USE, { jobId: jobOf(1).id, paymentIds: ["p"] });
    store.jobs.put(batch, jobOf(1));
    store.tokens.put(batch, hashOf(7), scopedToken);
    store.charges.set(batch, TOKEN, jobOf(1).id, { hash: hashOf(7), day: 5n, sompi: asSompi(9n) });
  },
  (store, batch) => {
    const status = { state: "planned" } as const;
    store.payments.put(batch, TOKEN, paymentOf("p", { status, raw: null, txid: null }));
    store.jobs.put(batch, jobOf(1, { state: "running" }));
  },
  (store, batch) => {
    const raw = "ab".repeat(120_000);
    store.payments.put(batch, TOKEN, paymentOf("p", { status: { state: "signed" }, raw }));
  },
  follow,
  (store, batch) => {
    store.payments.put(batch, TOKEN, paymentOf("p"));
    store.idempotency.answer(batch, USE, "answer", NOW);
    store.jobs.put(batch, jobOf(1, { state: "done", answer: "answer" }));
  },
  reorganise,
  (store, batch) => {
    const nowMs = asTimestampMs(NOW + WALLETD_LIMITS.storeAnswerMs);
    store.idempotency.expireAnswers(batch, nowMs);
    store.jobs.expire(batch, nowMs);
  },
  (store, batch) => {
    for (const table of [store.payments, store.idempotency, store.events, store.cursors]) {
      table.deleteWallet(batch, TOKEN);
    }
    store.deliveries.deleteWallet(batch, TOKEN);
    store.charges.deleteWallet(batch, TOKEN);
    for (const hash of store.tokens.deleteWallet(batch, TOKEN))
      store.charges.deleteToken(batch, hash);
  },
];

/** Every row of a store, as text. */
export function contentOf(kv: Kv): readonly string[] {
  const to = new Uint8Array(500).fill(0xff);
  return WALLET_STORE_LAYOUT.tables.flatMap(({ number, name }) =>
    kv
      .range({ table: number, from: Uint8Array.of(), to, limit: 10_000 })
      .map(({ key, value }) => `${name} ${encodeHex(key)} ${encodeHex(value)}`),
  );
}
