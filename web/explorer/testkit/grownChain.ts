/** Example documents of a chain that grows: lists of blocks for tests of pages that live. */
import type { PageDocument } from "@svc/shared/explorer/pageRenderer.ts";
import { exampleAnswer } from "./exampleDocuments.ts";

/** DAA and blue score of the newest block before it grew. */
const FIRST_SCORE = 1_276_151;

/** The example answer of a path, once the chain has grown by `height` blocks. The hash of a block is its score. */
export function grownChain(path: string, height: number): PageDocument {
  const example = exampleAnswer(path);
  if (!path.startsWith("/blocks/recent")) return example;
  const limit = Number(/limit=(\d+)/.exec(path)?.[1] ?? 1);
  const [block]: Record<string, unknown>[] = JSON.parse(example.body);
  const rows = Array.from({ length: limit }, (_, at) => {
    const score = FIRST_SCORE + height - at;
    return {
      ...block,
      block_hash: hashAt(score),
      parents: [hashAt(score - 1)],
      daaScore: String(score),
      blueScore: String(score),
      isChainBlock: at > 0,
      color: at > 0 ? "blue" : "none",
    };
  });
  return { ...example, body: JSON.stringify(rows) };
}

function hashAt(score: number): string {
  return score.toString(16).padStart(64, "0");
}
