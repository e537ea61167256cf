/** The block graph in a browser: live and replayed, by mouse and by keyboard, and what it costs while very many blocks pass. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAG_LIMITS } from "@svc/shared/explorer/dagLimits.ts";
import { launchBrowser, openPage } from "../testkit/browser.ts";
import { FIRST_MINUTE, graphBlocks } from "@svc/web/explorer/testkit/graphBlocks.ts";
import { GraphServer } from "./graphServer.ts";
import { heapMib } from "./heapMib.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const PLAYED = 20_000;
const BLOCKS = graphBlocks(PLAYED);
const SMALL = BLOCKS.slice(0, 60);
/** More than is in sight. */
const LONG = BLOCKS.slice(0, 190);

/** For what comes with the next answers of the server. */
const PATIENT = { timeout: STEP_HANG_MS };

let browser: Browser;
let server: GraphServer;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await GraphServer.start(BLOCKS);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function open(url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ reducedMotion: "no-preference", ...options });
  await context.addInitScript(() => {
    const ask = requestAnimationFrame.bind(globalThis);
    Reflect.set(globalThis, "frames", 0);
    globalThis.requestAnimationFrame = (drawn) => {
      Reflect.set(globalThis, "frames", Number(Reflect.get(globalThis, "frames")) + 1);
      return ask(drawn);
    };
  });
  const opened = await openPage(context, url);
  await opened.page.locator(".dag").waitFor();
  return { ...opened, context };
}

const seen = async (page: Page): Promise<number> =>
  Number(await page.locator(".dag").getAttribute("data-seen"));

const stage = (page: Page) => page.locator(".dag-stage");

