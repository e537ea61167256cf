/**
 * The README's section about payments from a server, run as it stands there: the daemon beside a private network, then its lines in
 * their order, at other ports and in another folder.
 */
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";
import { untilSo } from "../testkit/nodeProcess.ts";
import { ProgramRun } from "../testkit/programRun.ts";
import {
  answered,
  atAddress,
  mineTo,
  readmeLines,
  shell,
  startNetwork,
} from "../testkit/writtenCalls.ts";

const SECTION = "Accept and send payments from your server";
const TOKEN_LINE = /^TOKEN=/;

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** The program of the section's first line, beside a network. */
async function startBoth(command: string) {
  const { network, http, grpc } = await startNetwork(folder.path);
  const [npx, svc, ...args] = command.split(" ");
  expect([npx, svc, args[0]]).toEqual(["npx", "svc", "walletd"]);
  const daemon = ProgramRun.svc([
    ...args,
    ...["--rpc-server", grpc, "--listen", "127.0.0.1:0"],
    ...["--wallet-dir", join(folder.path, "wallets")],
  ]);
  const [, address = ""] = await daemon.text(/^wallet API +(\S+)/m);
  return { network, daemon, http, address };
}

test("a server accepts and sends payments by the lines of the README", async () => {
  const [command = "", ...lines] = readmeLines(SECTION);
  const { network, daemon, http, address } = await startBoth(command);
  const token = lines.find((line) => TOKEN_LINE.test(line)) ?? "";
  const calls = lines.filter((line) => line.startsWith("curl "));
  expect([calls.length, lines.length]).toEqual([5, 6]);
  const [create, own, events, status, send] = calls.map((line) => atAddress(line, address));

  const TOKEN = (await shell(`${token}; echo "$TOKEN"`, {})).trim();
  expect(TOKEN).toMatch(/^[0-9a-f]{32}$/);
  const made = await answered(create, { TOKEN });
  expect(made).toMatchObject({
    network: "simnet",
    seed_hex: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  const paid = (await answered(own, { TOKEN }))["address"];
  expect(paid).not.toBe(made["address"]);
  // The miner stands for the customer.
  await mineTo(http, paid);
  await untilSo(async () => {
    const feed = JSON.stringify(await answered(events, { TOKEN }));
    return feed.includes('"kind":"credited"') && feed.includes('"kind":"final"');
  }, PATIENCE_MS);
  const feed = await answered(events, { TOKEN });
  expect(feed["events"]).toContainEqual(expect.objectContaining({ recipient: paid }));

  await untilSo(async () => {
    const { spend_ready: isReady, spendable_sompi: spendable } = await answered(status, { TOKEN });
    return isReady === true && BigInt(String(spendable)) > 200_000_000n;
  }, PATIENCE_MS);
  const PAYEE = String(made["address"]);
  const sent = await answered(send, { TOKEN, PAYEE });
  expect(sent).toMatchObject({ amount_sompi: "150000000", tx_count: 1 });
  expect(await answered(send, { TOKEN, PAYEE })).toEqual(sent);

  for (const program of [daemon, network]) {
    program.send("SIGTERM");
    expect((await program.ended()).status).toBe(0);
  }
});
