/** A node that serves evidence over `/v1`, and somebody who holds nothing of its chain and checks it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { GrpcClient } from "@svc/node-server/client/grpcClient.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import {
  readEvidenceTipFacts,
  readMemberFacts,
  readStateFacts,
  readWorkFacts,
} from "@svc/shared/protocol/facts/evidenceFacts.ts";
import { errorOf, type RequestPayload } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { never, startTestNode, tipOf } from "../node/nodeFixture.ts";

const fixture = readPaymentFixture();
const core = await loadCoreFile();
const profileJson = core.builtInProfile(fixture.profile);
const judge = new core.EvidenceJudge(profileJson, undefined, 0);

let node: RunningNode;
/** The selected chain above genesis. */
let hashes: readonly string[];

beforeAll(async () => {
  const clock = new ManualClock(fixture.firstBlockMs + 1_000_000n);
  node = await startTestNode(null, { network: { name: fixture.profile }, clock });
  for (const raw of fixture.trunk.slice(0, fixture.forkIndex))
    await node.api.submitBlock(raw, never);
  const { chainIndex } = await tipOf(node);
  const above = Array.from({ length: Number(chainIndex) }, (_, index) => BigInt(index + 1));
  const found = await Promise.all(above.map((index) => node.api.ask("chainHashAt", [index])));
  hashes = found.map((hash) => hash ?? "");
});

afterAll(async () => {
  judge.free();
  await node?.stop();
});

const get = (path: string) => fetch(`${node.httpAddress}/v1/evidence/${path}`);

async function piece(path: string): Promise<Uint8Array> {
  const response = await get(path);
  expect([response.status, path]).toEqual([200, path]);
  return new Uint8Array(await response.arrayBuffer());
}

const hashAt = (index: number): string => hashes.at(index) ?? "";

/** The tip with four headers above the opened state. */
async function provedTip() {
  const opening = await piece(`opening?of=${hashAt(-5)}`);
  return judge.tip(opening, await piece(`run?from=${hashAt(-4)}&to=${hashAt(-1)}`));
}

describe("evidence over HTTP", () => {
  it("proves the tip, and that this network asks for no work", async () => {
    const tip = await provedTip();
    const work = readWorkFacts(tip.work());
    expect(work).toMatchObject({ tip: hashAt(-1), blocks: 3n, work: "0", blocksOfTip: 0n });
    const state = tip.state();
    expect(readStateFacts(state.facts()).block).toBe(hashAt(-5));
    state.free();
    tip.free();
  });

  it("names the blocks that prove its tip to who follows nothing", async () => {
    const named = readEvidenceTipFacts(new TextDecoder().decode(await piece("tip?depth=3")));
    const opening = await piece(`opening?of=${named.block}`);
    const tip = judge.tip(opening, await piece(`run?from=${named.child}&to=${named.sink}`));
    const state = tip.state();
    const { block, child, sink, logCount, blocks } = named;
    expect(readStateFacts(state.facts())).toMatchObject({ block, child, logCount });
    expect(readWorkFacts(tip.work())).toMatchObject({ base: child, tip: sink, blocks });
    state.free();
    tip.free();
  });

  it("opens each block below the tip, whose tree is the one of its root", async () => {
    const tip = await provedTip();
    for (const [index, block] of hashes.slice(0, -5).entries()) {
      const path = await piece(`membership?of=${hashAt(index + 1)}&at=${hashAt(-5)}`);
      const state = judge.older(tip, path, await piece(`opening?of=${block}&nullifiers=product`));
      const facts = readStateFacts(state.facts());
      expect(facts).toMatchObject({ block, child: hashAt(index + 1) });
      state.free();
      const own = await piece(`membership?of=${block}&at=${hashAt(-5)}`);
      expect(readMemberFacts(judge.member(tip, own)).treeRoot).toBe(facts.treeRoot);
      const response = await fetch(`${node.httpAddress}/v1/tree/state?at=${block}`);
      const tree = new core.NoteTree(new Uint8Array(await response.arrayBuffer()));
      expect(encodeHex(tree.root(tree.size()))).toBe(facts.treeRoot);
      tree.free();
    }
    tip.free();
  });

  it.each([
    ["tip", () => "tip?depth=7201", 400, "codec/count-too-large"],
    ["opening", () => `opening?of=${hashAt(-1)}`, 404, "chain/unknown-block"],
    ["run", () => `run?from=${hashAt(-1)}&to=${hashAt(0)}`, 400, "codec/count-too-large"],
    ["path", () => `membership?of=${hashAt(-1)}&at=${hashAt(0)}`, 422, "evidence/not-member"],
    ["block", () => `opening?of=${"ab".repeat(32)}`, 404, "chain/unknown-block"],
  ])("answers for no such %s", async (_, path, status, code) => {
    const response = await get(path());
    expect([response.status, await response.json()]).toMatchObject([status, { code }]);
  });
});

