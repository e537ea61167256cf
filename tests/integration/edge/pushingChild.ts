/**
 * A scanner that `hostedKills.test.ts` kills: `pushingChild.ts FOLDER URL PAYMENTS SECRET-FILE`. It writes a block with a payment after
 * the other, from the one on that its database had come to, and tells them to the hosted gateway, until somebody ends it.
 */
import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { FactOutbox } from "@svc/node-server/gateway/hosted/factOutbox.ts";
import { FactSender } from "@svc/node-server/gateway/hosted/factSender.ts";
import { OutboxStore } from "@svc/node-server/gateway/hosted/outboxStore.ts";
import { stepTo } from "@svc/node-server/gateway/testkit/scannedChain.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { Secret } from "@svc/shared/base/secret.ts";

const [, , folder = "", url = "", payments = "", secretFile = ""] = process.argv;
const store = await OutboxStore.open(folder);
const outbox = new FactOutbox({ store, scanner: "scanner", clock: systemClock });
const secret = new Secret(readFileSync(secretFile));
const [log, clock] = [createLog("silent"), systemClock];
new FactSender({ url, secret, clock, log, outbox, onLow: () => undefined }).start();
const never = new AbortController().signal;
const reached = store.view.blocks().at(-1)?.chainIndex ?? 0n;
for (let number = Number(reached) + 1; number <= Number(payments); number += 1) {
  await outbox.room(never);
  outbox.takeStep(stepTo(number, [number]), 100);
  await setImmediate();
}
