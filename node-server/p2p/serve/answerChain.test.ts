/** Answers about the graph, over a chain of blocks that are numbers. */
import { describe, expect, it } from "vitest";
import { ByteReader, ByteWriter, concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { rawBlockFrom, rawHeadersOf } from "@svc/shared/protocol/p2p/p2pBlock.ts";
import { readEnvelope, type P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { hashOf, headerMessage, numberOf, wireHash } from "../sync/testkit/numberedChain.ts";
import { answerChain, type ChainSource } from "./answerChain.ts";
import type { ChainQuestion, ServedPage } from "./serveMessages.ts";

/** Blocks from 0 to this one; answers have at most so many of them. */
const TOP = 30;
const PAGE = 5;

const numbersIn = (hashes: Uint8Array): number[] => {
  const reader = new ByteReader(hashes);
  const found: number[] = [];
  while (reader.remaining > 0) found.push(numberOf(encodeHex(reader.take(32))));
  return found;
};

const answers: Record<string, (...args: never[]) => unknown> = {
  blocksOf: (hashes: Uint8Array) => {
    const writer = new ByteWriter();
    const known = numbersIn(hashes).filter((number) => number <= TOP);
    for (const number of known.slice(0, PAGE)) {
      writer.block(rawBlockFrom(headerMessage(number), []));
    }
    return writer.toBytes();
  },
  hashesBetween: (low: string, high: string, limit: number) => {
    const [from, to] = [numberOf(low), numberOf(high)];
    const count = Math.max(Math.min(to - from, limit), 0);
    const hashes = Array.from({ length: count }, (_, at) => wireHash(from + 1 + at).bytes);
    return concatBytes(...hashes);
  },
  headersOf: (hashes: Uint8Array) =>
    rawHeadersOf(numbersIn(hashes).slice(0, PAGE).map(headerMessage)),
  chainIndexOf: (hash: string) => (numberOf(hash) <= TOP ? BigInt(numberOf(hash)) : undefined),
};

let limits: number[] = [];
const source: ChainSource = {
  ask: async (question, args) => answers[question]?.(...(args as never[])) as never,
  history: async (top, limit) => {
    limits.push(limit);
    const writer = new ByteWriter();
    for (let number = Number(top); number >= 0 && number > Number(top) - limit; number -= 1) {
      writer.block(concatBytes(wireHash(number).bytes, new Uint8Array(68)));
    }
    return writer.toBytes();
  },
};

const payloads = ({ messages }: ServedPage): P2pPayload[] =>
  messages.flatMap((bytes) => readEnvelope(bytes).payload ?? []);
const ask = (question: ChainQuestion): Promise<ServedPage> => answerChain(source, question);
const hashes = (...numbers: number[]): Uint8Array => decodeHex(numbers.map(hashOf).join(""));

describe("answers about the graph", () => {
  it("are blocks in the order asked for, as many as are read at once", async () => {
    const question = {
      kind: "blocks",
      form: "ibdBlock",
      hashes: hashes(3, 1, 2, 4, 5, 6),
    } as const;
    const page = await ask(question);
    expect(page.next).toBe(String(PAGE));
    const found = payloads(page).map((each) =>
      each.$case === "ibdBlock" ? Number(each.value.header?.nonce) : -1,
    );
    expect(found).toEqual([3, 1, 2, 4, 5]);
    expect((await ask({ ...question, hashes: hashes(6) })).next).toBeNull();
    const unknown = ask({ ...question, hashes: hashes(99) });
    await expect(unknown).rejects.toMatchObject({ code: "chain/unknown-block" });
  });

  it("are pages of headers that go on behind the last that was read", async () => {
    const page = await ask({ kind: "headers", low: hashOf(2), high: hashOf(9) });
    expect(page.next).toBe(hashOf(2 + PAGE));
    expect(payloads(page)).toMatchObject([{ $case: "blockHeaders" }]);
    const end = await ask({ kind: "headers", low: hashOf(9), high: hashOf(9) });
    expect([payloads(end)[0]?.$case, end.next]).toEqual(["doneHeaders", null]);
    const between = (block: number): ChainQuestion => ({
      kind: "antipast",
      block: hashOf(block),
      context: hashOf(4),
    });
    const names = async (block: number) => payloads(await ask(between(block))).map((p) => p.$case);
    expect(await names(2)).toEqual(["blockHeaders", "doneHeaders"]);
    expect(await names(4)).toEqual(["doneHeaders"]);
  });

  it("are bounded chunks of history, empty for a block that is not on the chain", async () => {
    limits = [];
    const chunk = async (anchor: number, maxBlocks: number) => {
      const [found] = payloads(await ask({ kind: "history", anchor: hashOf(anchor), maxBlocks }));
      if (found?.$case !== "shieldedHistoryChunk") throw new Error("another message");
      const { entries, done, anchorIndex } = found.value;
      return [entries.map(({ chainIndex }) => Number(chainIndex)), done, Number(anchorIndex)];
    };
    expect(await chunk(9, 2)).toEqual([[9, 8], false, 9]);
    expect(await chunk(1, 4_000)).toEqual([[1, 0], true, 1]);
    expect(await chunk(7, 0)).toEqual([[7], false, 7]);
    expect(await chunk(99, 2)).toEqual([[], false, 0]);
    expect(limits).toEqual([2, P2P_LIMITS.p2pServedRecords, 1]);
  });
});