describe("a replay", () => {
  test("plays the minute of its address, pauses, steps, scrubs, and its address can be shared", async () => {
    const { page, watch, context } = await open(server.replay("speed=20"), {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await expect.poll(() => seen(page), PATIENT).toBeGreaterThan(20);
    await page.getByRole("button", { name: "Pause" }).click();
    const second = Number(await page.getByRole("slider").inputValue());
    const stood = await seen(page);
    await page.getByRole("button", { name: "Next block" }).click();
    await expect.poll(() => seen(page), PATIENT).toBeGreaterThan(stood);
    await page.getByRole("slider").fill("7");
    await page.getByRole("button", { name: "Copy the address" }).click();
    await page.getByText("Copied").waitFor();
    const shared = await page.evaluate(() => navigator.clipboard.readText());
    expect(shared).toBe(`${server.url}/?minute=${FIRST_MINUTE}&second=7&speed=20`);
    expect(page.url()).toBe(shared);
    expect(second).toBeGreaterThan(0);
    expect(watch.faults).toEqual([]);
    expect(watch.strangers).toEqual([]);
    await context.close();
  });

  test("hands over to live where the present begins, and keeps what it drew", async () => {
    const past = SMALL.slice(0, 20);
    // Whatever minute it is by now, and the one after it if that begins meanwhile.
    server.minute = (minute) =>
      past.map((block, at) => ({ ...block, timestamp: minute * 60_000 + at * 1_000 }));
    server.recent = [SMALL];
    const minute = Math.floor(Date.now() / 60_000) - 1;
    const { page, watch, context } = await open(`${server.url}/?minute=${minute}&speed=30`);
    await page.getByText("Replay", { exact: true }).waitFor();
    expect(server.asked.filter((path) => path.startsWith("/api/blocks/recent"))).toEqual([]);
    await page.getByText("Live", { exact: true }).waitFor();
    await expect.poll(() => seen(page), PATIENT).toBe(SMALL.length);
    server.minute = null;
    expect(watch.faults).toEqual([]);
    await context.close();
  });

  test("is left for live by a button, and the address says so", async () => {
    server.recent = [SMALL];
    const { page, context } = await open(server.replay("speed=20"));
    await page.getByText("Replay", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Back to live" }).click();
    await page.getByText("Live", { exact: true }).waitFor();
    expect(page.url()).toBe(`${server.url}/`);
    await context.close();
  });
});

describe("the graph", () => {
  test("is live without a minute, and a reorganisation moves its colours and not its blocks", async () => {
    const [tip] = SMALL.filter(({ isChainBlock }) => isChainBlock).slice(-1);
    if (tip === undefined) throw new Error("there is a tip");
    const away = SMALL.map((block) =>
      block.hash === tip.hash ? { ...block, isChainBlock: false, color: "red" as const } : block,
    );
    server.recent = [SMALL];
    const { page, watch, context } = await open(`${server.url}/`);
    await expect.poll(() => seen(page), PATIENT).toBe(SMALL.length);
    server.recent = [away];
    await page.getByRole("application").focus();
    await page.keyboard.press("End");
    await expect
      .poll(async () => {
        await page.getByLabel("Find a block").fill(tip.hash);
        await page.getByRole("button", { name: "Find" }).click();
        return page.locator(".dag-focused").innerText();
      }, PATIENT)
      .toContain("red block");
    expect(await seen(page)).toBe(SMALL.length);
    expect(watch.faults).toEqual([]);
    await context.close();
  });

  test("shows a mergeset on hover, and a click opens the block", async () => {
    server.recent = [SMALL];
    const { page, context } = await open(`${server.url}/`);
    await expect.poll(() => seen(page), PATIENT).toBe(SMALL.length);
    const box = await stage(page).boundingBox();
    if (box === null) throw new Error("the stage is seen");
    // The newest block of the chain stands in the middle row, at the margin of the right edge.
    const [x, y] = [box.x + box.width - 70, box.y + box.height / 2];
    await expect
      .poll(async () => {
        await page.mouse.move(x - 3, y);
        await page.mouse.move(x, y);
        return page.locator(".dag-focused").innerText();
      })
      .toContain("block of the chain");
    await page.mouse.click(x, y);
    await page.waitForURL(/\/blocks\/[0-9a-f]{64}$/);
    await context.close();
  });

  test("shows a mergeset at the first touch, and opens the block at the second", async () => {
    server.recent = [SMALL];
    const { page, context } = await open(`${server.url}/`, { hasTouch: true });
    await expect.poll(() => seen(page), PATIENT).toBe(SMALL.length);
    const box = await stage(page).boundingBox();
    if (box === null) throw new Error("the stage is seen");
    const [x, y] = [box.x + box.width - 70, box.y + box.height / 2];
    await expect
      .poll(async () => {
        const focused = await page.locator(".dag-focused").innerText();
        if (!focused.includes("block of the chain")) await page.touchscreen.tap(x, y);
        return focused;
      }, PATIENT)
      .toContain("block of the chain");
    expect(page.url()).toBe(`${server.url}/`);
    await page.touchscreen.tap(x, y);
    await page.waitForURL(/\/blocks\/[0-9a-f]{64}$/);
    await context.close();
  });

  test("follows the newest block until it is dragged, and again when asked to", async () => {
    server.recent = [SMALL];
    const { page, context } = await open(`${server.url}/`);
    await expect.poll(() => seen(page), PATIENT).toBe(SMALL.length);
    const follow = page.getByRole("button", { name: "Follow the newest" });
    expect(await follow.getAttribute("aria-pressed")).toBe("true");
    const box = await stage(page).boundingBox();
    await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 30);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + 400, (box?.y ?? 0) + 30, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => follow.getAttribute("aria-pressed")).toBe("false");
    await follow.click();
    await expect.poll(() => follow.getAttribute("aria-pressed")).toBe("true");
    await context.close();
  });

  test("draws with the pixels of the device and the colours of the theme", async () => {
    server.recent = [SMALL];
    const { page, context } = await open(`${server.url}/`, {
      deviceScaleFactor: 2,
      colorScheme: "dark",
    });
    await expect.poll(() => seen(page), PATIENT).toBe(SMALL.length);
    const canvas = page.locator("canvas");
    const box = await canvas.boundingBox();
    expect(await canvas.getAttribute("width")).toBe(String(Math.round((box?.width ?? 0) * 2)));
    const dark = await colours(page);
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(() => colours(page)).not.toEqual(dark);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => canvas.getAttribute("width")).not.toBe(String(box?.width));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await context.close();
  });
});

