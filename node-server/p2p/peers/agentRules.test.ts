import { describe, expect, it } from "vitest";
import { readAgentRules } from "./agentRules.ts";

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
