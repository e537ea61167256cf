import { describe, expect, it } from "vitest";
import { readReceiptFacts } from "@svc/shared/protocol/facts/receiptFacts.ts";
import { receiptJson, receiptLines } from "./receiptLines.ts";

const HASH = "ab".repeat(32);
const NETWORK = { asksForWork: true, targetTimePerBlockMs: 1_000n };
const told = {
  grade: "work",
  recipient: "01".repeat(43),
  value: "123450000000",
  position: 7,
  block: HASH,
  blueScore: "1000",
  time: "1800000000000",
  depth: "600",
  header: HASH,
  bits: 0x1d00_ffff,
  headerTime: "1800000600000",
  work: "ff",
  blocks: "4096",
  challenge: null,
  disclosure: null,
};
const factsOf = (over: Record<string, unknown> = {}) =>
  readReceiptFacts(JSON.stringify({ ...told, ...over }));
const lines = (over: Record<string, unknown> = {}, network = NETWORK): string =>
  receiptLines(factsOf(over), "svc:bob", network).join("\n");

describe("what a receipt shows", () => {
  it("says what it costs to forge one that stands by itself", () => {
    const text = lines();
    expect(text).toContain("2027-01-15T08:00:00.000Z, as the miner of the block told it");
    expect(text).toContain(
      "a forger needs 255 hashes, about 68 minutes of the whole network's work, on average",
    );
    expect(text).toContain(
      "a miner with 5 % of the network makes such a header in about 23 hours on average, and within one day with a chance of 65.2 %",
    );
    // The difficulty that the header claims is a forger's choice, so it gives no time.
    expect(lines({ blocks: null })).toContain("a forger needs 255 hashes on average");
    expect(lines({ blocks: null })).toContain(
      "measure      none: this program knows no work of this network",
    );
    expect(lines({ blocks: "100000000" })).toContain("in about 23148 days on average");
    expect(lines({ blocks: "100000000" })).toContain("a chance of less than 0.1 %");
  });

  it("says that a receipt under a tip stands on the headers that were shown, and what these cost", () => {
    const text = lines({ grade: "chain", blocks: "90" });
    expect(text).toContain(
      "a forger needs at least 255 hashes, about 90 seconds of the whole network's work, to make them",
    );
    expect(text).not.toContain("luck");
    expect(lines({ grade: "chain", blocks: null })).toContain("measure      none");
  });

  it("warns of a header that stands too near to be sure of its branch", () => {
    expect(lines()).not.toContain("branch");
    const near = lines({ depth: "3" });
    expect(near).toContain("only 3 chain blocks below that header: its branch may have been left");
    expect(lines({ depth: "3", grade: "chain" })).not.toContain("branch");
  });

  it("does not say more than it knows", () => {
    const text = lines({ time: null, blueScore: null }, { ...NETWORK, asksForWork: false });
    expect(text).toMatch(/blue score +not shown\ntime +not shown/);
    expect(text).toContain("nothing: this network proves nothing");
    expect(lines({ time: "18446744073709551615" })).toContain("18446744073709551615, as the miner");
  });

  it("shows foreign texts so that they move no cursor", () => {
    const challenge = { text: "\u001b[2Jorder", isAnswered: false };
    const memo = Buffer.from("\u001b[2Jhello").toString("hex");
    const disclosure = { txid: HASH, index: 1, memo, spent: "5" };
    const text = lines({ challenge, disclosure });
    expect(text).not.toContain("\u001b");
    expect(text).toMatch(/order" \(not signed[^]*hello[^]*a note of 5 sompi/);
    expect(lines({ challenge: { text: "x", isAnswered: true } })).toContain("signed by the payee");
  });

  it("is one line for programs, with numbers as decimal text", () => {
    const answer: unknown = JSON.parse(receiptJson(factsOf(), "svc:bob"));
    expect(answer).toMatchObject({ address: "svc:bob", value: "123450000000", blocks: "4096" });
  });
});
