/** No body of the public REST interface has a whole IP address in it, whatever a node's peers are called and wherever they are. */
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { errorAnswer } from "@svc/node-server/platform/http/errorAnswer.ts";
import type { HttpEnv } from "@svc/node-server/platform/http/httpEnv.ts";
import { CountryTable } from "@svc/node-server/platform/net/countryTable.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { RestSession } from "@svc/node-server/rpc/rest/call/restSession.ts";
import { restRoutes } from "@svc/node-server/rpc/rest/restRoutes.ts";
import type { PeerFacts } from "@svc/node-server/rpc/service/networkApi.ts";
import type { NodeApi } from "@svc/node-server/rpc/service/nodeApi.ts";
import { fakeNetwork, fakePeer } from "@svc/node-server/rpc/testkit/fakePeers.ts";
import type { RouteContract } from "@svc/shared/protocol/contract/routeContract.ts";
import { CSV_SUFFIX, isCsvRow } from "@svc/shared/protocol/rest/restCsv.ts";
import { REST_ROUTES } from "@svc/shared/protocol/rest/restRoutes.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { unlikeDocument } from "../../testkit/restDocuments.ts";
import { startRecordedNode } from "./restScene.ts";

const fixture = readPaymentFixture();

/** Peers with addresses of both kinds, some of which say others in their names. */
const PEERS: readonly PeerFacts[] = [
  fakePeer("203.0.113.77:16111", { id: "11111111-0000-4000-8000-000000000001" }),
  fakePeer("203.0.113.78:9", { id: "22222222-0000-4000-8000-000000000002", isOutbound: false }),
  fakePeer("8.8.8.8:16111", { userAgent: "/at 198.51.100.7:16111/", isIbdPeer: true }),
  fakePeer("[2001:db8:7:1::2]:16111", { userAgent: "/2001:db8:aaaa:bbbb::1/" }),
  fakePeer("[2001:4860:4860::8888]:53", { userAgent: "/[::ffff:198.51.100.9]/" }),
  fakePeer("[::ffff:198.51.100.8]:5"),
  fakePeer("someplace.onion:16111"),
];
/** Whole addresses, not versions of programs within words. */
const IPV4 = /(?<![\d.])(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?![\d.])/;
const IPV6 =
  /(?<![\w:])(?:[0-9a-f]{1,4}:){2,7}(?::|[0-9a-f]{1,4})(?:[0-9a-f:.]*[0-9a-f])?(?![\w:/])/i;

let node: RunningNode;
let api: NodeApi;
let session: RestSession;

beforeAll(async () => {
  node = await startRecordedNode({ index: "on" });
  api = { ...node.api, network: fakeNetwork(PEERS) };
  session = new RestSession(
    api,
    CountryTable.parse("8.8.8.0,8.8.8.255,US\n2001:4860::,2001:4860:ffff::,US"),
  );
});
afterAll(async () => {
  session?.stop();
  await node?.stop();
});

async function ask(path: string): Promise<Response> {
  const app = new Hono<HttpEnv>();
  app.onError((error, c) => errorAnswer(c, error));
  const turn = <T>(_host: string, _signal: AbortSignal, work: () => Promise<T>) => work();
  app.route(
    "/api",
    restRoutes({ node: api, session, rates: null, turn, clock: systemClock, onError: () => {} }),
  );
  return app.request(`/api${path}`, {}, { caller: { host: "h", origin: null } });
}

/** A path of each row that is read, and of its CSV. */
const PATHS = Object.entries<RouteContract>(REST_ROUTES).flatMap(([name, row]) => {
  if (row.method !== "GET") return [];
  const path = pathOf(row);
  return isCsvRow(name) ? [path, `${row.path}${CSV_SUFFIX}`] : [path];
});

function pathOf({ path, example }: RouteContract): string {
  return (example.path ?? path).replace("{id}", fixture.genesis);
}

describe("every body", () => {
  it.each([...PATHS, "/openapi.json", "/none", "/blocks/x"])("of %s", async (path) => {
    const answer = await ask(path);
    // An answer that there is no index would have nothing to mask.
    expect([200, 400, 404]).toContain(answer.status);
    const body = await answer.text();
    expect(body).not.toMatch(IPV4);
    expect(body).not.toMatch(IPV6);
    expect(body).not.toMatch(/someplace|onion/);
  });

  it("is looked through for what would be one", () => {
    for (const { address } of PEERS.slice(0, -1)) {
      const plain = address.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
      expect([plain, IPV4.test(`"${plain}"`) || IPV6.test(`"${plain}"`)]).toEqual([plain, true]);
    }
    expect(IPV6.test('"2001:db8:7::/48"')).toBe(false);
    expect(IPV4.test('"/svc:0.1.0/svc:0.1.0(profile-ab)/"')).toBe(false);
  });
});

describe("the list of nodes", () => {
  it("has the node first, then its peers, by their networks", async () => {
    const document: unknown = await (await ask("/info/nodes")).json();
    expect(unlikeDocument("nodes", document)).toEqual([]);
    expect(document).toMatchObject({
      totals: {
        nodes: 8,
        peers: 7,
        countries: 1,
        located: 2,
        inbound: 1,
        outbound: 6,
        ipv4: 4,
        ipv6: 2,
        blocksRelayed: 21,
      },
      countries: [{ code: "US", name: "United States", count: 2, share: 1, lat: null, lon: null }],
    });
    const { nodes = [] }: { nodes?: readonly Record<string, unknown>[] } = Object(document);
    expect(nodes.map(({ net, self, country }) => [net, self, country])).toEqual([
      ["", true, null],
      ["203.0.113.x", false, null],
      ["203.0.113.x", false, null],
      ["8.8.8.x", false, "US"],
      ["2001:db8:7::/48", false, null],
      ["2001:4860:4860::/48", false, "US"],
      ["198.51.100.x", false, null],
      ["name", false, null],
    ]);
    expect(nodes[0]).toMatchObject({ id: "explorer", lat: null, lon: null, countryName: null });
  });

  it("names a peer by a secret of this run: no name tells which peer it is elsewhere", async () => {
    const other = new RestSession(api, null);
    const { id } = PEERS[0] ?? fakePeer("");
    expect(session.maskedId(id)).toMatch(/^[0-9a-f]{8}$/);
    expect(session.maskedId(id)).toBe(session.maskedId(id));
    expect(other.maskedId(id)).not.toBe(session.maskedId(id));
    other.stop();
    expect(await (await ask("/info/nodes")).text()).not.toContain(id);
  });

  it("has no country without a table", async () => {
    const kept = session;
    session = new RestSession(api, null);
    const document: unknown = await (await ask("/info/nodes")).json();
    session.stop();
    session = kept;
    expect(document).toMatchObject({ totals: { countries: 0, located: 0 }, countries: [] });
  });
});