describe("evidence over gRPC", () => {
  let client: GrpcClient;
  beforeAll(() => {
    client = new GrpcClient(node.grpcAddress ?? "");
  });
  afterAll(() => client?.close());

  it("has the bytes of HTTP", async () => {
    const [low, high] = [hashAt(2), hashAt(-5)];
    for (const nullifierProduct of [true, false, undefined]) {
      const value = { blockHash: low, nullifierProduct };
      const { opening } = await client.call({ $case: "getEvidenceOpening", value });
      const part = nullifierProduct === true ? "product" : "digest";
      expect(encodeHex(opening)).toBe(
        encodeHex(await piece(`opening?of=${low}&nullifiers=${part}`)),
      );
    }
    const path = { blockHash: low, atHash: high };
    const { membership } = await client.call({ $case: "getEvidenceMembership", value: path });
    expect(encodeHex(membership)).toBe(encodeHex(await piece(`membership?of=${low}&at=${high}`)));
    const ends = { fromHash: low, toHash: high };
    const { run } = await client.call({ $case: "getEvidenceRun", value: ends });
    expect(encodeHex(run)).toBe(encodeHex(await piece(`run?from=${low}&to=${high}`)));
    const records = { afterHash: low, toHash: high };
    const { digest } = await client.call({ $case: "getEvidenceRecords", value: records });
    expect(encodeHex(digest)).toBe(encodeHex(await piece(`records?after=${low}&to=${high}`)));
  });

  it("names the blocks that HTTP names", async () => {
    for (const depth of [3n, undefined]) {
      const path = depth === undefined ? "tip" : `tip?depth=${depth}`;
      const named = readEvidenceTipFacts(new TextDecoder().decode(await piece(path)));
      const answer = await client.call({ $case: "getEvidenceTip", value: { depth } });
      const { logCount, securityFork } = named;
      expect({ ...answer, error: undefined }).toEqual({
        ...named,
        logCount: logCount ?? undefined,
        securityFork: securityFork ?? undefined,
        error: undefined,
      });
    }
  });

  it.each([
    ["tip", () => ({ $case: "getEvidenceTip", value: { depth: 7_201n } }), "codec/count-too-large"],
    [
      "opening",
      () => ({ $case: "getEvidenceOpening", value: { blockHash: hashAt(-1) } }),
      "chain/unknown-block",
    ],
    [
      "path",
      () => ({
        $case: "getEvidenceMembership",
        value: { blockHash: hashAt(-1), atHash: hashAt(0) },
      }),
      "evidence/not-member",
    ],
    [
      "run",
      () => ({ $case: "getEvidenceRun", value: { fromHash: hashAt(-1), toHash: hashAt(0) } }),
      "codec/count-too-large",
    ],
    [
      "hash",
      () => ({ $case: "getEvidenceRun", value: { fromHash: "xy", toHash: "" } }),
      "rpc/bad-argument",
    ],
  ] as const satisfies readonly (readonly [string, () => RequestPayload, string])[])(
    "answers for no such %s",
    async (_, request, code) => {
      const error = errorOf(await client.exchange(request()));
      expect(error?.message).toContain(code);
    },
  );
});
