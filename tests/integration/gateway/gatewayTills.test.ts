/** Tills of `svc gateway` as an operator has them: by commands, while the gateway runs over its own server. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { runDrill } from "@svc/node-server/app/gateway/runDrill.ts";
import { runGateway } from "@svc/node-server/app/gateway/runGateway.ts";
import { scanHosted } from "@svc/node-server/app/gateway/scanHosted.ts";
import { serveGateway } from "@svc/node-server/app/gateway/serveGateway.ts";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { TillCaller } from "../../gateway/tillCaller.ts";
import { svcCommand } from "../../testkit/svcCommand.ts";
import { core } from "../engine/engineFixture.ts";

const run = promisify(execFile);
const PASSWORD = "correct horse battery";
const NO_SESSION = [401, "gateway/no-session"];
const MERCHANT_SEED = new Uint8Array(32).fill(33);
/** Nothing listens there: a gateway serves before its node answers. */
const NO_NODE = "--rpc-server=127.0.0.1:1";

/** An operator at a folder. */
class Operator {
  readonly #place: readonly string[];

  constructor(folder: string) {
    this.#place = ["--network=simnet", `--gateway-dir=${folder}`];
  }

  /** Runs a command in a process of its own; returns what it printed. Rejects where it fails. */
  async command(args: readonly string[], password?: string): Promise<string> {
    const [program, ...rest] = svcCommand(["gateway", ...args, ...this.#place]);
    const own = password === undefined ? {} : { SVC_TILL_PASSWORD: password };
    const { stdout } = await run(program, rest, { env: { ...process.env, ...own } });
    return stdout.trim();
  }

  /** Starts the gateway, which ends with the test; resolves to where it is. */
  serve(): Promise<string> {
    const life = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const print = (line: string): void => {
      const address = /^API +(http:\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    };
    const options = [NO_NODE, "--gateway-listen=127.0.0.1:0", "--loglevel=silent"];
    const args = [...options, "--rate=EUR=8.00", ...this.#place];
    const context = { args, environment: {}, print, signal: life.signal };
    const programs = { serve: serveGateway, scan: scanHosted, drill: runDrill };
    const running = runGateway(context, programs).catch(reject);
    onTestFinished(async () => {
      life.abort();
      await running;
    });
    return promise;
  }
}

it("tills are added, given another password and removed by commands, while the gateway runs", async () => {
  const folder = folderOfTest();
  const operator = new Operator(join(folder, "gateway"));
  const keyFile = join(folder, "key");
  writeFileSync(keyFile, encodeHex(callCore(() => core.fullViewingKey(MERCHANT_SEED))));
  await operator.command(["merchants", "add", "shop", `--viewing-key-file=${keyFile}`]);
  const url = await operator.serve();
  const till = new TillCaller({ fetch: (path, init) => fetch(`${url}${path}`, init) });
  const login = { till: "counter", password: PASSWORD };
  expect((await till.signIn(login)).status).toBe(401);

  const add = ["pos", "add", "shop", "counter", "--currency=EUR", "--time-zone=UTC", "--tip=7"];
  await operator.command(add, PASSWORD);
  expect(await operator.command(["pos", "list", "shop"])).toBe("counter  EUR  UTC  7 %");
  await expect(operator.command(add, PASSWORD)).rejects.toMatchObject({
    stderr: expect.stringContaining("there is a till of this name already"),
  });
  expect((await till.signIn(login)).status).toBe(200);
  // Over http the cookie has no prefix, which browsers take over https alone.
  expect(till.cookie).toMatch(/^svc-till=/);
  const price = { currency: "EUR", value: "8.00", tip: "0.56" };
  expect(await till.sell({ price })).toMatchObject({ amountSompi: 107_000_000n });
  expect(await (await till.ask("GET", "/pos")).text()).toContain("7\u00a0%");

  await operator.command(["pos", "password", "counter"], "another password");
  expect(await till.refusal("GET", "/pos/v1/close")).toEqual(NO_SESSION);
  expect((await till.signIn({ ...login, password: "another password" })).status).toBe(200);
  await operator.command(["pos", "remove", "counter"]);
  expect(await till.refusal("GET", "/pos/v1/close")).toEqual(NO_SESSION);
  expect(await operator.command(["pos", "list", "shop"])).toBe("");
});
