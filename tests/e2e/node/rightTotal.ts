/** Test helper: the sum that is right, of a wallet that asks an honest node of the network with work. */
import { readFileSync } from "node:fs";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { formatCoins } from "@svc/shared/base/money.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import { sumOfNotes, unspentNotes } from "@svc/shared/wallet/state/walletState.ts";
import { WalletKit, walletClock } from "../../demo/walletKit.ts";
import { never } from "../../integration/node/nodeFixture.ts";
import { WORKED_PROFILE } from "../testkit/workedNode.ts";

/** Coins of the wallet of a seed, in plain decimal; `profile` is the file of the node's network. */
export async function rightTotal(
  nodeUrl: string,
  seed: string,
  profile = WORKED_PROFILE,
): Promise<string> {
  const core = await loadCoreFile();
  const profileJson = core.canonicalProfile(readFileSync(profile, "utf8"));
  const prover = new ProverThread({ prover: "own", proofThreads: 1, cacheFolder: null });
  const parts = { core, profileJson, prover, clock: walletClock(systemClock) };
  const kit = new WalletKit(parts, new Secret(decodeHex(seed)));
  const sync = await kit.open(new HttpNode(nodeUrl), never);
  await sync.catchUp(never);
  const total = formatCoins(sumOfNotes(unspentNotes(sync.state)));
  await kit.close();
  await prover.stop();
  return total;
}
