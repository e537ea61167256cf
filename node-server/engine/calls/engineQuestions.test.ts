import { expect, test } from "vitest";
import { fakeTip } from "../../rpc/testkit/fakeNode.ts";
import { isAnswerTo, readAnswer, takeQuestion } from "./engineQuestions.ts";

const HASH = "ab".repeat(32);

test("an answer is read as its row says, and none stays none", () => {
  expect(readAnswer("tip", fakeTip(7)).chainIndex).toBe(7n);
  expect(readAnswer("chainHashAt", HASH)).toBe(HASH);
  expect(readAnswer("blockStage", "pruned")).toBe("pruned");
  expect(readAnswer("chainIndexOf", 3n)).toBe(3n);
  expect(readAnswer("chainHashAt", undefined)).toBeUndefined();
  expect(readAnswer("blockFacts", undefined)).toBeUndefined();
});

test.each([
  () => readAnswer("tip", "{}"),
  () => readAnswer("tip", "no JSON"),
  () => readAnswer("chainHashAt", "ab"),
  () => readAnswer("blockStage", "half"),
  () => readAnswer("ancestry", ""),
])("an answer of another content is refused", (read) => {
  expect(read).toThrow("codec/bad-json");
});

test("an answer has one of the forms of its question", () => {
  expect(isAnswerTo("tip", "{}")).toBe(true);
  expect(isAnswerTo("tip", undefined)).toBe(false);
  expect(isAnswerTo("chainIndexOf", 1n)).toBe(true);
  expect(isAnswerTo("chainIndexOf", "1")).toBe(false);
  expect(isAnswerTo("records", new Uint8Array(1))).toBe(true);
});

test("what is no question is not called", () => {
  const core = { free: () => 1 };
  const call = (name: string) => () => Reflect.apply(takeQuestion, null, [core, name, []]);
  expect(call("free")).toThrow("engine/bad-call");
  expect(call("tip")).toThrow("engine/bad-call");
});
