/** The look at a screen finds what is wrong with it. */
import { expect, onTestFinished, test } from "vitest";
import { newcomer } from "../testkit/snapshots.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { showWallet } from "../testkit/showWallet.ts";

test.each([
  ["something too wide", "width: 1000px", "<p>wide</p>", /^x: 10\d\d px wide on a screen of 768$/],
  ["a small target", "", "<button>a</button>", /^x, 390 px: \d+ × \d+ px: <button>/],
  [
    "a weak text",
    "color: #888; background: #999",
    "<p>weak</p>",
    /^x, light on light: color-contr/,
  ],
  ["a picture without a text", "", "<img src='data:,'>", /^x, light on light: image-alt: <img/],
  [
    "a text for no high contrast",
    "color: #666; background: #fff",
    "<p>a</p>",
    /^x, contrast on dark: {/,
  ],
])("%s", async (_, style, html, fault) => {
  await showWallet(newcomer());
  const planted = document.createElement("div");
  planted.style.cssText = style;
  planted.innerHTML = html;
  document.querySelector("main")?.append(planted);
  onTestFinished(() => planted.remove());
  expect(await screenFaults("x")).toContainEqual(expect.stringMatching(fault));
});
