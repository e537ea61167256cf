import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { asInvoiceId } from "@svc/shared/base/brand.ts";
import { drillShop } from "./drillShop.ts";

const ORDER = {
  scene: "paid",
  invoice: asInvoiceId(`inv_${"0".repeat(32)}`),
  orderId: "4711",
};
const SCENE = { name: "paid", text: "paid in full", play: async () => undefined };

function person() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const terminal = { input, output };
  const commands = { orderCommand: null, handedOverCommand: null, environment: {} };
  const life = new AbortController();
  const shop = drillShop({ ...commands, terminal });
  return { shop, input, output, life, shown: () => String(output.read() ?? "") };
}

describe("a person in a drill", () => {
  it("is told what to order, and is not waited for", async () => {
    const { shop, life, shown } = person();
    await shop.order(SCENE, life.signal);
    expect(shown()).toContain("paid: paid in full");
    expect([shop.ordersItself, shop.countsItself]).toEqual([false, false]);
  });

  it("is asked until the answer is a whole number", async () => {
    const { shop, input, life, output } = person();
    const [answers, questions] = [["", "one", "-1", "9".repeat(1_000), "2"], new Array<string>()];
    output.on("data", (chunk) => {
      questions.push(String(chunk));
      input.write(`${answers.shift() ?? "3"}\n`);
    });
    expect(await shop.handedOver(ORDER, "confirmed", life.signal)).toBe(2);
    expect(questions).toHaveLength(5);
    expect(questions.at(-1)).toContain("the order 4711");
  });

  it("ends the drill by Ctrl-C, and by an end of the terminal", async () => {
    const ended = { code: "run/aborted" };
    const first = person();
    const cancelled = first.shop.handedOver(ORDER, "confirmed", first.life.signal);
    first.life.abort();
    await expect(cancelled).rejects.toMatchObject(ended);
    const second = person();
    const left = second.shop.handedOver(ORDER, "confirmed", second.life.signal);
    second.input.end();
    await expect(left).rejects.toMatchObject(ended);
  });
});
