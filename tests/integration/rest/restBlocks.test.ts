/** Documents about single blocks, transactions and the pool, over the recorded payments with a reorganisation. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GrpcClient } from "@svc/node-server/client/grpcClient.ts";
import { askFacts } from "@svc/node-server/engine/calls/askFacts.ts";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { readComputedHashes } from "@svc/shared/protocol/facts/computedHashes.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import fees from "../../vectors/fee.json" with { type: "json" };
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { unlikeDocument } from "../../testkit/restDocuments.ts";
import { core } from "../engine/engineFixture.ts";
import { never } from "../node/nodeFixture.ts";
import { askRest, documentOf, startRecordedNode } from "./restScene.ts";

const fixture = readPaymentFixture();
const NOBODY = "ee".repeat(32);

let node: RunningNode;
let client: GrpcClient;

beforeAll(async () => {
  node = await startRecordedNode();
  client = new GrpcClient(node.grpcAddress ?? "");
  await node.api.submitTransaction(fixture.payment("waiting").raw, never);
});
afterAll(async () => {
  client?.close();
  await node?.stop();
});

function hashesOf(raw: Uint8Array | undefined) {
  return readComputedHashes(callCore(() => core.computeHashes(raw ?? new Uint8Array())));
}

describe("the document of a block", () => {
  it("says of header and transactions what the node's own RPC says", async () => {
    const [first] = fixture.branch;
    const { hash } = hashesOf(first);
    const value = { hash, includeTransactions: true };
    const { block } = await client.call({ $case: "getBlock", value });
    const { header, transactions = [] } = block ?? {};
    const document = await documentOf(node, `/blocks/${hash}`);
    expect(unlikeDocument("block", document)).toEqual([]);
    expect(document).toMatchObject({
      block_hash: hash,
      header: {
        hash,
        version: header?.version,
        timestamp: Number(header?.timestamp),
        daaScore: String(header?.daaScore),
        blueScore: String(header?.blueScore),
        blueWork: header?.blueWork,
        nonce: String(header?.nonce),
        bits: header?.bits,
        pruningPoint: header?.pruningPoint,
        hashMerkleRoot: header?.hashMerkleRoot,
        acceptedIdMerkleRoot: header?.acceptedIdMerkleRoot,
        utxoCommitment: header?.utxoCommitment,
        parents: header?.parents,
      },
      transactions: transactions.map(({ payload, subnetworkId, verboseData }) => ({
        payload,
        subnetworkId,
        verboseData: {
          transactionId: verboseData?.transactionId,
          hash: verboseData?.hash,
          mass: String(verboseData?.computeMass),
        },
      })),
      extra: { color: "blue", mergedBy: hash, work: "skipped", hasBody: true },
    });
  });

  it("shows what a coinbase pays and to whom, and of a payment neither", async () => {
    const [raw] = fixture.branch;
    const { hash, txids } = hashesOf(raw);
    const payment = fixture.payment("first");
    const [coinbase] = decodeRawBlock(raw ?? new Uint8Array()).transactions;
    expect(await documentOf(node, `/blocks/${hash}`)).toMatchObject({
      transactions: [
        {
          shielded: false,
          inputs: [],
          outputs: coinbase?.outputs.map(({ value, script }) => ({
            amount: Number(value),
            scriptPublicKey: { version: 0, scriptPublicKey: encodeHex(script) },
            verboseData: {
              scriptPublicKeyType: "nonstandard",
              scriptPublicKeyAddress: core.encodeAddress("svcsim", script),
            },
          })),
          verboseData: { transactionId: txids[0] },
        },
        { shielded: true, inputs: [], outputs: [], verboseData: { transactionId: payment.txid } },
      ],
      extra: { minerAddress: expect.stringMatching(/^svcsim:[02-9ac-hj-np-z]{79}$/) },
    });
  });

  it("tells what a chain block applied and dropped, and nothing of the kind beside the chain", async () => {
    let applied = 0;
    for (const raw of [...fixture.trunk, ...fixture.branch]) {
      const { hash } = hashesOf(raw);
      const facts = await askFacts(node.api, "blockFacts", [asBlockHash(hash)], never);
      const chain =
        facts?.isChainBlock === true
          ? await askFacts(node.api, "chainFacts", [facts.hash], never)
          : undefined;
      applied += chain?.applied.length ?? 0;
      const of = ({ txid, block }: { txid: string; block: string }) => {
        return { transaction_id: txid, block_hash: block };
      };
      expect(await documentOf(node, `/blocks/${hash}`)).toMatchObject({
        extra: {
          applied: chain?.applied.map(of) ?? null,
          dropped: chain?.dropped.map((one) => ({ ...of(one), reason: one.reason })) ?? null,
        },
      });
    }
    expect(applied).toBeGreaterThan(0);
  });

  it("may be kept the longer the deeper the block lies", async () => {
    const deep = await askRest(node, `/blocks/${fixture.genesis}`);
    const near = await askRest(node, `/blocks/${hashesOf(fixture.branch.at(-1)).hash}`);
    const ages = [deep, near].map((answer) => answer.headers.get("cache-control"));
    // Genesis is 70 blue blocks deep.
    expect(ages).toEqual([
      "public, max-age=60, s-maxage=60, stale-while-revalidate=300",
      "public, max-age=2, s-maxage=2, stale-while-revalidate=5",
    ]);
  });

  it("of an unknown hash is 404 with the reason, and is asked for again soon", async () => {
    for (const path of [`/blocks/${NOBODY}`, `/blocks/${NOBODY}/bytes`]) {
      const answer = await askRest(node, path);
      expect([answer.status, answer.headers.get("cache-control")]).toEqual([
        404,
        "public, max-age=5, s-maxage=5, stale-while-revalidate=0",
      ]);
      expect(await answer.json()).toEqual({
        error: `Block ${NOBODY} is unknown.`,
        code: "chain/unknown-block",
        hash: NOBODY,
        reason: "never-seen",
      });
    }
  });

  it.each(["abc", `${NOBODY}0`, "zz".repeat(32), "%00"])("of %s is 400", async (id) => {
    for (const path of [`/blocks/${id}`, `/blocks/${id}/bytes`, `/transactions/${id}`]) {
      const answer = await askRest(node, path);
      expect([path, answer.status]).toEqual([path, 400]);
      expect(await answer.json()).toEqual({
        error: expect.stringContaining("64 hexadecimal digits"),
        code: "api/bad-field",
        field: "id",
        expected: "64 hexadecimal digits",
      });
    }
  });

  it("is found by capital digits, too", async () => {
    const path = `/blocks/${fixture.genesis.toUpperCase()}`;
    expect(await documentOf(node, path)).toMatchObject({ block_hash: fixture.genesis });
  });
});

describe("the bytes of a block", () => {
  it("are those that its hash is made of, and never change", async () => {
    const [raw] = fixture.branch;
    const { hash } = hashesOf(raw);
    const answer = await askRest(node, `/blocks/${hash}/bytes`);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(raw);
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(answer.headers.get("cache-control")).toBe(
      "public, max-age=86400, s-maxage=86400, stale-while-revalidate=86400",
    );
  });

  it("are not sent twice, nor with HEAD", async () => {
    const path = `/blocks/${fixture.genesis}/bytes`;
    const first = await askRest(node, path);
    const tag = first.headers.get("etag") ?? "";
    const again = await askRest(node, path, { headers: { "if-none-match": tag } });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    const head = await askRest(node, path, { method: "HEAD" });
    expect([head.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0]);
    expect(head.headers.get("etag")).toBe(tag);
  });
});

describe("a transaction", () => {
  it("that waits is not accepted, and shows no amount", async () => {
    const payment = fixture.payment("waiting");
    const document = await documentOf(node, `/transactions/${payment.txid}`);
    expect(unlikeDocument("transaction", document)).toEqual([]);
    expect(document).toMatchObject({
      transaction_id: payment.txid,
      status: "waiting",
      is_accepted: false,
      confirmations: 0,
      block_hash: [],
      block_time: null,
      accepting_block_hash: null,
      accepting_block_blue_score: null,
      accepting_block_time: null,
      inputs: null,
      outputs: null,
      kind: "payment",
      actions: 2,
      fee: String(payment.fee),
      drop_reason: null,
    });
  });

  it("of the chain is not looked for without an index: 503 says so", async () => {
    for (const txid of [fixture.payment("first").txid, NOBODY]) {
      const answer = await askRest(node, `/transactions/${txid}`);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "10"]);
      expect(await answer.json()).toMatchObject({
        code: "http/unavailable",
        reason: "this node keeps no index",
      });
    }
  });
});

describe("the pool", () => {
  it("is counted by sizes alone", async () => {
    const [entry] = node.api.waiting();
    expect(await documentOf(node, "/info/mempool")).toEqual({
      count: 1,
      bytes: entry?.size,
      actions: 2,
      fees: String(entry?.fee),
      byActions: [{ actions: 2, count: 1 }],
    });
  });

  it("asks no more than the least fee while it fits a block, under both names of its time", async () => {
    const bucket = { feerate: 100, estimatedSeconds: 1, estimateSeconds: 1 };
    const document = await documentOf(node, "/info/fee-estimate");
    expect(document).toMatchObject({
      priorityBucket: bucket,
      normalBuckets: [bucket],
      lowBuckets: [bucket],
      feeByActions: Object.fromEntries(fees.walletFees.map(({ actions, fee }) => [actions, fee])),
    });
  });
});

it("what came in since the start is counted, and not called mined", async () => {
  const document = await documentOf(node, "/info/relay");
  expect(document).toMatchObject({
    blocksIngested: fixture.trunkBlocks + fixture.branchBlocks,
    bodiesProcessed: fixture.trunkBlocks + fixture.branchBlocks,
    chainBlocksProcessed: fixture.trunkBlocks + fixture.branchBlocks,
    databaseBlocks: fixture.trunkBlocks + fixture.branchBlocks + 1,
    mempoolSize: 1,
    activePeers: 0,
  });
});
