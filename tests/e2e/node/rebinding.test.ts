/**
 * Pages of strangers in a real browser that try to use a node on the visitor's machine: one under a name that was bound to
 * this machine's address (DNS rebinding), and one of another origin.
 */
import { createServer, type Server } from "node:http";
import { connect, createServer as createNetServer, type Server as NetServer } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import { launchBrowser } from "../testkit/browser.ts";
import { LocalNode } from "../testkit/localNode.ts";

const NAME = "evil.test";
const PAGE = "<!doctype html><title>a stranger</title>";

let node: LocalNode;
let browser: Browser;
let stranger: Server;
let strangerPort: number;
/** Where the name leads: to the stranger at first, and then to the node. */
let name: NetServer;
let namePort: number;
let leadsTo: number;

beforeAll(async () => {
  node = await LocalNode.create();
  await node.start();
  browser = await launchBrowser([`--host-resolver-rules=MAP ${NAME} 127.0.0.1`]);
  stranger = createServer((_, response) => {
    response.setHeader("Connection", "close");
    response.setHeader("Content-Type", "text/html").end(PAGE);
  });
  strangerPort = await listenLocally(stranger);
  leadsTo = strangerPort;
  name = createNetServer((socket) => {
    const onward = connect(leadsTo, "127.0.0.1");
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) end.on("error", () => end.destroy());
  });
  namePort = await listenLocally(name);
});
afterAll(async () => {
  await browser.close();
  for (const server of [name, stranger]) server.close();
  await node.dispose();
});

/** What a page got from a server: texts of answers that it could read, and whether a live connection opened. */
type Loot = {
  readonly read: string[];
  readonly statuses: number[];
  readonly isLive: boolean;
};

/** Asks from within a page for everything that a node has. */
function rob(page: Page, base: string): Promise<Loot> {
  return page.evaluate(async (at) => {
    const read: string[] = [];
    const statuses: number[] = [];
    const json = { "Content-Type": "application/json" };
    const asked: [string, RequestInit][] = [
      ["/v1/tip", {}],
      ["/v1/mempool", {}],
      ["/v1/tx", { method: "POST", body: "x" }],
      ["/local/mine", {}],
      ["/local/mine", { method: "POST", headers: json, body: '{"address":"x"}' }],
    ];
    for (const [path, init] of asked) {
      try {
        const response = await fetch(at + path, init);
        statuses.push(response.status);
        const text = await response.text();
        if (response.ok) read.push(text);
      } catch {
        statuses.push(0);
      }
    }
    const live = (target: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = new WebSocket(at.replace("http", "ws") + target);
        socket.addEventListener("open", () => resolve(true));
        socket.addEventListener("error", () => resolve(false));
      });
    const opened = [await live("/v1/live"), await live("//")];
    return { read, statuses, isLive: opened.includes(true) };
  }, base);
}

async function expectUntouched(): Promise<void> {
  const tip = await fetch(`${node.url}/v1/tip`);
  expect(tip.status).toBe(200);
  const page = await browser.newPage();
  await page.goto(`${node.url}/explorer/`);
  const own = await rob(page, node.url);
  // The same questions of the node's own page are answered: the test above could have got something.
  expect(own.isLive).toBe(true);
  expect(own.read.length).toBe(3);
  await page.close();
}

test("a rebinding page: a name bound to this machine's address gets nothing from its node", async () => {
  const base = `http://${NAME}:${namePort}`;
  const page = await browser.newPage();
  await page.goto(base);
  // The page is there; now its owner binds the name to the visitor's machine.
  leadsTo = Number(new URL(node.url).port);
  expect(await rob(page, base)).toEqual({
    read: [],
    statuses: [421, 421, 421, 421, 421],
    isLive: false,
  });
  await page.close();
  await expectUntouched();
});

test("a page of another origin gets nothing from a node on the visitor's machine", async () => {
  const page = await browser.newPage();
  await page.goto(`http://${NAME}:${strangerPort}/`);
  expect(await rob(page, node.url)).toEqual({ read: [], statuses: [0, 0, 0, 0, 0], isLive: false });
  // Nor by requests whose answers it may not read.
  const sent = await page
    .evaluate(async (base) => {
      const init: RequestInit = { mode: "no-cors", method: "POST", body: "x" };
      return (await fetch(`${base}/v1/tx`, init)).type;
    }, node.url)
    .catch(() => "refused");
  expect(["opaque", "refused"]).toContain(sent);
  await page.close();
  await expectUntouched();
});