describe("the wheel", () => {
  test("scrolls the page alone, zooms with Control, and moves along the chain with Shift", async () => {
    server.recent = [LONG];
    const { page, watch, context } = await open(`${server.url}/`, {
      viewport: { width: 1_000, height: 500 },
    });
    await expect.poll(() => seen(page), PATIENT).toBe(LONG.length);
    const first = await untilStill(page);
    const box = await stage(page).boundingBox();
    if (box === null) throw new Error("the stage is seen");
    await page.mouse.move(box.x + box.width / 2, box.y + 30);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, 120);
    await expect.poll(() => chainInSight(page), PATIENT).toBeGreaterThan(first * 1.4);
    await page.mouse.wheel(0, -120);
    await expect.poll(() => chainInSight(page), PATIENT).toBe(first);
    await page.keyboard.up("Control");
    const follow = page.getByRole("button", { name: "Follow the newest" });
    expect(await follow.getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.down("Shift");
    await page.mouse.wheel(0, -200);
    await page.keyboard.up("Shift");
    await expect.poll(() => follow.getAttribute("aria-pressed"), PATIENT).toBe("false");
    const dragged = await untilStill(page);
    expect(dragged).toBeLessThan(first * 1.2);
    // Neither of them has moved the page; the wheel alone does.
    const scrolled = () => page.evaluate(() => scrollY);
    expect(await scrolled()).toBe(0);
    await page.mouse.wheel(0, 100);
    await expect.poll(scrolled, PATIENT).toBeGreaterThan(0);
    expect(await chainInSight(page)).toBe(dragged);
    expect(watch.faults).toEqual([]);
    await context.close();
  });
});

describe("two fingers", () => {
  test("pinch and spread the graph, and open and choose nothing", async () => {
    server.recent = [LONG];
    const { page, watch, context } = await open(`${server.url}/`, {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 800 },
    });
    await expect.poll(() => seen(page), PATIENT).toBe(LONG.length);
    const first = await untilStill(page);
    await stage(page).scrollIntoViewIfNeeded();
    const box = await stage(page).boundingBox();
    if (box === null) throw new Error("the stage is seen");
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await moveFingers(page, middle, [120, 60]);
    await expect.poll(() => chainInSight(page), PATIENT).toBeGreaterThan(first * 1.4);
    const narrow = await chainInSight(page);
    await moveFingers(page, middle, [60, 120]);
    await expect.poll(() => chainInSight(page), PATIENT).toBeLessThan(narrow * 0.7);
    expect(page.url()).toBe(`${server.url}/`);
    await page.getByText("spread two fingers").waitFor();
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1);
    expect(watch.faults).toEqual([]);
    await context.close();
  });
});

describe("left open", () => {
  test("draws only when something changes", async () => {
    server.recent = [SMALL];
    const { page, context } = await open(`${server.url}/`);
    await expect.poll(() => seen(page), PATIENT).toBe(SMALL.length);
    const frames = () => page.evaluate(() => Number(Reflect.get(globalThis, "frames")));
    const answers = () =>
      server.asked.filter((path) => path.startsWith("/api/blocks/recent")).length;
    // Two equal counts in a row: the view has come to rest.
    let before = -1;
    await expect
      .poll(async () => {
        const [last, now] = [before, await frames()];
        before = now;
        return now === last;
      }, PATIENT)
      .toBe(true);
    const since = answers();
    await expect.poll(answers, PATIENT).toBeGreaterThan(since + 2);
    expect(await frames()).toBe(before);
    const more = BLOCKS.slice(0, SMALL.length + 5);
    server.recent = [more];
    await expect.poll(() => seen(page), PATIENT).toBe(more.length);
    expect(await frames()).toBeGreaterThan(before);
    await context.close();
  });
});

