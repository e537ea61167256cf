import { describe, expect, it } from "vitest";
import { REST_ROUTES } from "../../protocol/rest/restRoutes.ts";
import { DAG_LIMITS } from "../dagLimits.ts";
import { readDagBlocks } from "./readDagBlocks.ts";

const { blockWindow, recentBlocks } = REST_ROUTES;
const one = blockWindow.example.answer.blocks[0];

describe("documents of the graph", () => {
  it("are those of the table: a minute says all, the list leaves the work open", () => {
    const [inMinute] = readDagBlocks(blockWindow.example.answer) ?? [];
    expect(inMinute).toMatchObject({ hash: one?.block_hash, work: one?.work });
    const [inList] = readDagBlocks(recentBlocks.example.answer) ?? [];
    expect(inList).toMatchObject({ isChainBlock: true, work: null, mergedBy: null });
  });

  it("are refused as a whole when they are of another form", () => {
    expect(readDagBlocks(null)).toBeNull();
    expect(readDagBlocks({ blocks: "many" })).toBeNull();
    expect(readDagBlocks([{ ...one, block_hash: "<script>" }])).toBeNull();
    expect(readDagBlocks([{ ...one, color: "green" }])).toBeNull();
    expect(readDagBlocks([{ ...one, blueScore: "99999999999999999999" }])).toBeNull();
    expect(readDagBlocks([{ ...one, txCount: -1 }])).toBeNull();
  });

  it("are read up to a bound", () => {
    const blocks = Array.from({ length: DAG_LIMITS.documentBlocks + 5 }, () => one);
    expect(readDagBlocks({ blocks })).toHaveLength(DAG_LIMITS.documentBlocks);
  });
});
