/** Figures of webhooks: from the node's taking of a payment, or of the block that confirms it, to the shop that hears of it. */
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import { ProofQueue } from "@svc/node-server/walletd/spend/proofQueue.ts";
import { openedAtTip } from "../wallet/benchDaemon.ts";
import { benchSpends } from "../wallet/benchSpends.ts";
import type { GatewayScene, MadeInvoice } from "./gatewayScene.ts";
import type { WalletScene } from "../wallet/walletScene.ts";

/** Invoices that one transaction pays. */
const PAID = 37;
/** What each is paid, in sompi. */
const AMOUNT = 1_000_000n;
/** Blocks that take a payment in and confirm it: one that holds it, one that accepts it, and one above. */
const BLOCKS = 3;

/** Milliseconds of each invoice. */
export type HookTimes = {
  readonly seenMs: readonly number[];
  readonly confirmedMs: readonly number[];
};

/** Pays as many of the invoices as `payments` transactions can, and has each block mined after its payment was heard of. */
export async function measureHooks(
  scene: WalletScene,
  gateway: GatewayScene,
  wish: {
    readonly invoices: readonly MadeInvoice[];
    readonly payments: number;
    readonly signal: AbortSignal;
  },
): Promise<HookTimes> {
  const daemon = await scene.daemon(1);
  const thread = new ProverThread({ prover: "own", proofThreads: null, cacheFolder: null });
  const proofs = new ProofQueue({ provers: [thread], clock: systemClock });
  let submitted = 0;
  const service = benchSpends(daemon, {
    proofs,
    signer: (signer) => signer,
    submit: (send) => {
      submitted = performance.now();
      return send();
    },
  });
  const [seenMs, confirmedMs]: [number[], number[]] = [[], []];
  try {
    daemon.daemon.start();
    const [open] = await openedAtTip(daemon, daemon.tokens);
    if (open === undefined) throw new Error("there is a wallet");
    for (let payment = 0; payment < wish.payments; payment += 1) {
      const invoices = wish.invoices.slice(payment * PAID, (payment + 1) * PAID);
      const payees = invoices.map(({ address }) => ({ to: address, amount: AMOUNT }));
      const reply = await service.sendMany(
        open,
        { payees },
        { key: null, isAsync: false },
        wish.signal,
      );
      if (reply.kind !== "answer") throw new Error("a payment was not sent");
      const seen = await gateway.untilTold(invoices, "paid");
      seenMs.push(...seen.map((came) => came - submitted));
      await scene.mine(BLOCKS - 1);
      const mined = performance.now();
      await scene.mine(1);
      const confirmed = await gateway.untilTold(invoices, "confirmed");
      confirmedMs.push(...confirmed.map((came) => came - mined));
    }
    return { seenMs, confirmedMs };
  } finally {
    await service.stop();
    await proofs.stop();
    await daemon.stop();
  }
}
