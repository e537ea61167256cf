/** What a network of nodes asks, answered alike by the engine's thread and by a reader. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { encodeRawHeaders } from "@svc/shared/protocol/raw/rawHeaders.ts";
import { readBlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { BlockMaker, NOW_MS, core, recipient, simnet, startHost } from "../engine/engineFixture.ts";
import type {
  Question,
  QuestionAnswer,
  QuestionArgs,
} from "@svc/node-server/engine/calls/engineQuestions.ts";
import { askFacts } from "@svc/node-server/engine/calls/askFacts.ts";

const HASH_LENGTH = 32;
const UNKNOWN = "77".repeat(HASH_LENGTH);

let folder: TemporaryFolder;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function hashBytes(hashes: readonly string[]): Uint8Array {
  return concatBytes(...hashes.map((hash) => decodeHex(hash)));
}

function sized(blocks: readonly Uint8Array[]): Uint8Array {
  const parts = blocks.map((block) => {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, block.length, true);
    return concatBytes(length, block);
  });
  return concatBytes(...parts);
}

describe("questions of a network of nodes", () => {
  test("engine and reader answer alike, in the forms that are told", async () => {
    const maker = new BlockMaker();
    const host = await startHost(folder.path);
    host.reader.start();
    await host.reader.ready;
    const blocks = Array.from({ length: 12 }, () => maker.next(recipient(1)));
    for (const block of blocks) await host.engine.insertBlock(block, NOW_MS);
    const ahead = Array.from({ length: 3 }, () => maker.next(recipient(1)));
    const headers = ahead.map((raw) => ({ header: decodeRawBlock(raw).header }));
    await host.engine.insertHeaders(encodeRawHeaders(headers), NOW_MS);
    const at = (index: number): string => maker.engine.chainHashAt(BigInt(index)) ?? "";
    const [genesis, sink, high] = [core.genesisHash(simnet), at(12), at(15)];

    const answers = async <Q extends Question>(
      question: Q,
      args: QuestionArgs<Q>,
      answer: QuestionAnswer<Q>,
    ): Promise<void> => {
      expect(await host.engine.ask(question, args)).toEqual(answer);
      expect(await host.reader.ask(question, args)).toEqual(answer);
    };
    await answers("blockStage", [sink], "valid");
    await answers("blockStage", [high], "headerOnly");
    await answers("blockStage", [UNKNOWN], undefined);
    const locator = hashBytes([sink, at(11), at(9), at(5), genesis]);
    await answers("chainLocator", ["", ""], locator);
    await answers("chainLocator", [at(9), at(5)], new Uint8Array());
    await answers("blockLocator", [high, 3], hashBytes([high, at(14), at(12)]));
    const between = [at(10), at(11), sink, at(13), at(14), high];
    await answers("hashesBetween", [at(9), high, 1_000], hashBytes(between));
    await answers("headersBetween", [sink, high, 1_000], encodeRawHeaders(headers));
    await answers("bodiesMissing", ["", high, 1_000], hashBytes([high, at(13), at(14), high]));
    await answers("headersOf", [hashBytes([at(13)])], encodeRawHeaders(headers.slice(0, 1)));
    await answers("blocksOf", [hashBytes([at(2), at(1)])], sized(blocks.slice(0, 2).toReversed()));
    await answers("pruningPoints", [4], hashBytes([genesis]));
    await answers("ancestry", [sink, high], "chain");

    const facts = await askFacts(host.reader, "tip", []);
    const workOf = async (hash: string): Promise<string> =>
      readBlockFacts((await host.reader.ask("blockFacts", [hash])) ?? "").blueWork;
    expect(facts.sinkBlueWork).toBe(await workOf(sink));
    expect(facts.headersBlueWork).toBe(await workOf(high));
    expect(facts.headersBlueWork).not.toBe(facts.sinkBlueWork);
    await host.reader.stop();
    await host.engine.stop();
  });

  test("what is not known, not held or too much is refused", async () => {
    const host = await startHost(folder.path);
    const genesis = core.genesisHash(simnet);
    const unknown: readonly Promise<unknown>[] = [
      host.engine.ask("blockLocator", [UNKNOWN, 5]),
      host.engine.ask("hashesBetween", [genesis, UNKNOWN, 5]),
      host.engine.ask("headersBetween", [UNKNOWN, genesis, 5]),
      host.engine.ask("bodiesMissing", ["", UNKNOWN, 5]),
      host.engine.ask("headersOf", [hashBytes([genesis, UNKNOWN])]),
      host.engine.ask("blocksOf", [hashBytes([UNKNOWN])]),
      host.engine.ask("ancestry", [genesis, UNKNOWN]),
    ];
    for (const answer of unknown) await expect(answer).rejects.toThrow("chain/unknown-block");
    const many = hashBytes(Array.from({ length: 129 }, () => genesis));
    await expect(host.engine.ask("blocksOf", [many])).rejects.toThrow("codec/count-too-large");
    await expect(host.engine.ask("blockStage", ["zz"])).rejects.toThrow("engine/bad-call");
    expect(encodeHex(await host.engine.ask("chainLocator", ["", UNKNOWN]))).toBe("");
    await host.engine.stop();
  });
});
