/** Test code under the architecture rules of clocks and bounds: its files, and its parts that run at the full size alone. */
import { isTest, isTypescript } from "./sourceTree.ts";
import { isNode, nodeName, type Node } from "./typescriptFile.ts";

/** Speed is what these measure. */
const BENCH = "tests/bench/";
/** True at the size that runs by name alone. */
export const FULL = "IS_FULL";

/** Whether a file is test code under the rules of clocks and bounds. */
export function isTestCode(path: string): boolean {
  if (!isTypescript(path) || path.startsWith(BENCH)) return false;
  return path.startsWith("tests/") || isTest(path) || path.includes("/testkit/");
}

/** Part of a syntax node that runs at the full size alone: a case that is skipped at another, and a branch under a condition. */
export function fullSizeOnly(node: Node): Node | undefined {
  const { callee, test, consequent } = node;
  if (isNode(test) && nodeName(test) === FULL && isNode(consequent)) return consequent;
  if (node.type !== "CallExpression" || !isNode(callee)) return undefined;
  // `skipIf(…)(…)`, and `skipIf(…).each(…)(…)` with a call more between.
  const each = isNode(callee["callee"]) ? callee["callee"]["object"] : undefined;
  return isSkipped(callee) || (isNode(each) && isSkipped(each)) ? node : undefined;
}

/** Whether a node is `….skipIf(!IS_FULL)`. */
function isSkipped({ callee, arguments: given }: Node): boolean {
  if (!isNode(callee) || nodeName(callee["property"]) !== "skipIf" || !Array.isArray(given)) {
    return false;
  }
  const condition: unknown = given[0];
  if (!isNode(condition) || condition["operator"] !== "!") return false;
  return nodeName(condition["argument"]) === FULL;
}
