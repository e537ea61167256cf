import { expect, test } from "vitest";
import { createLog } from "../../platform/log/log.ts";
import { StopStack } from "./stopStack.ts";

test("parts stop once, newest first, whatever one of them does", async () => {
  const stopped: string[] = [];
  const stack = new StopStack(createLog("silent"));
  for (const name of ["a", "b", "c"]) {
    stack.push(name, async () => {
      stopped.push(name);
      if (name === "b") throw new Error("broken");
    });
  }
  await Promise.all([stack.run(), stack.run()]);
  expect(stopped).toEqual(["c", "b", "a"]);
});
