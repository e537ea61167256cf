import { describe, expect, it } from "vitest";
import { nodeList } from "./nodeList.ts";

describe("the nodes", () => {
  it("are names and URLs, with a token where one is asked for", () => {
    const list = nodeList({
      SVC_NODES: "first=https://a.example/node/, second=http://127.0.0.1:9000",
      SVC_NODE_TOKENS: "first:a-token",
    });
    expect(list.map(({ name, url }) => [name, url])).toEqual([
      ["first", "https://a.example/node"],
      ["second", "http://127.0.0.1:9000"],
    ]);
    expect(list.map(({ token }) => String(token))).toEqual(["[secret]", "null"]);
  });

  it.each([
    ["", ""],
    ["https://a.example", ""],
    ["a=http://a.example", ""],
    ["a=ftp://a.example", ""],
    ["a=https://u:p@a.example", ""],
    ["a=https://a.example?x=1", ""],
    ["a=https://a.example,a=https://b.example", ""],
    [Array.from({ length: 9 }, (_, at) => `n${at}=https://a.example`).join(","), ""],
    ["a=https://a.example", "b:token"],
    ["a=https://a.example", "a:top secret"],
    ["a=https://a.example", "a:one,a:two"],
  ])("%j with tokens %j are refused, and no token is repeated", (nodes, tokens) => {
    let refusal = "";
    try {
      nodeList({ SVC_NODES: nodes, SVC_NODE_TOKENS: tokens });
    } catch (thrown) {
      refusal = String(thrown);
    }
    expect(refusal).toMatch(/node\/bad-option/);
    for (const word of ["secret", "one", "token"]) expect(refusal).not.toContain(`:${word}`);
  });
});
