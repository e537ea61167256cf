/**
 * A wallet of the core holds a real node to the work: what it counts is what the chain commits to, and a node that changes a byte of its
 * records is found out.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { ManualClock, systemClock } from "@svc/node-server/platform/time/clock.ts";
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import { asBlueScore, asNoteCommitment, asNullifier, asSompi } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  encodeRecords,
  readRecords,
  type ScanRecord,
} from "@svc/shared/protocol/http/recordContainer.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import type { RecordPage } from "@svc/shared/wallet/state/ports.ts";
import { WalletKit, walletClock } from "../../demo/walletKit.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { mineOn, never, startTestNode } from "../node/nodeFixture.ts";

const fixture = readPaymentFixture();
const core = await loadCoreFile();
const profileJson = core.builtInProfile(fixture.profile);
const prover = new ProverThread({ prover: "own", proofThreads: 1, cacheFolder: null });
/** Blocks above the recorded ones: what lies below them is proved by the last work alone. */
const ABOVE = 20;

let node: RunningNode;

beforeAll(async () => {
  const clock = new ManualClock(fixture.firstBlockMs + 1_000_000n);
  node = await startTestNode(null, { network: { name: fixture.profile }, clock });
  for (const raw of fixture.trunk) await node.api.submitBlock(raw, never);
  const miner = core.addressAt(core.fullViewingKey(new Uint8Array(32).fill(3)), 0);
  for (let mined = 0; mined < ABOVE; mined += 1) await mineOn(node, miner);
});

afterAll(async () => {
  await prover.stop();
  await node?.stop();
});

/** The node, with records that somebody changed on the way. */
class ChangedNode extends HttpNode {
  change: (record: ScanRecord) => ScanRecord = (record) => record;

  override async blocks(...asked: Parameters<HttpNode["blocks"]>): Promise<RecordPage> {
    const page = await super.blocks(...asked);
    const records = readRecords(page).map((record) => this.change(record));
    return { ...page, body: encodeRecords(records) };
  }
}

async function openAt(http: HttpNode) {
  const parts = { core, profileJson, prover, clock: walletClock(systemClock) };
  const kit = new WalletKit(parts, new Secret(new Uint8Array(32).fill(7)));
  return { kit, sync: await kit.open(http, never, http) };
}

const ADDRESS = () => node.httpAddress ?? "";

/** The record with another nullifier in its first action, where it has one. */
function otherNullifier(record: ScanRecord): ScanRecord {
  const nullifier = "5e".repeat(31) + "00";
  return withAction(record, (bytes) => bytes.set(decodeHex(nullifier), 0), {
    nullifier: asNullifier(nullifier),
  });
}

/** The record with another commitment in its first action, where it has one. */
function otherNote(record: ScanRecord): ScanRecord {
  const cmx = "5e".repeat(31) + "00";
  return withAction(record, (bytes) => bytes.set(decodeHex(cmx), 32), {
    cmx: asNoteCommitment(cmx),
  });
}

function withAction(
  record: ScanRecord,
  change: (bytes: Uint8Array) => void,
  fields: object,
): ScanRecord {
  const [first, ...rest] = record.transactions;
  const [action, ...others] = first?.actions ?? [];
  if (first === undefined || action === undefined) return record;
  const bytes = action.bytes.slice();
  change(bytes);
  const actions = [{ ...action, ...fields, bytes }, ...others];
  return { ...record, transactions: [{ ...first, actions }, ...rest] };
}

function richer(record: ScanRecord): ScanRecord {
  const [first, ...rest] = record.outputs;
  if (first === undefined) return record;
  return { ...record, outputs: [{ ...first, value: asSompi(first.value + 1n) }, ...rest] };
}

function higher(record: ScanRecord): ScanRecord {
  return { ...record, blueScore: asBlueScore(record.blueScore * 2n) };
}

describe("a wallet that asks for evidence", () => {
  it("proves what it counted itself, payments and rewards among it", async () => {
    const http = new HttpNode(ADDRESS());
    const { kit, sync } = await openAt(http);
    await sync.catchUp(never);
    const { proof, ledger } = sync.state;
    const { sink } = await http.tip(never);
    expect([sync.fault, proof.fault]).toEqual([null, null]);
    expect([proof.far?.tip, proof.near?.tip]).toEqual([sink, sink]);
    const near = proof.near?.chainIndex ?? 0n;
    const counted = ledger?.recent.filter(({ chainIndex }) => chainIndex <= near) ?? [];
    expect(counted.filter(({ spent }) => spent !== "").length).toBeGreaterThan(0);
    expect(counted.filter(({ minted }) => minted > 0n).length).toBeGreaterThan(0);
    await kit.close();
  });

  it.each([
    ["a nullifier", otherNullifier, "evidence/other-nullifiers"],
    ["a commitment", otherNote, "evidence/other-notes"],
    ["a mined value", richer, "evidence/other-coins"],
    ["the blue scores", higher, "evidence/other-scores"],
  ])("finds a node out that changes %s, and is right with an honest one", async (_, lie, code) => {
    const changed = new ChangedNode(ADDRESS());
    const { kit, sync } = await openAt(changed);
    changed.change = lie;
    const found: unknown = await sync.catchUp(never).catch((error: unknown) => error);
    expect(SvcError.from(found).code).toBe(code);
    expect(sync.state.proof.fault?.code).toBe(code);
    // Nothing was proved above genesis, so nothing counts.
    expect(sync.state.blocks.at(-1)?.chainIndex ?? 0n).toBeLessThanOrEqual(1n);

    changed.change = (record) => record;
    await sync.catchUp(never);
    const { proof } = sync.state;
    expect([proof.fault, proof.near?.tip]).toEqual([null, (await changed.tip(never)).sink]);
    await kit.close();
  });
});
