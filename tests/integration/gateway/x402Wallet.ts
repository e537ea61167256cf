/**
 * A client of x402 with real money: the wallet daemon plans, proves and signs its payments, and stops before it would broadcast them, so
 * that what was signed can be handed to a merchant.
 */
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import type { QueuedProver } from "@svc/node-server/walletd/spend/proofQueue.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { PaymentRequirements } from "@x402/core/types";
import { ALICE, fixture, options } from "../walletd/walletApiCalls.ts";
import { WalletApiScene } from "../walletd/walletApiScene.ts";

/** The wallet of the chain's first owner. */
export class X402Wallet {
  readonly #scene: WalletApiScene;
  readonly #node: RunningNode;
  readonly #signed: Uint8Array[];

  private constructor(scene: WalletApiScene, node: RunningNode, signed: Uint8Array[]) {
    [this.#scene, this.#node, this.#signed] = [scene, node, signed];
  }

  /** Starts the daemon over a node on which the owner has notes. */
  static async start(node: RunningNode): Promise<X402Wallet> {
    const signed: Uint8Array[] = [];
    const makeProver = () => keepingProver(signed);
    const proofs = { atOnce: 1, threads: 1, cacheFolder: null, makeProver };
    const scene = await WalletApiScene.start({ node: node.grpcAddress ?? "", over: { proofs } });
    await scene.client(ALICE).import({ seed_hex: fixture.owners.alice.seed }, options);
    return new X402Wallet(scene, node, signed);
  }

  /** A signed payment that pays each of these what it asks for, and that nobody has broadcast. */
  async sign(
    asked: readonly Pick<PaymentRequirements, "payTo" | "amount">[],
  ): Promise<Uint8Array<ArrayBuffer>> {
    await this.#scene.untilAtTip(this.#node, ALICE);
    const payees = asked.map(({ payTo, amount }) => ({ to: payTo, amount_sompi: amount }));
    const before = this.#signed.length;
    const answer = await this.#scene.ask("sendMany", { token: ALICE, body: { payees } });
    const raw = this.#signed[before];
    if (raw === undefined) throw new Error(`nothing was signed: ${JSON.stringify(answer)}`);
    return Uint8Array.from(raw);
  }

  stop(): Promise<void> {
    return this.#scene.stop();
  }
}

/** A real prover, whose payments are kept where they are signed, and given up. */
function keepingProver(signed: Uint8Array[]): QueuedProver {
  const thread = new ProverThread({ prover: "own", proofThreads: 1, cacheFolder: null });
  return {
    warm: () => thread.warm(),
    stop: () => thread.stop(),
    prove: async (plan, progress, signal) => {
      const proved = await thread.prove(plan, progress, signal);
      const finalize = async (signatures: string): Promise<Uint8Array> => {
        signed.push(await proved.finalize(signatures));
        throw new SvcError("wallet/cancelled", {});
      };
      return { ...proved, finalize };
    },
  };
}
