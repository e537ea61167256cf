import { beforeEach, describe, expect, it } from "vitest";
import { asChainIndex } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { encodeContainer, readRecords } from "@svc/shared/protocol/http/recordContainer.ts";
import { digestOf, readRecordDigest, recordHash } from "@svc/shared/protocol/http/recordDigest.ts";
import { bytesIn, recordLayouts } from "@svc/shared/protocol/http/recordLayout.ts";
import { ChainModel } from "@svc/shared/wallet/testkit/chainModel.ts";
import { errorAnswer } from "../../platform/http/errorAnswer.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { FakeNode, hashOf } from "../testkit/fakeNode.ts";
import { v1Routes } from "./v1Routes.ts";

let node: FakeNode;
let asked: unknown[][];

/** Routes with one store of answers for as long as they live. */
function routesOf() {
  const shares = { turn: <T>(_: string, __: AbortSignal, work: () => T) => work() };
  const routes = v1Routes(node, shares);
  routes.onError((error, c) => errorAnswer(c, error));
  return async (path: string) => {
    const caller = { host: "test", origin: null };
    const response = await routes.request(path, {}, { caller });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, bytes, text: new TextDecoder().decode(bytes), response };
  };
}

beforeEach(() => {
  node = new FakeNode();
  asked = [];
  const note = (name: string, size: number) => {
    return (...args: unknown[]) => {
      asked.push([name, ...args]);
      return new Uint8Array(size).fill(asked.length);
    };
  };
  node.answers.evidenceTip = (depth) => {
    asked.push(["tip", depth]);
    return `{"depth":"${depth}"}`;
  };
  node.answers.evidenceOpening = note("opening", 10);
  node.answers.evidenceMembership = note("membership", 10);
  node.answers.evidencePayload = note("payload", 10);
  node.answers.evidenceRun = note("run", RPC_LIMITS.evidenceKeptBytes / 2);
});

