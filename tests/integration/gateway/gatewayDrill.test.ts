/** `svc gateway drill` against shops over HTTP: one that does all of it right, and some that do not. */
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { runGateway } from "@svc/node-server/app/gateway/runGateway.ts";
import { parseGateway, type GatewayDrillFlags } from "@svc/node-server/app/gateway/parseGateway.ts";
import { playDrill, runDrill } from "@svc/node-server/app/gateway/runDrill.ts";
import type { DrillRow, DrillShop } from "@svc/node-server/gateway/drill/runScenes.ts";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import { DRILL_SCENES } from "@svc/node-server/gateway/drill/drillScenes.ts";
import { core } from "../engine/engineFixture.ts";
import { DrilledShop, type ShopFault, type ShopSettings } from "./drilledShop.ts";

const API_KEY = "a key of the test shop".replaceAll(" ", "-");
const SECRET = "whsec_c2VjcmV0IG9mIHRoZSB0ZXN0IHNob3Agb2YgMzIgYg==";
const OWN = { SVC_GATEWAY_API_KEY: API_KEY, SVC_GATEWAY_WEBHOOK_SECRET: SECRET };
const BASE = ["--network=simnet", "--gateway-listen=127.0.0.1:0", "--loglevel=silent", "--json"];
const NAMES = DRILL_SCENES.map(({ name }) => name);
const NEVER = new AbortController().signal;

/** A shop that takes its settings from what the drill prints. */
async function openShop(fault: ShopFault | null) {
  const settings = Promise.withResolvers<ShopSettings>();
  const shop = await DrilledShop.open(fault, settings.promise);
  onTestFinished(() => shop.close());
  const lines: string[] = [];
  const print = (line: string): void => {
    lines.push(line);
    const gateway = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (gateway !== undefined) settings.resolve({ gateway, apiKey: API_KEY, secret: SECRET });
  };
  return { shop, print, lines };
}

function flagsOf(url: string, more: readonly string[]): GatewayDrillFlags {
  const run = parseGateway(["drill", ...BASE, `--webhook-url=${url}/hook`, ...more], {});
  if (run.command !== "drill") throw new Error("that is no drill");
  return run.flags;
}

async function drill(fault: ShopFault | null, more: readonly string[] = []) {
  const { shop, print, lines } = await openShop(fault);
  const context = { args: [], environment: OWN, print, signal: NEVER };
  const play = { context, shop: shop.drilled, settleMs: 0 };
  const status = await playDrill(flagsOf(shop.url, more), core, play);
  const [told = "", ...rest] = lines;
  const rows = rest.map((line): DrillRow => JSON.parse(line));
  return {
    shop,
    status,
    told,
    rows,
    failed: rows.filter(({ pass }) => !pass).map((row) => row.scene),
  };
}

it("a good shop passes every scene of a drill", async () => {
  const { shop, status, told, rows, failed } = await drill(null);
  expect(failed).toEqual([]);
  expect(rows.map(({ scene }) => scene)).toEqual(NAMES);
  expect(status).toBe(0);
  // What the environment gives is not printed.
  expect(told).not.toContain(API_KEY);
  expect(told).not.toContain(SECRET);
  const seen = rows.map(({ checks }) => checks.map((check) => `${check.when}: ${check.seen}`));
  expect(seen[0]).toEqual(["paid: 0", "confirmed: 1", "at the end: 1"]);
  // The first try failed, and those 10 s, 1 min, 5 min and 30 min after the one before.
  const tries = rows.map(({ scene, orderId }) => [scene, shop.triesOf.get(orderId ?? "")]);
  expect(Object.fromEntries(tries)).toMatchObject({ paid: 1, "webhook-down": 6, late: undefined });
});

describe("a drill finds a shop that", () => {
  it.each([
    ["hands over for a part", "at-partial", ["partial"]],
    ["hands over at paid", "at-paid", ["paid", "reorg"]],
    ["hands over for what comes too late", "at-paid-late", ["late"]],
    ["checks no signature", "no-signature", ["forged"]],
    ["checks no time of a signature", "no-time", ["forged"]],
    ["hands over at each delivery", "each-delivery", ["double"]],
    [
      "answers 200 and does nothing",
      "does-nothing",
      ["paid", "partial", "overpaid", "reorg", "double", "webhook-down", "forged"],
    ],
  ] as const)("%s, in the right rows and only there", async (_what, fault, wrong) => {
    const { status, failed } = await drill(fault);
    expect(failed).toEqual(wrong);
    expect(status).toBe(1);
  });
});

