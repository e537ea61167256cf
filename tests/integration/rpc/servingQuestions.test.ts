/** A serving thread survives requests for any blocks: no query mistakes a pruned store for a damaged one. */
import { beforeAll, describe, expect, it } from "vitest";
import { answerChain } from "@svc/node-server/p2p/serve/answerChain.ts";
import type { ChainQuestion } from "@svc/node-server/p2p/serve/serveMessages.ts";
import { KEYS_END } from "@svc/node-server/storage/kv.ts";
import { consensusTable } from "@svc/node-server/storage/layout.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { callCore, coreError, isFatal } from "@svc/shared/core/callCore.ts";
import type { RawReader } from "@svc/shared/core/generated/coreGlue.ts";
import { core } from "../engine/engineFixture.ts";
import { importSteps, EngineNode, hashOf, run, SourceNode } from "../engine/importFixture.ts";
import { isAnswerTo } from "@svc/node-server/engine/calls/engineQuestions.ts";
import { takeQuestion } from "@svc/node-server/engine/calls/engineQuestions.ts";

const ROUNDS = 97;
const LOTS = 100_000;
const UNKNOWN = "ab".repeat(32);

const source = new SourceNode();
const begun = new EngineNode();

beforeAll(() => {
  source.mine(ROUNDS);
  source.prune();
  const point = source.tip().pruningPoint;
  const above = source.blocks.slice(source.blocks.findIndex((raw) => hashOf(raw) === point) + 1);
  const reader = source.reader();
  run(begun, importSteps({ reader, point, above }));
  reader.free();
  begun.settle();
});

/** Every block that a node has anything of, every seventh of them, and one that nobody has. */
function namesIn({ store }: EngineNode): string[] {
  const all = { from: new Uint8Array(), to: KEYS_END, limit: LOTS };
  const found = ["headers", "ghostdag", "status"].flatMap((table) =>
    store.range({ table: consensusTable(table), ...all }).map(({ key }) => encodeHex(key)),
  );
  return [...new Set(found), UNKNOWN].toSorted().filter((_, at) => at % 7 === 0);
}

/** The code of the refusal, or "answered". */
async function codeOf(reader: RawReader, question: ChainQuestion): Promise<string> {
  const source = {
    ask: async (...[asked, args]: Parameters<Parameters<typeof answerChain>[0]["ask"]>) => {
      const answer = callCore(() => takeQuestion(reader, asked, args));
      if (isAnswerTo(asked, answer)) return answer as never;
      throw new Error("another form");
    },
    history: async (top: bigint, limit: number) =>
      callCore(() => core.historyPage(reader, top, limit)),
  };
  try {
    await answerChain(source, question);
    return "answered";
  } catch (thrown) {
    const error = coreError(thrown);
    return isFatal(error) ? `fatal ${error.code} for ${JSON.stringify(question)}` : error.code;
  }
}

describe.each([
  ["that pruned", source],
  ["that began at a pruning point", begun],
])("a node %s", (_, node) => {
  it("refuses or answers whatever is asked about any block", async () => {
    const reader = node.reader();
    const names = namesIn(node);
    const seen = new Set<string>();
    const ask = async (question: ChainQuestion): Promise<void> =>
      void seen.add(await codeOf(reader, question));
    for (const hash of names) {
      await ask({ kind: "blocks", form: "block", hashes: decodeHex(hash) });
      await ask({ kind: "blockLocator", high: hash, limit: 10 });
      await ask({ kind: "history", anchor: hash, maxBlocks: 3 });
    }
    for (const low of names) {
      for (const high of names) {
        await ask({ kind: "chainLocator", low, high });
        await ask({ kind: "headers", low, high });
        await ask({ kind: "antipast", block: low, context: high });
      }
    }
    reader.free();
    expect([...seen].filter((code) => code.startsWith("fatal"))).toEqual([]);
    expect(seen).toContain("answered");
    expect(seen).toContain("chain/unknown-block");
  });
});
