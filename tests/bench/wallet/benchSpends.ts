/** Payments of a benchmark's daemon: its real service, with something around what is to be timed. */
import { randomBytes } from "node:crypto";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import type { ProofQueue } from "@svc/node-server/walletd/spend/proofQueue.ts";
import { seedSigner } from "@svc/node-server/walletd/spend/seedSigner.ts";
import { SpendService } from "@svc/node-server/walletd/spend/spendService.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { SignerPort } from "@svc/shared/wallet/state/ports.ts";
import type { SceneDaemon } from "./walletScene.ts";

/** What the payments go through. */
export type BenchSpendsParts = {
  readonly proofs: ProofQueue;
  readonly signer: (signer: SignerPort) => SignerPort;
  /** Hands a payment to the node by calling `send`. */
  readonly submit: <T>(send: () => Promise<T>) => Promise<T>;
};

/** The service. */
export function benchSpends(daemon: SceneDaemon, parts: BenchSpendsParts): SpendService {
  const { core, folder, store, node, profileJson } = daemon;
  const { wallets, policy } = daemon.daemon;
  return new SpendService({
    ...{ core, folder, store, wallets, policy, proofs: parts.proofs },
    signerFor: (token) => parts.signer(seedSigner({ folder, core }, token)),
    node: { submit: (raw, signal) => parts.submit(() => node.submit(raw, signal)) },
    profile: JSON.parse(profileJson),
    clock: systemClock,
    log: createLog("warn"),
    newId: () => encodeHex(randomBytes(16)),
    consolidateAbove: null,
  });
}
