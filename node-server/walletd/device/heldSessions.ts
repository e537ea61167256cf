/** Held sessions: the prepared payments that wait for a device's signatures, in memory, bounded for each wallet and in all. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RouteAnswer } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { Mutex } from "@svc/shared/wallet/state/mutex.ts";
import type { ProvedPayment } from "@svc/shared/wallet/state/ports.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";

/** A prepared payment that nobody has signed yet. */
export class HeldSession {
  /** Hex of 24 bytes. */
  readonly session: string;
  readonly open: OpenWallet;
  /** Its payment in the outbox, which holds the notes. */
  readonly paymentId: string;
  readonly proved: ProvedPayment;
  /** What the device was answered. */
  readonly answer: RouteAnswer<"prepare">;
  /** Actions that need a signature. */
  readonly indices: readonly number[];
  /** By the steady clock. */
  readonly endsMs: bigint;
  /** What is done with it is done one after the other. */
  readonly turn = new Mutex();
  /** Aborts when it is no longer held. */
  readonly over = new AbortController();
  /** The signed bytes, once there are some and they could not be stored. */
  raw: Uint8Array | null = null;

  constructor(
    held: Pick<
      HeldSession,
      "session" | "open" | "paymentId" | "proved" | "answer" | "indices" | "endsMs"
    >,
  ) {
    this.session = held.session;
    this.open = held.open;
    this.paymentId = held.paymentId;
    this.proved = held.proved;
    this.answer = held.answer;
    this.indices = held.indices;
    this.endsMs = held.endsMs;
  }

  get token(): WalletToken {
    return this.open.token;
  }
}

/** The sessions, by their names; the oldest first. */
export class HeldSessions {
  readonly #sessions = new Map<string, HeldSession>();

  /** All of them. */
  get all(): readonly HeldSession[] {
    return [...this.#sessions.values()];
  }

  /** Throws `queue/full` when no more are held for anybody. */
  checkRoom(): void {
    const limit = WALLETD_LIMITS.preparedInAll;
    if (this.#sessions.size < limit) return;
    throw new SvcError("queue/full", { queue: "prepared payments", limit });
  }

  /** The session of this wallet, or null: another wallet's is as good as none. */
  get(token: WalletToken, session: string): HeldSession | null {
    const held = this.#sessions.get(session);
    return held?.token === token ? held : null;
  }

  /** The sessions of a wallet. */
  ofWallet(token: WalletToken): readonly HeldSession[] {
    return this.all.filter((held) => held.token === token);
  }

  /** Holds a session; returns those that had to make way for it. */
  add(held: HeldSession): readonly HeldSession[] {
    const earlier = this.ofWallet(held.token);
    this.#sessions.set(held.session, held);
    return earlier.slice(0, Math.max(0, earlier.length + 1 - WALLETD_LIMITS.preparedPerWallet));
  }

  /** Holds it no longer. */
  delete(held: HeldSession): void {
    if (this.#sessions.get(held.session) === held) this.#sessions.delete(held.session);
    held.over.abort();
  }
}
