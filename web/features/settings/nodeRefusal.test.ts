import { expect, test } from "vitest";
import { readNodeAddress, readNodeOrigins } from "../../state/nodeOrigins.ts";
import { nodeRefusal } from "./nodeRefusal.ts";

const OWN = "http://127.0.0.1:19850";

test("a node that the build does not list is refused in words that name those it does", () => {
  const address = readNodeAddress("https://evil.example", readNodeOrigins(""), OWN);
  expect(nodeRefusal(address, [OWN])).toBe(
    `These pages were built to talk to ${OWN} only, and the browser would stop every other request. A build for another node is made with SVC_NODE_ORIGINS.`,
  );
});

test("every refusal has words, and a usable node none", () => {
  const any = readNodeOrigins("any");
  const refusalOf = (text: string) => nodeRefusal(readNodeAddress(text, any, OWN), null);
  expect(refusalOf("nonsense")).toContain("https://");
  expect(refusalOf("http://node.example")).toContain("HTTPS");
  expect(refusalOf("https://node.example")).toBeNull();
});
