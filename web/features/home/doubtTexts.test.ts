import { asChainIndex, asTimestampMs } from "@svc/shared/base/brand.ts";
import { CODE_FIELDS, type Code } from "@svc/shared/base/generated/codes.ts";
import type { ShownBlock } from "@svc/shared/wallet/view/shownChain.ts";
import { describe, expect, test } from "vitest";
import { checkedText } from "./checkedText.ts";
import { doubtTexts, showsDoubt, unknownText } from "./doubtTexts.ts";

const NOW_MS = new Date(2026, 4, 3, 14, 20).getTime();
const at = (minute: number) => asTimestampMs(BigInt(new Date(2026, 4, 3, 14, minute).getTime()));

const last: ShownBlock = {
  chainIndex: asChainIndex(1_234n),
  timestamp: at(5),
  tipTimestamp: at(6),
  backing: { kind: "work", blocks: 1_049n, ms: 1_049_000n },
};

function words(code: Code, shown: ShownBlock | null = last) {
  const texts = doubtTexts(
    { doubt: { code, data: {} }, last: shown },
    { asOfMs: at(6), nowMs: NOW_MS },
  );
  if (texts === null) throw new Error("there are words for every doubt");
  return texts;
}

describe("a node in doubt", () => {
  test.each([
    ["evidence/other-notes", "This node left out or made up payments"],
    ["evidence/other-nullifiers", "This node left out or made up spends"],
    ["evidence/other-coins", "This node told of other mined coins than there are"],
    ["evidence/other-scores", "This node told false ages of its blocks"],
    ["evidence/other-payload", "This node altered a payment"],
    ["evidence/contradicted", "This node left a chain whose work was shown"],
    ["evidence/too-easy", "This node shows less work than the network has"],
    ["evidence/too-few-headers", "This node shows less work than the network has"],
    ["evidence/other-state", "This node shows work that does not hold"],
    ["evidence/other-header", "This node shows work that does not hold"],
    ["evidence/not-linked", "This node shows work that does not hold"],
    ["evidence/not-member", "This node shows work that does not hold"],
    ["header/invalid-pow", "This node shows work that does not hold"],
    ["coinbase/payload-too-short", "This node shows work that does not hold"],
    ["codec/not-canonical", "This node shows work that does not hold"],
  ] as const)("%s: %s", (code, title) => {
    expect(words(code)).toMatchObject({ title, isContradiction: true });
    expect(words(code).proved).toMatch(
      /^Checked up to 2:05\sPM, with about 17 minutes of work shown above\. Nothing newer counts\.$/,
    );
  });

  test("that shows no work loses nothing of what it showed", () => {
    const { title, proved, isContradiction } = words("evidence/not-shown");
    expect([title, isContradiction]).toEqual(["This node does not show its work", false]);
    expect(proved).toMatch(/^What was checked stays: up to 2:05\sPM, with about 17 minutes/);
  });

  test.each([
    ["evidence/other-page", "Another node tells of the same blocks otherwise"],
    ["evidence/behind-other", "Another node knows later blocks than this one"],
  ] as const)("%s: is another node's word, so nothing is lost", (code, told) => {
    const { title, proved, isContradiction } = words(code);
    expect([title, isContradiction]).toEqual([told, false]);
    expect(proved).toMatch(/^What was checked stays/);
  });

  test("that shows nothing new is told with the time of its newest block", () => {
    const { title, isContradiction } = words("evidence/stale-tip");
    expect(title).toMatch(/^This node's newest block is from 2:06\sPM$/);
    expect(isContradiction).toBe(false);
  });

  test("whose work has no measure is told so, and no other node is named as a way out", () => {
    const unmeasured: ShownBlock = { ...last, backing: { kind: "unmeasured" } };
    const { title, proved, isContradiction, isOfNode } = words("evidence/unknown-work", unmeasured);
    expect(title).toBe("This program knows no work of this network yet");
    expect(proved).toMatch(/^What was checked stays: up to 2:05\sPM\.$/);
    expect([isContradiction, isOfNode]).toEqual([false, false]);
    expect(words("evidence/stale-tip").isOfNode).toBe(true);
  });

  test("has words where nothing was proved, no work is asked for, or the block is forgotten", () => {
    expect(words("evidence/other-notes", null).proved).toBe(
      "Nothing was checked yet, so nothing counts.",
    );
    expect(words("evidence/not-shown", null).proved).toBe("Nothing was checked yet.");
    const free: ShownBlock = { ...last, backing: { kind: "no-work" } };
    expect(words("evidence/other-notes", free).proved).toMatch(/^Checked up to 2:05\sPM\./);
    expect(words("evidence/other-notes", { ...last, timestamp: null }).proved).toMatch(
      /^Checked up to block 1,234, with/,
    );
  });

  test("has words for every code of evidence", () => {
    const isOfEvidence = (code: string): code is Code =>
      code in CODE_FIELDS && code.startsWith("evidence/");
    const known = Object.keys(CODE_FIELDS).filter(isOfEvidence);
    expect(known.length).toBeGreaterThan(15);
    for (const code of known) expect(words(code).title).not.toBe("");
  });

  test("is none where nothing was found", () => {
    expect(doubtTexts({ doubt: null, last }, { asOfMs: 0n, nowMs: NOW_MS })).toBeNull();
  });
});

test("a sum that only a liar tells is not being looked for", () => {
  const text = (code: Code | null) =>
    unknownText({ doubt: code === null ? null : { code, data: {} } });
  expect(text("evidence/other-coins")).toBe("Not known from this node");
  expect([text(null), text("evidence/not-shown")]).toEqual(["Finding your coins…", text(null)]);
});

describe("the one notice", () => {
  const lie = { code: "evidence/other-notes", data: {} } as const;
  const unshown = { code: "evidence/not-shown", data: {} } as const;
  const healed = { code: "wallet/false-record", data: {} } as const;
  const elsewhere = { code: "wallet/node-wrong-network", data: {} } as const;

  test.each([
    ["a lie", lie, null, true],
    ["a lie, rather than what follows from it", lie, healed, true],
    ["another network, whatever a node before was found at", lie, elsewhere, false],
    ["missing work", unshown, null, true],
    ["what a scan heals, rather than missing work", unshown, healed, false],
    ["nothing in doubt", null, healed, false],
  ])("is about %s", (_, doubt, problem, shows) => {
    expect(showsDoubt({ evidence: { doubt }, problem })).toBe(shows);
  });
});

describe("what was checked", () => {
  test("is the most work that was shown, and the block below it", () => {
    const near: ShownBlock = { ...last, chainIndex: asChainIndex(2_000n) };
    expect(checkedText({ far: last, near })).toBe(
      "Shown: about 17 minutes of work above block 1,234",
    );
    expect(checkedText({ far: null, near: { ...near, backing: { kind: "no-work" } } })).toBe(
      "Checked up to block 2,000; this network proves nothing",
    );
    expect(checkedText({ far: null, near: null })).toMatch(/^Not checked yet/);
  });
});
