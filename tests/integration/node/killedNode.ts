/**
 * Child process of the crash test: a node that takes in the recorded chain and its payments, then goes on mining for ever,
 * and prints every acknowledgement. Argument: the data folder.
 */
import { writeSync } from "node:fs";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { fetchTip, mineOn, never, startJudgingNode } from "./nodeFixture.ts";

const [folder = ""] = process.argv.slice(2);
const fixture = readPaymentFixture();
const clock = new ManualClock(fixture.firstBlockMs);
const node = await startJudgingNode(folder, { clock, grpc: null });
const say = (line: string): number => writeSync(1, `${line}\n`);
const payScript = decodeHex(fixture.owners.carol.recipient);

async function pay(name: string): Promise<void> {
  try {
    say(`payment ${await node.api.submitTransaction(fixture.payment(name).raw, never)}`);
  } catch (thrown) {
    const known = ["mempool/duplicate", "mempool/already-applied", "tx/nullifier-spent"];
    if (!known.includes(SvcError.from(thrown).code)) throw thrown;
  }
}

const height = Number((await fetchTip(node))["chainIndex"]);
clock.advance(1000 * (fixture.trunk.length + height + 1));
for (const raw of fixture.trunk.slice(height, fixture.forkIndex)) {
  const outcome = await node.api.submitBlock(raw, never);
  say(`block ${outcome.hash}`);
}
for (const name of ["first", "plain", "waiting", "later"]) await pay(name);
for (;;) {
  clock.advance(1000);
  say(`block ${await mineOn(node, payScript)}`);
}
