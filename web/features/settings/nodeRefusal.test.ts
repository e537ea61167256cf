import { expect, test } from "vitest";
import { NO_WISH, withNode } from "../../state/nodeList.ts";
import { readNodeOrigins } from "../../state/nodeOrigins.ts";
import { nodeRefusal } from "./nodeRefusal.ts";

const OWN = "http://127.0.0.1:19850";

test("a node that the build does not list is refused in words that name those it does", () => {
  const listed = { nodes: readNodeOrigins(""), own: OWN };
  expect(nodeRefusal(withNode(NO_WISH, "https://evil.example", listed), [OWN])).toBe(
    `These pages were built to talk to ${OWN} only, and the browser would stop every other request. A build for other nodes is made with SVC_NODE_ORIGINS.`,
  );
});

test("every refusal has words, and a usable node none", () => {
  const any = { nodes: readNodeOrigins("any"), own: OWN };
  const refusalOf = (text: string) => nodeRefusal(withNode(NO_WISH, text, any), null);
  expect(refusalOf("nonsense")).toContain("https://");
  expect(refusalOf("http://node.example")).toContain("HTTPS");
  expect(refusalOf(OWN)).toContain("is in the list");
  expect(nodeRefusal({ kind: "too-many" }, null)).toContain("16 nodes");
  expect(refusalOf("https://node.example")).toBeNull();
});
