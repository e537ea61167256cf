import { expect, test } from "vitest";
import { sha256 } from "../../web/build/fileHashes.ts";
import { compareServed, type BuiltPages } from "./compareServed.ts";

const POLICY = "connect-src 'self'";
const files: Readonly<Record<string, string>> = {
  "/wallet/": "<p>wallet</p>",
  "/assets/a.js": "a()",
};
const built: BuiltPages = {
  hashes: {
    "/assets/a.js": sha256("a()"),
    "/headers.json": sha256("rows"),
    "/wallet/index.html": sha256("<p>wallet</p>"),
  },
  rows: [{ path: "*", headers: { "Content-Security-Policy": POLICY } }],
};

/** A server of these files with this policy. */
const server =
  (served: Readonly<Record<string, string>>, policy: string): typeof fetch =>
  async (input) => {
    const address = input instanceof Request ? input.url : input;
    const body = served[new URL(address).pathname];
    const headers = { "Content-Security-Policy": policy };
    return new Response(body ?? "none", { status: body === undefined ? 404 : 200, headers });
  };

test("a server of the same build is found without a difference", async () => {
  expect(await compareServed("http://node", built, server(files, POLICY))).toEqual([]);
});

test("a changed file, a missing one and a wider policy are each named", async () => {
  const changed = { ...files, "/assets/a.js": "steal()" };
  expect(await compareServed("http://node", built, server(changed, POLICY))).toEqual([
    `/assets/a.js is ${sha256("steal()")}, not ${sha256("a()")}`,
  ]);
  const { "/wallet/": _, ...fewer } = files;
  expect(await compareServed("http://node", built, server(fewer, POLICY))).toHaveLength(1);
  const wide = await compareServed("http://node", built, server(files, "connect-src *"));
  expect(wide).toContain(
    "/wallet/ has Content-Security-Policy: connect-src *, not connect-src 'self'",
  );
});

test("a form that one coding alone shows is named, as what it comes to", async () => {
  const lying: typeof fetch = (input, init) => {
    const isPacked = new Headers(init?.headers).get("accept-encoding") === "gzip";
    const sent = isPacked ? { ...files, "/assets/a.js": "steal()" } : files;
    return server(sent, POLICY)(input, init);
  };
  expect(await compareServed("http://node", built, lying)).toEqual([
    `/assets/a.js is ${sha256("steal()")}, not ${sha256("a()")}`,
  ]);
});