describe("evidence", () => {
  const [low, high] = [hashOf(1), hashOf(2)];
  const paths = {
    digest: `/evidence/opening?of=${low}`,
    product: `/evidence/opening?of=${low}&nullifiers=product`,
    membership: `/evidence/membership?of=${low}&at=${high}`,
    run: `/evidence/run?from=${low}&to=${high}`,
    payload: `/evidence/payload?at=${low}&index=3`,
  };

  it("is asked of the engine by the blocks of the address, and is no store's to keep", async () => {
    const ask = routesOf();
    for (const path of Object.values(paths)) {
      const { status, response } = await ask(path);
      expect(status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/octet-stream");
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
    expect(asked).toEqual([
      ["opening", low, false],
      ["opening", low, true],
      ["membership", low, high],
      ["run", low, high],
      ["payload", low, 3],
    ]);
  });

  it("is made once for all who ask for the same, byte for byte", async () => {
    const ask = routesOf();
    const first = await ask(paths.product);
    expect((await ask(paths.product)).bytes).toEqual(first.bytes);
    expect((await ask(paths.digest)).bytes).not.toEqual(first.bytes);
    expect(asked).toHaveLength(2);
  });

  it("is kept within a bound: what was asked for long ago is made again", async () => {
    const ask = routesOf();
    await ask(paths.membership);
    for (const other of [3, 4, 5]) await ask(`/evidence/run?from=${hashOf(other)}&to=${high}`);
    await ask(paths.membership);
    expect(asked.map(([name]) => name)).toEqual(["membership", "run", "run", "run", "membership"]);
  });

  it("names its blocks anew each time, at a depth of ten minutes where nothing else is said", async () => {
    const ask = routesOf();
    for (const path of ["/evidence/tip", "/evidence/tip?depth=7", "/evidence/tip?depth=7"]) {
      const { status, response } = await ask(path);
      expect([status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    }
    expect(asked).toEqual([
      ["tip", 600n],
      ["tip", 7n],
      ["tip", 7n],
    ]);
  });

  it("keeps no fault", async () => {
    const ask = routesOf();
    node.answers.evidenceRun = () => {
      throw new SvcError("chain/unknown-block", { hash: low });
    };
    expect((await ask(paths.run)).status).toBe(404);
    node.answers.evidenceRun = () => new Uint8Array(3);
    expect((await ask(paths.run)).status).toBe(200);
  });

  it.each([
    ["/evidence/tip?depth=-1", 400, "codec/number-out-of-range"],
    ["/evidence/opening", 400, "http/bad-request"],
    ["/evidence/opening?of=xy", 400, "codec/bad-hex"],
    [`${paths.digest}&nullifiers=all`, 400, "http/bad-request"],
    [`/evidence/membership?of=${low}`, 400, "http/bad-request"],
    [`/evidence/run?from=${low}`, 400, "http/bad-request"],
    [`/evidence/run?from=${low}&to=`, 400, "codec/bad-hex"],
    [`/evidence/payload?at=${low}`, 400, "http/bad-request"],
    [`/evidence/payload?at=${low}&index=-1`, 400, "http/bad-request"],
    [`/evidence/payload?at=${low}&index=100000`, 400, "http/bad-request"],
    [`/evidence/records?after=${low}`, 400, "http/bad-request"],
    [`/evidence`, 404, "http/not-found"],
  ])("answers %s with %i", async (path, status, code) => {
    const answer = await routesOf()(path);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(code);
    expect(asked).toEqual([]);
  });
});

describe("a digest of records", () => {
  const model = new ChainModel();
  model.addEmpty(12);
  const at = (index: number) => model.at(index)?.hash ?? "";
  const path = (after: number, to: number) => `/evidence/records?after=${at(after)}&to=${at(to)}`;

  /** Pages of at most five records, as a node cuts them by their bytes. */
  beforeEach(() => {
    node.answers.chainIndexOf = (hash) => {
      const index = model.indexOf(hash);
      return index === undefined ? undefined : BigInt(index);
    };
    node.answers.records = (after, limit) => {
      const from = (model.indexOf(after) ?? 0) + 1;
      const to = Math.min(from - 1 + Math.min(limit, 5), model.length);
      asked.push(["records", from, to]);
      const records = readRecords({
        firstIndex: asChainIndex(0n),
        count: to - from + 1,
        body: model.body(from, to),
      });
      return encodeContainer(asChainIndex(BigInt(from)), records);
    };
  });

  it("covers every record between two blocks, in order", async () => {
    const { status, bytes } = await routesOf()(path(1, 12));
    const body = model.body(2, 12);
    const hashes = recordLayouts(body, 11).map((record) => recordHash(bytesIn(body, record)));
    expect(status).toBe(200);
    expect(readRecordDigest(bytes)).toEqual({ count: 11, last: at(12), digest: digestOf(hashes) });
    expect(asked).toEqual([
      ["records", 2, 6],
      ["records", 7, 11],
      ["records", 12, 12],
    ]);
  });

  it("is kept for who asks for the same", async () => {
    const ask = routesOf();
    const { bytes } = await ask(path(3, 5));
    expect((await ask(path(3, 5))).bytes).toEqual(bytes);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ["blocks in the wrong order", path(5, 3)],
    ["no block", path(3, 3)],
    ["an unknown block", `/evidence/records?after=${at(3)}&to=${hashOf(9)}`],
  ])("is not there for %s", async (_, asking) => {
    const { status, text } = await routesOf()(asking);
    expect([status, text]).toEqual([404, expect.stringContaining("chain/unknown-block")]);
    expect(asked).toEqual([]);
  });

  it("is not there for more than a page, and costs the node nothing then", async () => {
    node.answers.chainIndexOf = (hash) => (hash === at(1) ? 1n : 2_002n);
    const { status } = await routesOf()(path(1, 12));
    expect([status, asked]).toEqual([404, []]);
  });
});
