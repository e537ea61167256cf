/**
 * The wallet of a merchant that pays refunds, behind a wallet daemon (`svc walletd`). The gateway has a token of it that may spend, and
 * no key.
 */
import { statSync, readFileSync } from "node:fs";
import { asTxId, type AddressText, type Sompi, type TxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { WalletClient } from "@svc/shared/protocol/wallet/walletClient.ts";
import type { MerchantPayout } from "../access/merchantTable.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";

/** A payment that a wallet is asked for. The same key with the same rest is the same payment. */
export type PayoutOrder = {
  readonly key: string;
  readonly to: AddressText;
  readonly amount: Sompi;
  /** Most that all its fees may be. */
  readonly maxFee: Sompi;
};

/** A wallet that pays. All calls reject with the daemon's errors, `api/…`, `run/…`, and `gateway/storage` where its token cannot be read. */
export interface PayoutWallet {
  /** What tells it from other wallets: its first address. Rejects with `wallet/no-wallet`. */
  name(signal: AbortSignal): Promise<string>;
  /** Pays; resolves when all transactions are on their way. A call that was not answered may have paid. */
  pay(order: PayoutOrder, signal: AbortSignal): Promise<readonly TxId[]>;
  /** What became of a job that waits for the wallet's owner; `denied`: it was cancelled before any of it was sent. */
  job(id: string, signal: AbortSignal): Promise<"waiting" | "denied" | "begun">;
  /** Blue score above the newest of the blocks that accept these payments; null where one is not accepted. */
  depth(txids: readonly TxId[], signal: AbortSignal): Promise<bigint | null>;
}

/** A scoped token. The wallet's own one opens everything, its seed too, and has no place here. */
const TOKEN = /^svct\.[0-9a-f]{64}$/;

/** As a daemon that serves the public takes it. */
const BEARER = /^[A-Za-z0-9]{16,128}$/;

/** The wallet of a daemon that a merchant's settings name. */
export class WalletdPayout implements PayoutWallet {
  readonly #payout: MerchantPayout;
  readonly #fetch: typeof fetch;

  /** `request`: the platform's `fetch` unless a test gives another. */
  constructor(payout: MerchantPayout, request: typeof fetch = fetch) {
    this.#payout = payout;
    this.#fetch = request;
  }

  async name(signal: AbortSignal): Promise<string> {
    const { address } = await this.#client().status({ signal });
    if (address === null) throw new SvcError("wallet/no-wallet", {});
    return address;
  }

  async pay(
    { key, to, amount, maxFee }: PayoutOrder,
    signal: AbortSignal,
  ): Promise<readonly TxId[]> {
    const body = { to, amount_sompi: amount, max_fee: maxFee };
    const { txids } = await this.#client().send(body, { signal, idempotencyKey: key });
    return txids.map(asTxId);
  }

  async job(id: string, signal: AbortSignal): Promise<"waiting" | "denied" | "begun"> {
    const { state, committed } = await this.#client().job(id, { signal });
    if (state === "waiting") return "waiting";
    return state === "cancelled" && !committed ? "denied" : "begun";
  }

  async depth(txids: readonly TxId[], signal: AbortSignal): Promise<bigint | null> {
    const client = this.#client();
    const { sink_blue_score: sink } = await client.status({ signal });
    const wanted = new Set<string>(txids);
    const limit = GATEWAY_LIMITS.payoutHistoryRows;
    let newest = 0;
    for (let page = 0; page < GATEWAY_LIMITS.payoutHistoryPages; page += 1) {
      const query = { limit: String(limit), offset: String(page * limit) };
      const { rows } = await client.history(query, { signal });
      for (const { kind, txid, blueScore } of rows) {
        if (kind === "sent" && wanted.delete(txid)) newest = Math.max(newest, blueScore);
      }
      if (wanted.size === 0) return BigInt(Math.max(0, sink - newest));
      if (rows.length < limit) return null;
    }
    return null;
  }

  /** The files are read for each call: a token that was changed counts at once. */
  #client(): WalletClient {
    const { walletdUrl, tokenFile, bearerFile } = this.#payout;
    return new WalletClient({
      baseUrl: walletdUrl,
      token: readToken(tokenFile),
      ...(bearerFile !== null && { bearer: readBearer(bearerFile) }),
      fetch: this.#fetch,
    });
  }
}

/** The scoped token in a file. Throws `gateway/storage`, which repeats nothing of it. */
export function readToken(path: string): string {
  return readLine(path, TOKEN, "the file holds no scoped wallet token");
}

/** The bearer token in a file, 16 to 128 letters and digits. Throws as `readToken`. */
export function readBearer(path: string): string {
  return readLine(path, BEARER, "the file holds no bearer token of a wallet daemon");
}

function readLine(path: string, form: RegExp, reason: string): string {
  const bad = new SvcError("gateway/storage", { reason });
  try {
    if (statSync(path).size > GATEWAY_LIMITS.payoutTokenBytes) throw bad;
    const token = readFileSync(path, "utf8").trim();
    if (form.test(token)) return token;
  } catch {
    throw bad;
  }
  throw bad;
}
