import { describe, expect, it } from "vitest";
import { agentDigest, userAgent } from "./userAgent.ts";

const DIGEST = "0123456789abcdef".repeat(4);

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
});
