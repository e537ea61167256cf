/** The policy of page tests holds what that of the built pages holds, and a breach of it fails the test. */
import { expect, onTestFinished, test } from "vitest";
import { policyBreaches } from "../testkit/policy/policyBreaches.ts";
import { newcomer } from "../testkit/snapshots.ts";
import { showWallet } from "../testkit/showWallet.ts";

const ELSEWHERE = "http://elsewhere.invalid";

/** Puts HTML into the page until the test ends. */
function plant(html: string): Element {
  const planted = document.createElement("div");
  planted.innerHTML = html;
  document.body.append(planted);
  onTestFinished(() => planted.remove());
  return planted;
}

/** Puts a script of these words into the page, until the test ends. */
function plantScript(words: string): void {
  const script = document.createElement("script");
  script.textContent = words;
  document.body.append(script);
  onTestFinished(() => script.remove());
}

async function loadFont(): Promise<void> {
  await new FontFace("planted", `url(${ELSEWHERE}/a.woff2)`).load().catch(() => undefined);
}

/** Sends a form into a frame, so that the page stays where it is. */
function sendForm(): void {
  const planted = plant(
    `<iframe name="a"></iframe><form action="${ELSEWHERE}/" target="a"></form>`,
  );
  planted.querySelector("form")?.submit();
}

/** Chromium tells of a base once more, without its address, when it goes. */
function plantBase(): void {
  plant(`<base href="${ELSEWHERE}/">`).remove();
}

function evaluate(): void {
  expect(() => Reflect.construct(Function, ["return 1"])).toThrow(EvalError);
}

test.each<[string, readonly string[], () => unknown]>([
  ["a style of an element", ["style-src-attr inline"], () => plant("<p style='color: red'>a</p>")],
  [
    "an image",
    [`img-src ${ELSEWHERE}/a.png`],
    () => plant(`<img alt="" src="${ELSEWHERE}/a.png">`),
  ],
  ["a font", [`font-src ${ELSEWHERE}/a.woff2`], loadFont],
  ["a form", [`form-action ${ELSEWHERE}/?`, `frame-src ${ELSEWHERE}`], sendForm],
  ["another base", [`base-uri ${ELSEWHERE}/`, "base-uri "], plantBase],
  ["a script in the page", ["script-src-elem inline"], () => plantScript("void 0")],
  ["a text as code", ["script-src eval"], evaluate],
  ["a call", [`connect-src ${ELSEWHERE}/`], () => fetch(`${ELSEWHERE}/`).catch(() => undefined)],
  ["a frame", [`frame-src ${ELSEWHERE}`], () => plant(`<iframe src="${ELSEWHERE}/"></iframe>`)],
])("%s breaks %s", async (_, expected, commit) => {
  await showWallet(newcomer());
  await commit();
  const told: string[] = [];
  const look = async (): Promise<readonly string[]> => {
    for (const { directive, blocked } of await policyBreaches()) {
      told.push(`${directive} ${blocked}`);
    }
    return told;
  };
  await expect.poll(look).toEqual(expected);
});

test.fails("a breach that nobody asks for fails its test", async () => {
  await showWallet(newcomer());
  plant("<p style='color: red'>a</p>");
});
