/**
 * What no state root covers, with a real node and the core: payments whole under the header of their block, digests of records, and a
 * wallet whose node changes ciphertexts.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { GrpcClient } from "@svc/node-server/client/grpcClient.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { ManualClock, systemClock } from "@svc/node-server/platform/time/clock.ts";
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import { asBlockHash, type BlockHash } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { encodeRecords, readRecords } from "@svc/shared/protocol/http/recordContainer.ts";
import { digestOf, recordHash } from "@svc/shared/protocol/http/recordDigest.ts";
import { bytesIn, recordLayouts } from "@svc/shared/protocol/http/recordLayout.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { errorOf } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import type { DrawPayment, RecordPage } from "@svc/shared/wallet/state/ports.ts";
import { WalletKit, walletClock } from "../../demo/walletKit.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { mineOn, never, startTestNode } from "../node/nodeFixture.ts";
import { MEMO_AT, NOTE_AT, veiledRecord } from "./veiledRecord.ts";

const fixture = readPaymentFixture();
const core = await loadCoreFile();
const profileJson = core.builtInProfile(fixture.profile);
const prover = new ProverThread({ prover: "own", proofThreads: 1, cacheFolder: null });
/** Blocks above the recorded ones: a comparison leaves out the last blocks. */
const ABOVE = 20;

let node: RunningNode;
let http: HttpNode;
let genesis: BlockHash;
let page: RecordPage;

beforeAll(async () => {
  const clock = new ManualClock(fixture.firstBlockMs + 1_000_000n);
  node = await startTestNode(null, { network: { name: fixture.profile }, clock });
  for (const raw of fixture.trunk) await node.api.submitBlock(raw, never);
  const miner = core.addressAt(core.fullViewingKey(new Uint8Array(32).fill(3)), 0);
  await node.api.submitTransaction(fixture.payment("waiting").raw, never, "test");
  for (let mined = 0; mined < ABOVE; mined += 1) await mineOn(node, miner);
  http = new HttpNode(node.httpAddress ?? "");
  genesis = asBlockHash(core.genesisHash(profileJson));
  page = await http.blocks(genesis, PROTOCOL_LIMITS.recordPageMax, never);
});

afterAll(async () => {
  await prover.stop();
  await node?.stop();
});

/** Every applied payment of the page: its block, its place there, its bytes. */
function payments() {
  const records = readRecords(page);
  return recordLayouts(page.body, page.count).flatMap((layout, index) =>
    layout.payments.map((span, place) => ({
      block: asBlockHash(records[index]?.hash ?? ""),
      place,
      told: bytesIn(page.body, span),
    })),
  );
}

describe("a payment whole", () => {
  it("is the one of its record, for every payment that the chain applied", async () => {
    expect(payments().length).toBeGreaterThan(1);
    for (const { block, place, told } of payments()) {
      const shown = await http.payload(block, place, never);
      expect(callCore(() => core.checkPayload(block, shown))).toEqual(new Uint8Array(told));
    }
  });

  it("is bound to its block: no other block, and no other byte", async () => {
    const [first, second] = payments();
    if (first === undefined || second === undefined) throw new Error("two payments");
    const shown = await http.payload(first.block, first.place, never);
    const codeOf = (block: string, bytes: Uint8Array) => {
      try {
        core.checkPayload(block, bytes);
        return null;
      } catch (error) {
        return SvcError.from(error).code;
      }
    };
    const other = first.block === second.block ? genesis : second.block;
    expect(codeOf(other, shown)).toBe("evidence/other-header");
    for (let at = 0; at < shown.length; at += 97) {
      const changed = shown.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect([at, codeOf(first.block, changed)]).not.toEqual([at, null]);
    }
  });

  it("is the same over gRPC, and so are its errors", async () => {
    const client = new GrpcClient(node.grpcAddress ?? "");
    try {
      for (const { block: blockHash, place: index } of payments()) {
        const value = { blockHash, index };
        const { payload } = await client.call({ $case: "getEvidencePayload", value });
        const overHttp = await http.payload(blockHash, index, never);
        expect(encodeHex(payload)).toBe(encodeHex(overHttp));
      }
      const blockHash = payments()[0]?.block ?? genesis;
      for (const index of [999, 0xff_ff_ff_ff]) {
        const value = { blockHash, index };
        const answer = await client.exchange({ $case: "getEvidencePayload", value });
        expect(errorOf(answer)?.message).toContain("chain/unknown-block");
      }
    } finally {
      client.close();
    }
  });

  it("is not there for a place without one, or a block that is none", async () => {
    const fault = async (at: BlockHash, place: number) =>
      SvcError.from(await http.payload(at, place, never).catch((error: unknown) => error)).code;
    expect(await fault(payments()[0]?.block ?? genesis, 999)).toBe("chain/unknown-block");
    expect(await fault(asBlockHash("ab".repeat(32)), 0)).toBe("chain/unknown-block");
  });
});

