import { expect, test } from "vitest";
import { Keyring } from "./keyring.ts";
import { keyringCalls } from "./keyringCalls.ts";

test("the wallet worker's door opens once", () => {
  const opened: MessagePort[] = [];
  const calls = keyringCalls(new Keyring(null, () => 0), (_, port) => void opened.push(port));
  const [first, second] = [new MessageChannel(), new MessageChannel()];
  calls.connect(first.port1);
  expect(() => calls.connect(second.port1)).toThrow("the keyring has its wallet");
  expect(opened).toEqual([first.port1]);
  for (const { port1, port2 } of [first, second]) {
    port1.close();
    port2.close();
  }
});
