/** A process of the kill test of tills: adds tills and signs them in, and says so of each, until it is killed. */
import { randomBytes } from "node:crypto";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { DeskHost } from "@svc/node-server/gateway/testkit/deskHost.ts";
import { TillDesk } from "@svc/node-server/gateway/desk/tillDesk.ts";

const [folder = ""] = process.argv.slice(2);
const host = await DeskHost.open(folder);
const { access, store } = host;
const clock = { nowMs: () => host.nowMs() };
// The tokens of one process are not those of another.
const desk = new TillDesk({ access, store, clock, randomBytes });
const run = encodeHex(randomBytes(4));

for (let count = 0; ; count += 1) {
  const name = `till-${run}-${count}`;
  const password = `password of ${name}`;
  await host.addTill("shop", name, password);
  process.stdout.write(`added ${name}\n`);
  const opened = await desk.signIn(name, new Secret(new TextEncoder().encode(password)), null);
  if (opened === null) throw new TypeError("a till that was added does not sign in");
  process.stdout.write(`opened ${opened.token.reveal((bytes) => encodeHex(bytes))}\n`);
}
