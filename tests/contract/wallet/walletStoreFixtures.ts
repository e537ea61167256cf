/** Rows of the wallet daemon's store for its tests. */
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import type { DepositEvent, DepositKind } from "@svc/node-server/walletd/store/depositEvent.ts";
import type { DeliveryRow } from "@svc/node-server/walletd/store/deliveryTable.ts";
import type { JobRow } from "@svc/node-server/walletd/store/jobTable.ts";
import { requestHash } from "@svc/node-server/walletd/store/idempotencyTable.ts";
import type { RowSeal } from "@svc/node-server/storage/rows/rowSeal.ts";
import type { TokenRow } from "@svc/node-server/walletd/store/tokenTable.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import {
  asAddressText,
  asAnchor,
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asLeafPosition,
  asNullifier,
  asRawAddress,
  asSompi,
  asTimestampMs,
  asTxId,
  type Hash32,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import type { Payment } from "@svc/shared/wallet/state/payment.ts";
import type { ChainBlock } from "@svc/shared/wallet/state/walletState.ts";

/** The moment of the tests, a call, and the key that came with it. */
export const NOW: TimestampMs = asTimestampMs(1_700_000_000_000n);
export const BODY: Hash32 = requestHash("send", Uint8Array.of(1));
export const USE = { token: "alice", key: "key-1" };

/** Runs a test with a store on disk, and a way to open it anew. */
export async function withStore(
  work: (store: WalletStore, reopened: () => Promise<WalletStore>) => Promise<void> | void,
): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    let store = await WalletStore.open(folder, null);
    try {
      await work(store, async () => {
        await store.close();
        store = await WalletStore.open(folder, null);
        return store;
      });
    } finally {
      await store.close();
    }
  });
}

/** A hash that is told by a number. */
export function hashOf(number: number): string {
  return number.toString(16).padStart(64, "0");
}

/** A payment that is in a chain block and was in the node's pool before. */
export function paymentOf(id: string, change: Partial<Payment> = {}): Payment {
  return {
    id,
    createdMs: asTimestampMs(1_000n),
    payees: [
      {
        address: asAddressText("svc:payee"),
        recipient: asRawAddress("0f".repeat(43)),
        value: asSompi(0xffff_ffff_ffff_ff00n),
        memo: "c3a4",
        own: false,
      },
    ],
    fee: asSompi(1_855_400n),
    change: asSompi(7n),
    anchor: { hash: asBlockHash(hashOf(1)), root: asAnchor(hashOf(2)), blueScore: asBlueScore(9n) },
    reserved: [
      { position: asLeafPosition(3n), nullifier: asNullifier(hashOf(3)), value: asSompi(5n) },
    ],
    txid: asTxId(hashOf(4)),
    raw: "00ff",
    status: {
      state: "accepted",
      at: asChainIndex(12n),
      blueScore: asBlueScore(13n),
      previous: {
        state: "mempool",
        attempts: 2,
        lastAttemptMs: asTimestampMs(1_001n),
        lastError: { code: "wallet/node-unreachable", data: { url: "x" } },
      },
    },
    ...change,
  };
}

/** A job with an id that is told by a number. */
export function jobOf(number: number, change: Partial<JobRow> = {}): JobRow {
  return {
    id: number.toString(16).padStart(32, "0"),
    token: "alice",
    kind: "send",
    request: '{"to":"svc:payee"}',
    phase: "prove",
    done: 1,
    total: 3,
    createdMs: asTimestampMs(BigInt(number)),
    updatedMs: asTimestampMs(BigInt(number)),
    state: "waiting",
    answer: null,
    error: null,
    ...change,
  };
}

/** An event of an output of a transaction that is told by a number, in a block that is. */
export function eventOf(kind: DepositKind, txid: number, block: number | null): DepositEvent {
  return {
    kind,
    txid: asTxId(hashOf(txid)),
    outputIndex: 1,
    blockHash: block === null ? null : asBlockHash(hashOf(block)),
    chainIndex: block === null ? null : asChainIndex(BigInt(block)),
    blueScore: block === null ? null : asBlueScore(BigInt(block)),
    daaScore: block === null ? null : asDaaScore(BigInt(block)),
    amount: asSompi(500n),
    recipient: asRawAddress("0a".repeat(43)),
    addressIndex: null,
    memo: "6d",
    createdMs: asTimestampMs(77n),
  };
}

/** The delivery of the entry at a cursor, due now. */
export function deliveryOf(cursor: number, change: Partial<DeliveryRow> = {}): DeliveryRow {
  const id = `evt_${cursor.toString(16).padStart(16, "0")}${"ab".repeat(12)}`;
  const times = { createdMs: NOW, dueMs: NOW };
  return { id, state: "waiting", attempts: 0, ...times, error: null, ...change };
}

/** A scoped token of a wallet. */
export function scopedTokenOf(token: string): TokenRow {
  return {
    id: "ef".repeat(16),
    token,
    label: "till",
    scope: ["spend"],
    limits: {
      daySompi: asSompi(10n),
      payees: [asRawAddress("0f".repeat(43))],
      approvalAboveSompi: null,
    },
    createdMs: NOW,
    expiresMs: null,
    revokedMs: null,
    usedMs: null,
  };
}

/** The chain block with this index, on a branch that is told by a number. */
export function blockOf(index: number, branch = 0): ChainBlock {
  return {
    hash: asBlockHash(hashOf(index * 16 + branch)),
    chainIndex: asChainIndex(BigInt(index)),
    blueScore: asBlueScore(BigInt(index * 2)),
    daaScore: asDaaScore(BigInt(index * 2)),
    timestamp: asTimestampMs(BigInt(index) * 1_000n),
    leafEnd: asLeafPosition(BigInt(index)),
  };
}

/** So many leaves, each told by its position. */
export function leavesOf(from: number, count: number): Uint8Array {
  const leaves = new Uint8Array(count * 32);
  const view = new DataView(leaves.buffer);
  for (let index = 0; index < count; index += 1) view.setUint32(index * 32, from + index);
  return leaves;
}

/** A seal with a key made of a text. Its nonce follows from the content, so that equal rows are equal: for tests alone. */
export function testSeal(secret: string): RowSeal {
  const key = createHash("sha256").update(secret).digest();
  const options = { authTagLength: 16 };
  return {
    seal(plain, context) {
      const nonce = createHash("sha256").update(context).update(plain).digest().subarray(0, 12);
      const cipher = createCipheriv("chacha20-poly1305", key, nonce, options);
      cipher.setAAD(context, { plaintextLength: plain.length });
      const body = concatBytes(cipher.update(plain), cipher.final());
      return concatBytes(nonce, cipher.getAuthTag(), body);
    },
    open(sealed, context) {
      const decipher = createDecipheriv("chacha20-poly1305", key, sealed.subarray(0, 12), options);
      decipher.setAuthTag(sealed.subarray(12, 28));
      decipher.setAAD(context, { plaintextLength: sealed.length - 28 });
      return concatBytes(decipher.update(sealed.subarray(28)), decipher.final());
    },
  };
}
