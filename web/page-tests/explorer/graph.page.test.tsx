/** The block graph over made-up blocks: what it finds and says, what it does without an answer, and for who wants no motion. */
import { PAGE_LOCALES } from "@svc/shared/explorer/pageLocale.ts";
import { readReplay } from "@svc/shared/explorer/dag/replayAddress.ts";
import { minuteOf } from "@svc/shared/explorer/dag/replayTape.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { commands, page, userEvent } from "vitest/browser";
import { DAG_TEXTS } from "../../explorer/dag/dagTexts.ts";
import { mountDag } from "../../explorer/dag/mountDag.ts";
import { restDagFeed } from "../../explorer/dag/restDagFeed.ts";
import { documentOf, FIRST_MINUTE, graphBlocks } from "../../explorer/testkit/graphBlocks.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { button } from "../testkit/walletScreen.ts";
import { widthFaults } from "../testkit/widthFaults.ts";
import "./testkit/showExplorer.ts";
import { showPart } from "./testkit/showPart.ts";

const BLOCKS = graphBlocks(400);
const SMALL = BLOCKS.slice(0, 60);
const REPLAY = `minute=${FIRST_MINUTE}&speed=20`;

/** Shows the graph of an address's query until the test ends; `isUp`: whether anybody answers. */
function showGraph(query = "", locale: (typeof PAGE_LOCALES)[number] = "en", isUp = true) {
  const server = { isUp, asked: [] as string[] };
  const answer = async (url: string): Promise<Response> => {
    server.asked.push(url);
    if (!server.isUp) return new Response("{}", { status: 503 });
    const asked = new URL(url, location.href).searchParams.get("minute");
    if (asked === null) return Response.json(SMALL.map(documentOf));
    const blocks = BLOCKS.filter(({ timestamp }) => minuteOf(timestamp) === Number(asked));
    return Response.json({
      minute: Number(asked),
      isComplete: true,
      blocks: blocks.map(documentOf),
    });
  };
  showPart(locale, (place) => {
    const main = document.createElement("main");
    const title = document.createElement("h1");
    title.textContent = "Graph";
    const graph = document.createElement("div");
    main.append(title, graph);
    place.append(main);
    return mountDag(graph, {
      feed: restDagFeed({
        apiBase: "/api",
        fetch: answer,
        nowMs: () => (FIRST_MINUTE + 1_000) * 60_000,
        isHidden: () => false,
      }),
      locale,
      moment: readReplay(query),
      blockHref: (hash) => `#${hash}`,
      pageHref: (next) => `#${next}`,
    });
  });
  onTestFinished(async () => {
    history.replaceState(null, "", location.pathname);
    await commands.emulateMedia({ reducedMotion: null });
  });
  return server;
}

const seen = () => Number(document.querySelector<HTMLElement>(".dag")?.dataset["seen"]);
const focused = () => document.querySelector(".dag-focused")?.textContent;

describe("the graph", () => {
  test("finds a block by the beginning of its hash and asks nobody about it", async () => {
    const server = showGraph();
    await expect.poll(seen).toBe(SMALL.length);
    const hash = SMALL[10]?.hash ?? "";
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    await page.getByLabelText("Find a block").fill(hash);
    await button("Find").click();
    await expect.poll(focused).toContain(hash.slice(0, 8));
    expect(server.asked.some((path) => path.includes(hash))).toBe(false);
    await page.getByLabelText("Find a block").fill("ffff");
    await button("Find").click();
    await expect.element(page.getByText("No drawn block begins with this.")).toBeVisible();
  });

  test("is walked by keys, says where it is, and Enter opens the block", async () => {
    showGraph();
    await expect.poll(seen).toBe(SMALL.length);
    const chain = SMALL.filter(({ isChainBlock }) => isChainBlock);
    const said = () => document.querySelector("[data-testid=dag-said]")?.textContent;
    document.querySelector<HTMLElement>("[role=application]")?.focus();
    await userEvent.keyboard("{End}");
    expect(said()).toContain(chain.at(-1)?.hash.slice(0, 8));
    await userEvent.keyboard("{ArrowLeft}");
    expect(said()).toContain(`block of the chain ${chain.at(-2)?.hash.slice(0, 8)}`);
    await userEvent.keyboard("{Home}{ArrowRight}");
    expect(said()).toContain(chain[1]?.hash.slice(0, 8));
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => location.hash).toBe(`#${chain[1]?.hash}`);
  });

  test.each(PAGE_LOCALES)("in %s is whole in all widths, live and played", async (locale) => {
    for (const query of ["", REPLAY]) {
      showGraph(query, locale);
      await expect.poll(seen).toBeGreaterThan(3);
      const mode = DAG_TEXTS[locale][query === "" ? "live" : "replay"];
      expect(document.querySelector(".dag-mode")?.textContent).toBe(mode);
      expect(await widthFaults(locale)).toEqual([]);
      expect(await axeFaults()).toEqual([]);
      document.querySelector("main")?.remove();
    }
  });
});

describe("a replay", () => {
  test("says that the server does not answer and goes on when it does", async () => {
    const server = showGraph(REPLAY, "en", false);
    await expect.element(page.getByText("The server does not answer")).toBeVisible();
    expect(seen()).toBe(0);
    server.isUp = true;
    await expect.poll(seen).toBeGreaterThan(3);
  });

  test("stands still and whole for who wants no motion", async () => {
    await commands.emulateMedia({ reducedMotion: "reduce" });
    showGraph(REPLAY);
    await expect.poll(seen).toBeGreaterThan(100);
    await expect.element(button("Play")).toBeVisible();
  });
});