describe("20,000 blocks", () => {
  test("pass fast in flat memory, and the last of them are drawn", async () => {
    const { page, watch, context } = await open(
      server.replay(`speed=${DAG_LIMITS.replaySpeedMost}`),
    );
    const heaps: number[] = [];
    for (const count of [5_000, 12_500, PLAYED]) {
      await expect.poll(() => seen(page)).toBeGreaterThanOrEqual(count);
      heaps.push(await heapMib(page));
    }
    console.info(
      `heap after 5,000, 12,500 and 20,000 blocks: ${heaps.map((mib) => mib.toFixed(1)).join(", ")} MiB`,
    );
    expect(await seen(page)).toBe(PLAYED);
    const [early = 0, , late = 0] = heaps;
    expect(late - early).toBeLessThan(2);
    expect(watch.faults).toEqual([]);
    await context.close();
  });
});

/** Colours of the canvas that are seen most. */
async function colours(page: Page): Promise<readonly number[]> {
  return page.locator("canvas").evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement)) return [];
    const data = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data;
    const counts = new Map<number, number>();
    for (let at = 0; at < (data?.length ?? 0); at += 4) {
      const colour =
        ((data?.[at] ?? 0) << 16) | ((data?.[at + 1] ?? 0) << 8) | (data?.[at + 2] ?? 0);
      if ((data?.[at + 3] ?? 0) === 255) counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    return [...counts]
      .toSorted(([, a], [, b]) => b - a)
      .map(([colour]) => colour)
      .slice(0, 3);
  });
}

/** Chain blocks in sight: stretches of their colour above the middle of the line that ties them. */
async function chainInSight(page: Page): Promise<number> {
  return page.locator("canvas").evaluate((canvas) => {
    if (!(canvas instanceof HTMLCanvasElement)) return 0;
    const context = canvas.getContext("2d");
    const probe = document.createElement("canvas").getContext("2d");
    if (context === null || probe === null) return 0;
    probe.fillStyle = getComputedStyle(canvas).getPropertyValue("--accent").trim();
    probe.fillRect(0, 0, 1, 1);
    const colour = [...probe.getImageData(0, 0, 1, 1).data].join(" ");
    const row = Math.round(canvas.height / 2 - 5 * devicePixelRatio);
    const { data } = context.getImageData(0, row, canvas.width, 1);
    let [count, last] = [0, Number.NEGATIVE_INFINITY];
    for (let x = 0; x < canvas.width; x += 1) {
      if ([...data.slice(x * 4, x * 4 + 4)].join(" ") !== colour) continue;
      // A sign for payments within a block is narrower than what lies between two blocks.
      if (x - last > 7 * devicePixelRatio) count += 1;
      last = x;
    }
    return count;
  });
}

/** How many are in sight once that is the same twice in a row. */
async function untilStill(page: Page): Promise<number> {
  let count = 0;
  await expect
    .poll(async () => {
      const before = count;
      count = await chainInSight(page);
      return count > 0 && count === before;
    }, PATIENT)
    .toBe(true);
  return count;
}

/** Two fingers come down, move from so far beside a place to so far beside it, and are lifted: real touches of the browser. */
async function moveFingers(
  page: Page,
  { x, y }: { readonly x: number; readonly y: number },
  [from, to]: readonly [number, number],
): Promise<void> {
  const browserInput = await page.context().newCDPSession(page);
  const touch = async (type: "touchStart" | "touchMove" | "touchEnd", apart: number | null) => {
    const places = apart === null ? [] : [x - apart, x + apart];
    const touchPoints = places.map((place, id) => ({ x: place, y, id }));
    await browserInput.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  await touch("touchStart", from);
  for (let step = 1; step <= 8; step += 1)
    await touch("touchMove", from + ((to - from) * step) / 8);
  await touch("touchEnd", null);
  await browserInput.detach();
}
