/**
 * The recorded payments, replayed through the real engine, scanner and note tree: a wallet follows
 * the chain, a reorganisation and a double spend. No proof is made here; each is verified once.
 */
import {
  loadCoreFile,
  loadProverFile,
  readCircuitAssets,
} from "@svc/node-server/platform/files/wasmFiles.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { ProverPort } from "@svc/shared/wallet/state/ports.ts";
import { readMemo } from "@svc/shared/wallet/state/memo.ts";
import { cursorOf, sumOfNotes, unspentNotes } from "@svc/shared/wallet/state/walletState.ts";
import { encodeWalletState } from "@svc/shared/wallet/state/walletStateCodec.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { WalletKit, walletClock } from "../../demo/walletKit.ts";
import { EngineChain } from "../../fixtures/payments/engineChain.ts";
import { readPaymentFixture, seedBytes } from "../../fixtures/payments/paymentFixture.ts";

const fixture = readPaymentFixture();
const { signal } = new AbortController();
const noProver: ProverPort = {
  prove: () => Promise.reject(new SvcError("prove/failed", { reason: "nothing is proved here" })),
};

let core: CoreGlue;
let profileJson: string;

beforeAll(async () => {
  core = await loadCoreFile();
  profileJson = core.builtInProfile(fixture.profile);
});

function newChain(): EngineChain {
  const chain = new EngineChain(core, profileJson, fixture.firstBlockMs);
  chain.setTime(fixture.firstBlockMs + 1_000n * BigInt(fixture.trunk.length));
  return chain;
}

function walletOf(name: keyof typeof fixture.owners): WalletKit {
  const { seed } = fixture.owners[name];
  const parts = { core, profileJson, prover: noProver, clock: walletClock(systemClock) };
  return new WalletKit(parts, new Secret(seedBytes(seed)));
}

describe("the recorded payments", () => {
  it("belong to the owners named", () => {
    for (const name of ["alice", "bob", "carol"] as const) {
      expect(walletOf(name).address).toBe(fixture.owners[name].address);
    }
  });

  const checkAll = (verify: (raw: Uint8Array, format: number) => string): void => {
    const [plain, namedAnchor] = [0, 1];
    for (const name of ["first", "plain", "waiting", "later", "second"]) {
      const { raw, txid } = fixture.payment(name);
      expect(core.transactionId(raw)).toBe(txid);
      expect(verify(raw, namedAnchor)).toBe("");
    }
    const { raw } = fixture.payment("plain");
    expect(verify(raw, plain)).toContain("tx/anchor-block-unexpected");
    expect(() => callCore(() => verify(raw, 2))).toThrow("engine/bad-call");
    const damaged = withFlippedBit(raw, raw.length - 60);
    expect(verify(damaged, namedAnchor)).not.toBe("");
  };

  it("hold real proofs and signatures", async () => {
    const prover = await loadProverFile();
    const keys = callCore(() => new prover.ProvingKeys(readCircuitAssets()));
    const verifier = callCore(() => keys.verifier());
    checkAll((raw, format) => {
      const formats = Uint8Array.of(format);
      const verdicts: string[] = JSON.parse(
        verifier.verifyTransactions(profileJson, [raw], formats),
      );
      expect(verdicts.length).toBe(1);
      return verdicts[0] ?? "none";
    });
  });

  // It makes its keys for ten seconds; `lastVerifier.test.ts` asks it about one of the payments at any size.
  it.runIf(IS_FULL)("hold them for upstream's verifier too", async () => {
    const prover = await loadProverFile();
    const verifier = new prover.Verifier();
    checkAll((raw, format) => verifier.verifyTransaction(profileJson, raw, format));
  });

  it("reach the payee with amount and memo, and go away again with a reorganisation", async () => {
    const chain = newChain();
    for (const block of fixture.trunk) chain.insert(block);
    const bob = await walletOf("bob").open(chain, signal);
    const alice = await walletOf("alice").open(chain, signal);
    await bob.catchUp(signal);
    await alice.catchUp(signal);
    const plain = fixture.payment("plain");
    expect(bob.state.history).toMatchObject([
      { kind: "received", txid: plain.txid, amount: plain.amount },
    ]);
    expect(readMemo(bob.state.history[0]?.memo ?? "")).toEqual({ kind: "text", text: plain.memo });
    const sent = alice.state.history.find(({ txid }) => txid === plain.txid);
    expect(sent).toMatchObject({ kind: "sent", amount: plain.amount + plain.fee });

    for (const block of fixture.branch) chain.insert(block);
    await bob.catchUp(signal);
    await alice.catchUp(signal);
    const first = fixture.payment("first");
    expect(cursorOf(bob.state).chainIndex).toBe(BigInt(fixture.forkIndex + fixture.branchBlocks));
    expect(bob.state.history).toMatchObject([{ txid: first.txid, amount: first.amount }]);
    expect(sumOfNotes(unspentNotes(bob.state))).toBe(first.amount);

    const straight = newChain();
    for (const block of fixture.trunk.slice(0, fixture.forkIndex)) straight.insert(block);
    for (const block of fixture.branch) straight.insert(block);
    const fresh = await walletOf("alice").open(straight, signal);
    await fresh.catchUp(signal);
    expect(encodeWalletState(fresh.state)).toBe(encodeWalletState(alice.state));
    await Promise.all([bob.close(), alice.close(), fresh.close()]);
  });

  it("cannot spend one note twice", async () => {
    const chain = newChain();
    for (const block of fixture.trunk.slice(0, fixture.forkIndex)) chain.insert(block);
    const [first, second] = [fixture.payment("first"), fixture.payment("second")];
    expect(first.nullifier).toBe(second.nullifier);
    expect(await chain.submit(first.raw)).toBe(first.txid);
    expect(await chain.submit(second.raw)).toBe(second.txid);
    chain.mine(fixture.owners.carol.recipient, [first.raw]);
    chain.mine(fixture.owners.carol.recipient);
    await expect(chain.submit(second.raw)).rejects.toMatchObject({ code: "tx/nullifier-spent" });
  });
});
