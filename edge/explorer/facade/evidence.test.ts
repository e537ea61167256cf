/** Evidence of the chain at the edge: pieces that never change are asked for once, which blocks to name moves with the tip, and all of it is bounded. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EVIDENCE_ROUTES } from "@svc/shared/protocol/rest/routes/evidenceRoutes.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import { ExplorerHost } from "../../testkit/explorerHost.ts";

let host: ExplorerHost;
beforeEach(async () => {
  host = await ExplorerHost.open();
});
afterEach(() => host.close());

const [LOW, HIGH] = ["ab".repeat(32), "ac".repeat(32)];
const TIP = "/evidence/tip?depth=150";
const PIECES = [
  `/evidence/opening?of=${LOW}`,
  `/evidence/membership?at=${HIGH}&of=${LOW}`,
  `/evidence/run?from=${LOW}&to=${HIGH}`,
];
const HOUR_MS = 3_600_000;
/** Stand-ins are told by the path alone. */
const bare = (path: string): string => path.split("?", 1).join("");

describe.each(PIECES)("the piece %s", (path) => {
  it("is asked of a node once, whoever asks and however late, and a browser may keep it", async () => {
    for (let hour = 0; hour < 20; hour += 1) {
      const answer = await host.fetch(`/api${path}`, {}, `198.51.100.${hour}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/octet-stream");
      expect(answer.headers.get("cache-control")).toContain("max-age=86400");
      host.pass(HOUR_MS);
    }
    expect(await host.asked(path)).toHaveLength(1);
  });

  it("is one piece however its address is written", async () => {
    const upper = path.replaceAll(LOW, LOW.toUpperCase());
    for (const way of [path, upper, `${path}&nullifiers=product`, `${path}&bust=7`]) {
      expect(await host.status(`/api${way}`)).toBe(200);
    }
    expect(await host.asked(path)).toHaveLength(1);
  });

  it("that is too large, or of another type, is not believed: another node is asked", async () => {
    await host.tell("a", bare(path), { fault: "flood" });
    await host.tell("b", bare(path), { text: "{}", type: "application/json" });
    expect(await host.status(`/api${path}`)).toBe(503);
    await host.tell("a", bare(path), null);
    host.pass(EXPLORER_LIMITS.nodePauseMaxMs);
    expect(await host.status(`/api${path}`)).toBe(200);
  });

  it("that a node refuses is refused with its reason, for five seconds", async () => {
    const json = { error: "No.", code: "evidence/not-member" };
    await host.tell("a", bare(path), { status: 422, json });
    for (let call = 0; call < 10; call += 1) {
      const answer = await host.fetch(`/api${path}`);
      expect([answer.status, await answer.json()]).toEqual([422, json]);
      host.pass(400);
    }
    expect(await host.asked(path)).toHaveLength(1);
    await host.tell("a", bare(path), null);
    host.pass(5_000);
    expect(await host.status(`/api${path}`)).toBe(200);
  });
});

describe("which blocks to name", () => {
  it("moves with the tip, and a node that says that its word holds for ever is asked again", async () => {
    const cacheControl = "public, max-age=86400, stale-while-revalidate=86400";
    await host.tell("a", bare(TIP), { cacheControl });
    const answer = await host.fetch(`/api${TIP}`);
    expect(answer.headers.get("cache-control")).toBe(
      "public, max-age=600, s-maxage=600, stale-while-revalidate=600",
    );
    expect(await answer.json()).toEqual(EVIDENCE_ROUTES.evidenceTip.example.answer);
  });

  it("has one form for each depth, within bounds", async () => {
    for (const depth of ["", "?depth=600", "?bust=1"])
      await host.status(`/api/evidence/tip${depth}`);
    expect(await host.asked("/evidence/tip?depth=600")).toHaveLength(1);
    await host.status("/api/evidence/tip?depth=99999");
    expect(await host.asked("/evidence/tip?depth=7200")).toHaveLength(1);
  });

  it("in another form is not believed", async () => {
    await host.tell("a", bare(TIP), {
      json: { ...EVIDENCE_ROUTES.evidenceTip.example.answer, child: 7 },
    });
    expect(await host.status(`/api${TIP}`)).toBe(200);
    expect((await host.asked(TIP)).map(({ node }) => node)).toEqual(["a", "b"]);
  });
});

it.each([
  ["/evidence/opening", 422],
  ["/evidence/opening?of=xy", 400],
  [`/evidence/membership?of=${LOW}`, 422],
  [`/evidence/run?from=${LOW}&to=`, 400],
  ["/evidence/tip?depth=-1", 400],
])("%s is refused without a node", async (path, status) => {
  expect(await host.status(`/api${path}`)).toBe(status);
  expect(await host.asked()).toEqual([]);
});