describe("a drill", () => {
  it("runs the commands that place an order and count the goods, and prints how each scene ended and the pass table", async () => {
    const { shop, print, lines } = await openShop(null);
    const script = (what: string) => `"$NODE" -e '${what}'`;
    const order = script('fetch(process.env.SHOP + "/order", {method: "POST"})');
    const counted = script(
      'fetch(process.env.SHOP + "/handed-over/" + process.env.SVC_DRILL_ORDER).then((r) => r.text()).then(console.log)',
    );
    const args = [
      ...["drill", ...BASE.slice(0, -1), `--webhook-url=${shop.url}/hook`],
      ...["--scene=overpaid", "--scene=double"],
      ...[`--order-command=${order}`, `--handed-over-command=${counted}`],
    ];
    const environment = { ...OWN, NODE: process.execPath, SHOP: shop.url };
    const programs = { serve: never, scan: never, drill: runDrill };
    const context = { args, environment, print, signal: NEVER };
    expect(await runGateway(context, programs)).toBe(0);
    expect(lines.slice(-7)).toEqual([
      "pass  overpaid",
      "pass  double",
      "scene     when        expected  seen",
      "overpaid  overpaid    1         1",
      "          at the end  1         1     pass",
      "double    twice       1         1",
      "          at the end  1         1     pass",
    ]);
  });

  it("prints a key and a secret once where the environment has none", async () => {
    const settings = Promise.withResolvers<ShopSettings>();
    const shop = await DrilledShop.open(null, settings.promise);
    onTestFinished(() => shop.close());
    const lines: string[] = [];
    const print = (line: string): void => {
      lines.push(line);
      const { gateway, apiKey, webhookSecret: secret } = JSON.parse(line);
      if (gateway !== undefined) settings.resolve({ gateway, apiKey, secret });
    };
    const context = { args: [], environment: {}, print, signal: NEVER };
    const play = { context, shop: shop.drilled, settleMs: 0 };
    expect(await playDrill(flagsOf(shop.url, ["--scene=paid"]), core, play)).toBe(0);
    const { apiKey, secret } = await settings.promise;
    for (const text of [apiKey, secret]) expect(lines.join("\n").split(text)).toHaveLength(2);
  });

  it("waits for a shop that hands over behind its answer", async () => {
    const { shop, print, lines } = await openShop(null);
    const { handedOver } = shop.drilled;
    let asked = 0;
    const slow: DrillShop = {
      ...shop.drilled,
      handedOver: async (...call) => ((asked += 1) === 1 ? 0 : handedOver(...call)),
    };
    const context = { args: [], environment: OWN, print, signal: NEVER };
    const play = { context, shop: slow, settleMs: 60_000 };
    expect(await playDrill(flagsOf(shop.url, ["--scene=overpaid"]), core, play)).toBe(0);
    expect(asked).toBe(3);
    expect(lines).toHaveLength(2);
  });

  it("waits for goods that leave too early behind an answer", async () => {
    const { shop, print, lines } = await openShop(null);
    const seen = [0, 0, 1];
    const early: DrillShop = { ...shop.drilled, handedOver: async () => seen.shift() ?? 1 };
    const context = { args: [], environment: OWN, print, signal: NEVER };
    const play = { context, shop: early, settleMs: 60_000 };
    expect(await playDrill(flagsOf(shop.url, ["--scene=paid"]), core, play)).toBe(1);
    expect(lines.at(-1)).toContain('"expected":"0","seen":"1","when":"paid"');
  });

  it("sees goods that leave after their scene", async () => {
    const { shop, print, lines } = await openShop(null);
    const late: DrillShop = {
      ...shop.drilled,
      handedOver: async (_order, when) => (when === "at the end" ? 1 : 0),
    };
    const context = { args: [], environment: OWN, print, signal: NEVER };
    const play = { context, shop: late, settleMs: 0 };
    expect(await playDrill(flagsOf(shop.url, ["--scene=expired"]), core, play)).toBe(1);
    expect(lines.at(-1)).toContain('"pass":false');
  });

  it("ends at once while a shop leaves a webhook without an answer", async () => {
    const { shop, print } = await openShop(null);
    const life = new AbortController();
    const silent = createServer(() => life.abort());
    onTestFinished(() => silent.closeAllConnections());
    const url = `http://127.0.0.1:${await listenLocally(silent)}`;
    const context = { args: [], environment: OWN, print, signal: life.signal };
    const play = { context, shop: shop.drilled, settleMs: 0 };
    expect(await playDrill(flagsOf(url, []), core, play)).toBe(1);
  });

  it("is refused on mainnet, without a webhook, and for a scene that there is not", async () => {
    const bad = { code: "node/bad-option" };
    const { shop, print } = await openShop(null);
    const context = { args: [], environment: OWN, print, signal: NEVER };
    const play = { context, shop: shop.drilled, settleMs: 0 };
    const flags = { ...flagsOf(shop.url, []), network: { name: "mainnet" } };
    await expect(playDrill(flags, core, play)).rejects.toMatchObject(bad);
    expect(() => parseGateway(["drill"], {})).toThrow(expect.objectContaining(bad));
    const odd = ["drill", "--webhook-url=http://127.0.0.1:1/", "--scene=none"];
    expect(() => parseGateway(odd, {})).toThrow(expect.objectContaining(bad));
  });

  it("ends at once when its person ends it, and leaves nothing behind", async () => {
    const { shop, print } = await openShop(null);
    const life = new AbortController();
    const before = drillFolders();
    const waiting = {
      ...shop.drilled,
      ordersItself: false,
      order: async () => life.abort(),
    };
    const context = { args: [], environment: OWN, print, signal: life.signal };
    const play = { context, shop: waiting, settleMs: 0 };
    expect(await playDrill(flagsOf(shop.url, []), core, play)).toBe(1);
    expect(drillFolders()).toEqual(before);
  });

  it("ends where a command of its operator fails, prints no number, or prints without an end", async () => {
    for (const command of ["exit 3", "echo many", "yes"]) {
      const { shop, print } = await openShop(null);
      const order = `"${process.execPath}" -e 'fetch("${shop.url}/order", {method: "POST"})'`;
      const args = [
        ...["drill", ...BASE, `--webhook-url=${shop.url}/hook`, "--scene=expired"],
        ...[`--order-command=${order}`, `--handed-over-command=${command}`],
      ];
      const context = { args, environment: OWN, print, signal: NEVER };
      const programs = { serve: never, scan: never, drill: runDrill };
      await expect(runGateway(context, programs)).rejects.toMatchObject({
        code: "node/bad-option",
        data: { option: "--handed-over-command" },
      });
    }
  });
});

function never(): Promise<number> {
  throw new Error("this is a drill");
}

function drillFolders(): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("svc-drill-"));
}
