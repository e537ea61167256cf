import { describe, expect, it } from "vitest";
import { CHECKOUT_ASSETS } from "@svc/shared/gateway/page/checkoutAssets.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";
import { HeldAssets } from "./heldAssets.ts";

/** A binding that has these files. */
function binding(files: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const fetch: Fetcher["fetch"] = async (input) => {
    const { pathname } = new URL(String(input instanceof Request ? input.url : input));
    asked.push(pathname);
    const text = files[pathname.slice(CHECKOUT_ASSETS.length)];
    return text === undefined ? new Response(null, { status: 404 }) : new Response(text);
  };
  return { asked, fetch };
}

describe("the files of the checkout pages", () => {
  it("are read once", async () => {
    const assets = binding({ "files.json": '["a.js"]', "a.js": "1" });
    const held = new HeldAssets(assets);
    expect(await held.files()).toEqual(new Map([["a.js", "1"]]));
    expect(await held.files()).toEqual(new Map([["a.js", "1"]]));
    expect(assets.asked).toHaveLength(2);
  });

  it("are none without a binding", async () => {
    expect(await new HeldAssets(undefined).files()).toEqual(new Map());
  });

  it.each([
    [{}],
    [{ "files.json": "{" }],
    [{ "files.json": '["../a.js"]' }],
    [{ "files.json": '["a.js"]' }],
    [{ "files.json": JSON.stringify(Array(EDGE_LIMITS.assetFiles + 1).fill("a.js")), "a.js": "" }],
    [{ "files.json": '["a.js"]', "a.js": "x".repeat(EDGE_LIMITS.assetBytes + 1) }],
  ])("that cannot be read are asked for again: %#", async (files) => {
    const assets = binding(files);
    const held = new HeldAssets(assets);
    expect(await held.files()).toBeNull();
    expect(await held.files()).toBeNull();
    expect(assets.asked.filter((path) => path.endsWith("files.json"))).toHaveLength(2);
  });
});
