/** A wallet with very many notes, as a daemon finds it on disk: the real folder, database and note tree. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { statusOf } from "@svc/node-server/walletd/http/statusHandlers.ts";
import { asWalletToken } from "@svc/node-server/walletd/keys/walletToken.ts";
import { ProofQueue } from "@svc/node-server/walletd/spend/proofQueue.ts";
import { SpendService } from "@svc/node-server/walletd/spend/spendService.ts";
import type { OpenWallet } from "@svc/node-server/walletd/wallets/openWallet.ts";
import { asLeafPosition } from "@svc/shared/base/brand.ts";
import { untilAborted } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { EMPTY_TREE } from "@svc/shared/protocol/raw/treeState.ts";
import { spendability } from "@svc/shared/wallet/plan/spendability.ts";
import { CoreTree } from "@svc/shared/wallet/state/coreTree.ts";
import type { ProvePlan } from "@svc/shared/wallet/state/provePlan.ts";
import { openBenchDaemon, openedAtTip, type BenchDaemon } from "../../bench/wallet/benchDaemon.ts";
import { writeLargeWallet, type LargeWallet } from "../../fixtures/wallets/largeWallet.ts";
import { StillNode } from "../../fixtures/wallets/stillNode.ts";
import { payAddressOf } from "../../network/testkit/nodeMiner.ts";
import { pruneNetwork } from "../../network/testkit/networkSizes.ts";

const NOTES = IS_FULL ? 62_000 : 6_200;
const PAID_NOTES = 88n;
const TOKEN = asWalletToken("large");
const never = new AbortController().signal;

const core = await loadCoreFile();
const profile = pruneNetwork();
const { path, remove } = temporaryFolder();
let large: LargeWallet;
let daemon: BenchDaemon;

beforeAll(async () => {
  large = await writeLargeWallet({ core, profile, path, token: TOKEN, notes: NOTES });
  const node = new StillNode(core, large);
  daemon = await openBenchDaemon({ core, profile, path, node, most: 10 });
  daemon.daemon.start();
});
afterAll(async () => {
  await daemon.stop();
  remove();
});

async function opened(): Promise<OpenWallet> {
  const [open] = await openedAtTip(daemon, [TOKEN]);
  if (open === undefined) throw new Error("there is a wallet");
  return open;
}

/** A service whose prover takes plans and makes nothing of them. */
function standingService(plans: ProvePlan[]): SpendService {
  const { folder, store, node, profileJson } = daemon;
  const { wallets, policy } = daemon.daemon;
  const prover = {
    prove: async (plan: ProvePlan, _: unknown, signal: AbortSignal): Promise<never> => {
      plans.push(plan);
      await untilAborted(signal);
      throw new SvcError("run/aborted", {});
    },
    warm: async () => undefined,
    stop: async () => undefined,
  };
  let ids = 0;
  return new SpendService({
    ...{ core, folder, store, wallets, policy, node },
    proofs: new ProofQueue({ provers: [prover], clock: systemClock }),
    signerFor: () => ({ sign: () => Promise.reject(new SvcError("wallet/cancelled", {})) }),
    profile: JSON.parse(profileJson),
    clock: systemClock,
    log: createLog("silent"),
    newId: () => String((ids += 1)).padStart(32, "0"),
    consolidateAbove: null,
  });
}

describe("a wallet with very many notes", () => {
  it("is opened as it was written, and dropped without being written again", async () => {
    const file = join(path, `${TOKEN}.scan`);
    const before = statSync(file);
    const open = await opened();
    expect(open.state.notes).toEqual(large.state.notes);
    expect(open.fault).toBe(null);
    expect(statusOf(daemon.daemon, open)).toMatchObject({ notes: NOTES, spendReady: true });
    await daemon.daemon.wallets.drop(TOKEN);
    const { ino, mtimeMs } = statSync(file);
    expect({ ino, mtimeMs }).toEqual({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  it("has the paths of any notes, the same as those of a tree made from all leaves", async () => {
    const { tree, state } = await opened();
    const anchor = spendability(state, daemon.daemon.policy).preferred;
    if (anchor === null) throw new Error("there is an anchor");
    const whole = new CoreTree(core, EMPTY_TREE);
    whole.append(large.leaves);
    expect(tree.root(anchor.leafEnd)).toEqual(whole.root(anchor.leafEnd));
    for (let number = 0; number < 38; number += 1) {
      const note = state.notes[Math.floor((number * (NOTES - 1)) / 37)];
      if (note === undefined) throw new Error("there is a note");
      const found = tree.path(note.position, anchor.leafEnd);
      expect(found).toEqual(whole.path(note.position, anchor.leafEnd));
    }
    whole.free();
  });

  it("plans a payment of 88 notes over three transactions in one commit", async () => {
    const open = await opened();
    const plans: ProvePlan[] = [];
    const service = standingService(plans);
    const value = large.state.notes[0]?.value ?? 0n;
    const proving = Promise.withResolvers<void>();
    const end = open.subscribe(({ outbox }) => {
      if (outbox.length > 0) proving.resolve();
    });
    // One call; of the last note something is left for the fees.
    const request = { to: payAddressOf(9), amount: PAID_NOTES * value - value / 2n };
    const reply = await service.send(open, request, { key: null, isAsync: true }, never);
    await proving.promise;
    end();
    const { outbox } = open.state;
    expect(outbox.map(({ reserved }) => reserved.length)).toEqual([38, 38, 12]);
    const held = outbox.flatMap(({ reserved }) => reserved.map(({ nullifier }) => nullifier));
    expect(new Set(held).size).toBe(Number(PAID_NOTES));
    // The first change of the state held all of them: no other payment comes in between.
    expect(outbox.map(({ status }) => status.state)).toEqual(outbox.map(() => "planned"));
    if (reply.kind !== "job") throw new Error("a job was asked for");
    await service.cancel(open.token, reply.id);
    await service.stop();
    expect(open.state.outbox).toEqual([]);
  });

  it("leaves the inner nodes of the tree to the next start when the daemon stops", async () => {
    await opened();
    const { tree } = daemon.store;
    const size = tree.head()?.size ?? expect.unreachable();
    const lastWhole = Number(size / 1_024n) * 1_024;
    // As after a reorganisation: leaves that come again come without nodes.
    daemon.store.commit((batch) => {
      tree.truncate(batch, asLeafPosition(1_024n));
      tree.append(batch, large.leaves.subarray(1_024 * 32));
    });
    expect([...tree.chunks()].filter(({ nodes }) => nodes !== null).length).toBeLessThan(2);
    await daemon.daemon.stop();
    expect([...tree.chunks()].filter(({ nodes }) => nodes !== null)).toHaveLength(
      lastWhole / 1_024,
    );
  });
});
