/** A process killed while it adds tills and signs them in: what it said is there, and there is no half till. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { DeskHost } from "@svc/node-server/gateway/testkit/deskHost.ts";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { hashToken } from "@svc/shared/gateway/till/tillCookie.ts";
import { killsOf, reportKills } from "../../testkit/killCount.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";

const KILLS = killsOf({ reduced: 3, full: 30 });
/** Lines that a process says at most before it is killed. */
const LINES = 4;
const WRITER = fileURLToPath(new URL("tillWriter.ts", import.meta.url));

/** Starts a process and kills it when it has said so many lines; returns all that it said. */
async function killedAfter(folder: string, lines: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [WRITER, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (said.length === lines) child.kill("SIGKILL");
  }
  const [, signal] = await exited;
  expect(signal).toBe("SIGKILL");
  return said;
}

it("tills that were added and signed in are so after a kill, and each till there is signs in", async () => {
  const random = seededRandom("till kills");
  const folder = folderOfTest();
  const said: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    said.push(...(await killedAfter(folder, 1 + random.below(LINES))));
  }
  const host = await DeskHost.open(folder);
  try {
    expect(host.store.flaws()).toEqual([]);
    const there = host.access.tills.all().map(({ name }) => name);
    for (const line of said) {
      const [word, what = ""] = line.split(" ");
      if (word === "added") expect(there).toContain(what);
      else {
        const token = new Secret(decodeHex(what));
        expect(await host.tills.session(await hashToken(token)), what).not.toBeNull();
      }
    }
    for (const name of there) {
      const password = new Secret(new TextEncoder().encode(`password of ${name}`));
      expect(await host.tills.signIn(name, password, null), name).not.toBeNull();
    }
  } finally {
    await host.close();
  }
  reportKills("gateway", KILLS);
});
