import { describe, expect, it } from "vitest";
import { readAgentRules } from "./agentRules.ts";
import { agentDigest, isForeignProfile, userAgent } from "./userAgent.ts";

const DIGEST = "0123456789abcdef".repeat(4);

function judge(rules: readonly string[], agent: string): boolean | string {
  const read = readAgentRules(rules);
  return "wrong" in read ? read.wrong : read.takes(agent);
}

describe("rules about programs", () => {
  const agent = "/svc:1.4.0/svc:1.4.0(profile-0123456789abcdef; mine)/";

  it.each([
    [[], true],
    [["allow;regex:^/svc:"], true],
    [["allow;regex:^/other:"], false],
    [["reject;regex:mine"], false],
    [["reject;regex:theirs"], true],
    [["allow;ver:svc>=1.4.0"], true],
    [["allow;ver:svc>1.4.0"], false],
    [["allow;ver:svc==1.4.0"], true],
    [["reject;ver:svc<2.0.0"], false],
    [["reject;ver:svc<=1.3.9"], true],
    [["reject;ver:other<2.0.0"], true],
    [["allow;regex:other", "allow;ver:svc<2.0.0"], true],
    [["allow;regex:svc", "reject;regex:mine"], false],
  ])("%j: %s", (rules, takes) => {
    expect(judge(rules, agent)).toBe(takes);
  });

  it.each(["allow", "allow;regex:(", "deny;regex:a", "allow;ver:svc", "allow;ver:svc>=one"])(
    "%s is none",
    (text) => expect(judge(["allow;regex:a", text], agent)).toBe(text),
  );
});

describe("the name of this program", () => {
  it("has its version, the network's digest and the operator's words", () => {
    const agent = userAgent({ version: "1.4.0", digest: DIGEST, comments: ["my (node); x\n"] });
    expect(agent).toBe("/svc:1.4.0/svc:1.4.0(profile-0123456789abcdef; my node x)/");
    expect(agentDigest(agent)).toBe("0123456789abcdef");
  });

  it("is cut", () => {
    const comments = ["a".repeat(300)];
    expect(userAgent({ version: "1.4.0", digest: DIGEST, comments })).toHaveLength(256);
  });

  it("tells a network of another digest", () => {
    const agent = userAgent({ version: "1.4.0", digest: DIGEST, comments: [] });
    expect(isForeignProfile(agent, DIGEST)).toBe(false);
    expect(isForeignProfile(agent, "f".repeat(64))).toBe(true);
    expect(isForeignProfile("/other:1.0.0/", DIGEST)).toBe(false);
  });
});
