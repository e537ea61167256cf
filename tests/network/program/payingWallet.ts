/** Test wallet over a node's browser protocol: scans, proves and submits payments. */
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import type { WalletSync } from "@svc/shared/wallet/sync/walletSync.ts";
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import { WalletKit, walletClock } from "../../demo/walletKit.ts";
import { PAYER_SEED } from "../testkit/chainMaker.ts";
import { payAddressOf } from "../testkit/nodeMiner.ts";
import { payOnce } from "../testkit/payOnce.ts";

const AMOUNT = "0.5";
const PAYEE = 9;

const never: AbortSignal = new AbortController().signal;

/** The wallet that mined the stored chains. */
export class PayingWallet {
  readonly #kit: WalletKit;
  readonly #sync: WalletSync;
  readonly #prover: ProverThread;

  private constructor(kit: WalletKit, sync: WalletSync, prover: ProverThread) {
    this.#kit = kit;
    this.#sync = sync;
    this.#prover = prover;
  }

  /** Opens it over the node at this address; `profile` is its network's JSON. */
  static async open(core: CoreGlue, profile: string, http: string): Promise<PayingWallet> {
    const profileJson = callCore(() => core.canonicalProfile(profile));
    const prover = new ProverThread({ prover: "own", proofThreads: 1, cacheFolder: null });
    const parts = { core, profileJson, prover, clock: walletClock(systemClock) };
    const kit = new WalletKit(parts, new Secret(PAYER_SEED.slice()));
    const sync = await kit.open(new HttpNode(http), never);
    return new PayingWallet(kit, sync, prover);
  }

  /** Pays somebody. Rejects when the node does not take it. */
  async pay(memo: string): Promise<void> {
    await this.#sync.catchUp(never);
    const payee = { address: payAddressOf(PAYEE), amount: AMOUNT, memo };
    const { status } = await payOnce(this.#kit, payee);
    if (status.state !== "mempool") throw new Error(`${memo}: ${JSON.stringify(status)}`);
  }

  /** Ends it. */
  async close(): Promise<void> {
    await Promise.all([this.#kit.close(), this.#prover.stop()]);
  }
}
