/** Test fixture of a file: a node and a browser that its tests share. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launchBrowser } from "./browser.ts";
import { LocalNode } from "./localNode.ts";

/** The node and the browser, which run while the tests do. */
export type Scene = { readonly node: LocalNode; readonly browser: Browser };

/** Starts them before the first test of the calling file and stops them after the last one. */
export function setScene(): Scene {
  let node: LocalNode | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    node = await LocalNode.create();
    await node.start();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await node?.dispose();
  });
  return {
    get node() {
      return present(node);
    },
    get browser() {
      return present(browser);
    },
  };
}

function present<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error("the scene is set when the tests run, not before");
  return part;
}