describe("a digest of records", () => {
  it("is that of the page which the node serves", async () => {
    const last = asBlockHash(readRecords(page).at(-1)?.hash ?? "");
    const hashes = recordLayouts(page.body, page.count).map((record) =>
      recordHash(bytesIn(page.body, record)),
    );
    const told = await http.recordDigest(genesis, last, never);
    expect(told).toEqual({ count: page.count, last, digest: digestOf(hashes) });
  });
});

/** The node, with ciphertexts that somebody changed on the way. */
class ChangedNode extends HttpNode {
  isHonest = false;
  changedAt = NOTE_AT;

  override async blocks(...asked: Parameters<HttpNode["blocks"]>): Promise<RecordPage> {
    const served = await super.blocks(...asked);
    if (this.isHonest) return served;
    const records = readRecords(served).map((record) => veiledRecord(record, [this.changedAt]));
    return { ...served, body: encodeRecords(records) };
  }
}

describe("a wallet whose node changes ciphertexts", () => {
  const first: DrawPayment = (count) => (count > 0 ? 0 : null);
  const none: DrawPayment = () => null;

  async function opened(own: HttpNode, second: HttpNode | null, draw: DrawPayment) {
    const parts = { core, profileJson, prover, clock: walletClock(systemClock) };
    const kit = new WalletKit(parts, new Secret(decodeHex(fixture.owners.bob.seed, 32)));
    const sync = await kit.open(own, never, own, { payloads: own, second, draw });
    return { kit, sync };
  }

  it.each([
    ["a note", NOTE_AT],
    ["a memo", MEMO_AT],
  ])("finds with a second node %s that was hidden, and says what differs", async (_, changedAt) => {
    const honest = await opened(http, null, none);
    await honest.sync.catchUp(never);
    const expected = honest.sync.state.notes;
    expect(expected.some(({ kind }) => kind !== "coinbase")).toBe(true);
    await honest.kit.close();

    const own = new ChangedNode(node.httpAddress ?? "");
    own.changedAt = changedAt;
    const { kit, sync } = await opened(own, http, none);
    await sync.catchUp(never);
    expect(sync.state.notes).toEqual(expected);
    const { fault, near, second } = sync.state.proof;
    expect([fault, second.page?.code]).toEqual([null, "evidence/other-page"]);
    expect(near?.tip).toBe((await http.tip(never)).sink);
    await kit.close();
  });

  it("finds a drawn payment to be false, names it, and is right with an honest node", async () => {
    const own = new ChangedNode(node.httpAddress ?? "");
    const { kit, sync } = await opened(own, null, first);
    const thrown: unknown = await sync.catchUp(never).catch((error: unknown) => error);
    expect(SvcError.from(thrown).code).toBe("evidence/other-payload");
    expect(sync.state.proof.fault?.code).toBe("evidence/other-payload");

    own.isHonest = true;
    await sync.catchUp(never);
    expect(sync.state.proof.fault).toBeNull();
    expect(sync.state.notes.some(({ kind }) => kind !== "coinbase")).toBe(true);
    await kit.close();
  });
});
