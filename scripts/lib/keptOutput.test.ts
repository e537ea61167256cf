import { expect, it } from "vitest";
import { KeptOutput } from "./keptOutput.ts";

it("keeps a character whose bytes come in two chunks", () => {
  const output = new KeptOutput();
  const bytes = new TextEncoder().encode("✓ ok");
  output.show(bytes.subarray(0, 2));
  output.show(bytes.subarray(2));
  output.show("\n");
  expect(output.text).toBe("✓ ok\n");
});
