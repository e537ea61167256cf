/** Mutex of each wallet of a folder: work on one wallet is done one piece after the other, on several at once. */
import { Mutex } from "@svc/shared/wallet/state/mutex.ts";
import type { WalletToken } from "./walletToken.ts";

/** The mutexes of the wallets that have work to do. */
export class WalletTurns {
  /** `users` counts the work that runs or waits. */
  readonly #turns = new Map<WalletToken, { readonly mutex: Mutex; users: number }>();

  /** Does work when all earlier work on the wallet has ended. Rejects as the work does. */
  async run<T>(token: WalletToken, work: () => Promise<T>): Promise<T> {
    const turn = this.#turns.get(token) ?? { mutex: new Mutex(), users: 0 };
    this.#turns.set(token, turn);
    turn.users += 1;
    try {
      return await turn.mutex.run(work);
    } finally {
      turn.users -= 1;
      if (turn.users === 0) this.#turns.delete(token);
    }
  }
}
