import { asBlueScore, asChainIndex, asTimestampMs } from "@svc/shared/base/brand.ts";
import type { NodeWord } from "@svc/shared/wallet/node/otherNodes.ts";
import { describe, expect, test } from "vitest";
import { momentText } from "../../i18n/format.ts";
import { roleTexts, wordRows } from "./nodeWords.ts";

const [A, B, C] = ["https://a.example", "https://b.example", "https://c.example"];
const NOW_MS = new Date(2026, 4, 3, 14, 20).getTime();
const ASKED_MS = new Date(2026, 4, 3, 14, 19).getTime();
const MADE_MS = new Date(2026, 4, 3, 14, 5).getTime();
const roles = { followed: A, second: B, spare: [C] };

function said(change: Partial<NodeWord>): string {
  const word: NodeWord = {
    url: B,
    state: "online",
    askedMs: asTimestampMs(BigInt(ASKED_MS)),
    answerMs: 1_234n,
    tip: {
      network: "mainnet",
      chainIndex: asChainIndex(1_234n),
      blueScore: asBlueScore(5_000n),
      timestamp: asTimestampMs(BigInt(MADE_MS)),
    },
    records: null,
    hasProved: null,
    problem: null,
    ...change,
  };
  const rows = wordRows(word, { nowMs: NOW_MS, followedScore: 5_000n });
  return rows.map(({ label, value }) => `${label}: ${value}`).join("\n");
}

describe("the roles of a node", () => {
  const words = (url: string, asked: string | null, pays: string) =>
    roleTexts(url, roles, { asked, pays });

  test("are that of the followed one, of the second opinion, and where payments go", () => {
    expect(words(A, B, B)).toEqual(["Followed"]);
    expect(words(B, B, B)).toEqual(["Second opinion", "Payments go here"]);
    expect(words(C, B, B)).toEqual(["In reserve"]);
  });

  test("say who stands in for whom", () => {
    expect(words(B, C, C)).toEqual(["Second opinion: another node stands in"]);
    expect(words(C, C, C)).toEqual(["Second opinion", "Payments go here"]);
  });

  test("are all of the followed one's where there is no second one", () => {
    const none = { followed: A, second: null, spare: [] };
    expect(roleTexts(A, none, { asked: null, pays: A })).toEqual(["Followed", "Payments go here"]);
    expect(roleTexts(B, none, { asked: null, pays: A })).toEqual(["Not used"]);
  });
});

describe("what a node last said", () => {
  test("is its state, its network, and its newest block with its time", () => {
    const [asked, made] = [momentText(ASKED_MS, NOW_MS), momentText(MADE_MS, NOW_MS)];
    expect(said({}).split("\n")).toEqual([
      "State: Online",
      `Last asked: ${asked}`,
      "Answered in: 1,234 ms",
      "Network: mainnet",
      `Newest block: 1,234, from ${made}`,
      "What was proved: Not compared yet",
    ]);
    expect(said({ state: "unasked", askedMs: null, answerMs: null, tip: null })).toBe(
      "State: Not asked yet",
    );
  });

  test.each([
    [5_032n, /1,234, from [^:]*:\d\d.*$/],
    [5_033n, /: 33 blocks above the followed node/],
    [4_900n, /: 100 blocks below the followed node/],
  ])("tells a tip at %s beside that of the followed node", (score, text) => {
    const tip = {
      network: "",
      chainIndex: asChainIndex(1_234n),
      blueScore: asBlueScore(score),
      timestamp: asTimestampMs(BigInt(NOW_MS)),
    };
    expect(said({ tip }).split("\n")[4]).toMatch(text);
    expect(said({ tip })).toContain("Network: —");
  });

  test.each<[Partial<NodeWord>, string]>([
    [{ hasProved: true }, "It has the last proved block"],
    [{ hasProved: false, records: "same" }, "It does not have the last proved block"],
    [{ records: "same", hasProved: true }, "It told the last compared blocks the same"],
    [{ records: "other" }, "It told some of the last compared blocks otherwise"],
  ])("says whether it agrees with what was proved: %s", (change, text) => {
    expect(said(change)).toContain(`What was proved: ${text}`);
  });

  test("has its last fault in the fault's own sentence", () => {
    const problem = { code: "wallet/node-unreachable", data: { url: B } } as const;
    expect(said({ state: "offline", problem })).toContain("State: Does not answer");
    expect(said({ problem })).toContain(`Last fault: The node at ${B} does not answer.`);
  });
});
