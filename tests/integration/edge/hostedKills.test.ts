/** A scanner that tells a hosted gateway facts, killed between fact and acknowledgement: each fact is told, once and in its order. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ModelHosted } from "@svc/node-server/gateway/testkit/modelHosted.ts";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import { killsOf, reportKills } from "../../testkit/killCount.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { signedNow } from "../../testkit/signedNow.ts";

const KILLS = killsOf({ reduced: 12, full: 100 });
/** Batches that a scanner tells at most before it is killed. */
const MOST_TOLD = 8;
const PAYMENTS = KILLS * MOST_TOLD;
const SECRET = "what the scanner signs with";
const child = fileURLToPath(new URL("pushingChild.ts", import.meta.url));

/** What happens with the request at hand. */
type Fate = "answer" | "kill before it is applied" | "kill before it is answered";

/** The gateway, behind HTTP; `fate` decides what becomes of each request. */
async function serve(hosted: ModelHosted, fate: () => Fate, kill: () => void): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers)) {
        if (typeof value === "string") headers.set(name, value);
      }
      const what = fate();
      if (what === "kill before it is applied") return kill();
      const url = `http://localhost${request.url ?? ""}`;
      const answer = await hosted.answer(new Request(url, { method: "POST", headers, body }));
      if (what === "kill before it is answered") return kill();
      response.writeHead(answer.status).end(await answer.text());
    })();
  });
  const port = await listenLocally(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${port}`;
}

test(`${KILLS} kills of a scanner lose no fact and tell none under two numbers`, async () => {
  const random = seededRandom("hosted kills");
  const hosted = new ModelHosted(SECRET, () => signedNow() * 1_000n);
  const folder = folderOfTest();
  const secretFile = join(folder, "secret");
  writeFileSync(secretFile, SECRET);
  let left = 0;
  let running: ChildProcess | null = null;
  const fate = (): Fate => {
    left -= 1;
    if (left !== 0) return "answer";
    return random.below(2) === 0 ? "kill before it is applied" : "kill before it is answered";
  };
  const url = await serve(hosted, fate, () => running?.kill("SIGKILL"));
  const begin = (): ChildProcess => {
    const args = [child, folder, url, String(PAYMENTS), secretFile];
    return spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  };
  for (let kill = 0; kill < KILLS; kill += 1) {
    left = 1 + random.below(MOST_TOLD);
    running = begin();
    expect(await once(running, "exit")).toEqual([null, "SIGKILL"]);
  }
  running = begin();
  const exited = once(running, "exit");
  await expect.poll(() => hosted.facts.length).toBe(PAYMENTS);
  running.kill("SIGKILL");
  await exited;
  expect(hosted.torn).toEqual([]);
  const told = hosted.facts.map((fact) => (fact.kind === "mined" ? fact.output.amount : 0n));
  expect(told).toEqual(Array.from({ length: PAYMENTS }, (_, at) => BigInt(at) + 2n));
  reportKills("hosted", KILLS);
});
