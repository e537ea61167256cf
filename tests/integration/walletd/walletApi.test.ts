/**
 * The contract of the wallet API: requests of every form, and the rows about status, keys and scans, over the daemon as programs start
 * it and a real node. What every answer agrees with is said in `walletApiScene.ts`.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { WALLET_ROUTES, type RouteName } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { core } from "../engine/engineFixture.ts";
import { startTestNode, tipOf } from "../node/nodeFixture.ts";
import { badBodies, badQueries, exampleOf, needsToken } from "./walletApiBadRequests.ts";
import {
  ALICE,
  answersToNobody,
  answersWithoutNode,
  BAD_ADDRESSES,
  bobFvk,
  DEVICE,
  DEVICE_BYTE,
  fixture,
  fund,
  NOBODY,
  options,
  payment,
  payoutFile,
  rowsOf,
  SPENDERS,
  UNKNOWN_FIELDS,
  UNKNOWN_QUERY,
  WATCHED,
} from "./walletApiCalls.ts";
import {
  authorization,
  recordOf,
  ROUTE_NAMES,
  WalletApiScene,
  type Asked,
} from "./walletApiScene.ts";
import { unlikeListed } from "./walletApiUnprovoked.ts";

const { alice, bob } = fixture.owners;
const ROWS = rowsOf(["status", "keys", "scan"]);
const deviceFvk = encodeHex(core.fullViewingKey(new Uint8Array(32).fill(DEVICE_BYTE)));

/** Calls that would change what the other tests look at: a wallet without a seed is refused, or scanned again. */
const HARMLESS: ReadonlySet<RouteName> = new Set([...SPENDERS, "rescan"]);
/** Calls that are refused here: they spend (`walletApiPayments.test.ts` has those), or name a payment, a job or a token that is not there. */
const NOT_SERVED: ReadonlySet<RouteName> = new Set([
  ...SPENDERS,
  "prepare",
  "submit",
  "disclosure",
  "receipt",
  "job",
  "cancelJob",
  "redeliver",
  "approve",
  "deny",
  "payoutReport",
]);

/** Wallets that were made so far. */
let made = 0;

/** A request that is served, also beside another one of the same row, unless its row is one of `NOT_SERVED`. */
async function servable(name: RouteName): Promise<Asked> {
  const asked = { ...exampleOf(name), token: HARMLESS.has(name) ? WATCHED : ALICE };
  const client = scene.client(ALICE);
  switch (name) {
    case "create":
      made += 1;
      return { ...asked, token: String(made).padStart(32, "c") };
    case "import":
      return { ...asked, body: { seed_hex: alice.seed } };
    case "watch":
      return { ...asked, token: WATCHED, body: { fvk_hex: bobFvk } };
    case "verify": {
      const { address, message, signature } = await client.sign({ message: "m" }, options);
      return { ...asked, body: { address, message, signature } };
    }
    case "events":
      return { ...asked, query: { after: "0" } };
    case "payout":
      return { ...asked, body: { format: "csv", data: payoutFile("0.5"), dry_run: true } };
    case "revokeToken": {
      const { id } = await client.createToken({ scope: ["view"] }, options);
      return { ...asked, params: { id } };
    }
    default:
      return asked;
  }
}

let node: RunningNode;
let scene: WalletApiScene;

beforeAll(async () => {
  node = await startTestNode(null);
  scene = await WalletApiScene.start({ node: node.grpcAddress ?? "" });
});
afterAll(async () => {
  await scene.stop();
  await node.stop();
});
afterEach(() => expect([...scene.defects]).toEqual([]));

describe("wallets", () => {
  it("are made, imported and watched; their keys are shown and used", async () => {
    await fund(node);
    const client = scene.client(ALICE);
    const made = await client.import({ seed_hex: alice.seed }, options);
    expect(made).toMatchObject({ address: alice.address, seed_hex: alice.seed, network: "simnet" });
    expect(await scene.code("import", { token: ALICE, body: { seed_hex: alice.seed } })).toBe(
      "200",
    );
    expect(await client.address({}, options)).toEqual({ address: alice.address });
    expect(await client.reveal(options)).toMatchObject({ seed_hex: alice.seed });
    const { signature } = await client.sign({ message: "invoice 17" }, options);
    const claim = { address: alice.address, message: "invoice 17", signature };
    expect(await client.verify(claim, options)).toEqual({ valid: true, reason: null });
    expect(await client.verify({ ...claim, message: "invoice 18" }, options)).toMatchObject({
      valid: false,
    });
    const watched = await scene.client(WATCHED).watch({ fvk_hex: bobFvk }, options);
    expect(watched).toEqual({ address: bob.address });
    await scene.client(DEVICE).watch({ fvk_hex: deviceFvk, birthday: 0n }, options);
    const fresh = await scene.client("f6".repeat(16)).create({ birthday: 0n }, options);
    expect(fresh.seed_hex).toMatch(/^[0-9a-f]{64}$/);
    await scene.untilAtTip(node, ALICE);
  });

  it("are refused where they cannot be", async () => {
    const other = { seed_hex: "55".repeat(32) };
    const strange = { fvk_hex: "ff".repeat(96) };
    const cases = [
      [await scene.code("create", { token: ALICE }), "409 wallet/exists"],
      [await scene.code("import", { token: ALICE, body: other }), "409 wallet/exists"],
      [await scene.code("watch", { token: ALICE, body: { fvk_hex: bobFvk } }), "409 wallet/exists"],
      [await scene.code("watch", { token: NOBODY, body: strange }), "400 keys/bad-viewing-key"],
      [await scene.code("reveal", { token: WATCHED }), "403 wallet/watch-only"],
      [
        await scene.code("sign", { token: WATCHED, body: { message: "" } }),
        "403 wallet/watch-only",
      ],
    ];
    for (const [found, expected] of cases) expect(found).toBe(expected);
  });

  it("of nobody are said to be none", async () => {
    const answers = await answersToNobody(scene, ROWS);
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expect(answer).toMatch(/ 404 wallet\/no-wallet$/);
    // Who has no token learns of no wallet, whatever he asks.
    const ready = JSON.stringify((await scene.ask("ready")).json);
    for (const secret of [alice.address, bob.address, ALICE, WATCHED]) {
      expect(ready).not.toContain(secret);
    }
    expect(ready).toContain('"blocks_behind"');
    const { json } = await scene.ask("status", { token: NOBODY });
    expect(json).toMatchObject({ has_wallet: false, spend_ready: false });
  });

  it("are warmed up, and the tree that they share", async () => {
    await scene.untilAtTip(node, ALICE);
    const { note_count } = await scene.client(ALICE).status(options);
    const warm = await scene.client(ALICE).warmWallet(options);
    expect(warm).toMatchObject({ subtree_cache_ready: true, notes: note_count });
    expect(warm.matured_leaves).toBeGreaterThan(0);
    const tree = await scene.client(NOBODY).warmChainTree(options);
    expect(tree).toMatchObject({
      leaves_gained: 0,
      caught_up: true,
      subtree_cache_ready: true,
      subtree_cache_state: "ready",
      chain_tip_daa: Number((await tipOf(node)).daaScore),
    });
    expect(tree.leaves_after).toBeGreaterThanOrEqual(warm.matured_leaves);
  });

  it("are scanned again, and their settings are kept", async () => {
    const client = scene.client(ALICE);
    expect(await client.settings({ recoverable_history: true }, options)).toEqual({
      recoverableHistory: true,
    });
    const before = await client.history({}, options);
    expect(await client.rescan({}, options)).toEqual({ rescanning: true });
    await scene.untilAtTip(node, ALICE, ({ note_count: notes }) => Number(notes) > 0);
    const after = await client.history({}, options);
    expect(after.total).toBe(before.total);
    expect(after.recoverableHistory).toBe(true);
  });
});

describe("requests", () => {
  it.each(ROUTE_NAMES)(
    "%s: with a body that is wrong are refused, each for what it is",
    async (name) => {
      for (const { what, asked, refused } of [...badBodies(name), ...badQueries(name)]) {
        expect([what, await scene.code(name, { ...asked, token: ALICE })]).toEqual([what, refused]);
      }
    },
  );

  it("without a token, with one of no form, and of another method", async () => {
    for (const name of ROUTE_NAMES) {
      const { params = {} } = exampleOf(name);
      const other = await scene.code(name, { token: ALICE, params, method: "PUT" });
      expect([name, other]).toEqual([name, "405 api/wrong-method"]);
      if (!needsToken(name)) continue;
      expect(await scene.code(name, exampleOf(name)), name).toBe("401 api/missing-token");
      const odd = await scene.code(name, { ...exampleOf(name), token: "a/b" });
      expect([name, odd]).toEqual([name, "400 api/bad-token"]);
    }
  });

  it.each(ROUTE_NAMES)("%s: with fields that nobody knows is answered as without", async (name) => {
    const isPost = WALLET_ROUTES[name].method === "POST";
    const [first, second] = [await servable(name), await servable(name)];
    const plain = await scene.ask(name, isPost ? { body: {}, ...first } : first);
    const extended = await scene.ask(name, {
      ...second,
      query: { ...second.query, ...UNKNOWN_QUERY },
      ...(isPost ? { body: { ...recordOf(second.body ?? {}), ...UNKNOWN_FIELDS } } : {}),
    });
    expect([extended.status, extended.code]).toEqual([plain.status, plain.code]);
    expect(Object.keys(extended.json)).toEqual(Object.keys(plain.json));
    expect(plain.code).not.toMatch(/^api\/|^codec\/|^http\//);
    expect(plain.code === "").toBe(!NOT_SERVED.has(name));
  });

  it("that cannot be served are refused in the words of the specification", async () => {
    const memo = "m".repeat(513);
    const words = async (name: RouteName, token: string, body?: object): Promise<unknown> => {
      const { json } = await scene.ask(name, { token, ...(body === undefined ? {} : { body }) });
      return json["error"];
    };
    const paid = { to: bob.address, amount_sompi: 1 };
    const [[typo]] = BAD_ADDRESSES;
    expect(await words("send", ALICE, { ...paid, to: typo })).toMatch(
      /^invalid recipient address: \S/,
    );
    expect(await words("send", ALICE, { ...paid, memo })).toBe("memo too long (max 512 bytes)");
    expect(await words("sendMany", ALICE, { payees: [paid, { ...paid, memo }] })).toBe(
      "payee 1: memo too long (max 512 bytes)",
    );
    expect(await words("sendMany", ALICE, { payees: [paid, { ...paid, to: typo }] })).toMatch(
      /^payee 1: invalid recipient address: \S/,
    );
    expect(await words("balance", NOBODY)).toBe("no wallet loaded");
    const sigs = [{ index: 0, sig: "4d".repeat(64) }];
    expect(await words("submit", WATCHED, { session: "5e".repeat(24), sigs })).toBe(
      "no such prepared session (expired or already submitted)",
    );
  });

  it("a thousand at once are all answered, and a payment among them is made once", async () => {
    await scene.untilAtTip(node, ALICE);
    const { message, signature } = await scene.client(ALICE).sign({ message: "m" }, options);
    const asked: readonly (readonly [RouteName, Asked])[] = [
      ["status", {}],
      ["balance", {}],
      ["history", {}],
      ["address", {}],
      ["events", {}],
      ["settings", { body: { recoverable_history: false } }],
      ["verify", { body: { address: alice.address, message, signature } }],
      ["send", { ...payment(), headers: { "Idempotency-Key": "a-thousand" } }],
    ];
    const paid = new Set<unknown>();
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, async (_, place) => {
        const [name, what] = asked[place % asked.length] ?? ["status", {}];
        const { status, code, json } = await scene.ask(name, { token: ALICE, ...what });
        if (name === "send") paid.add(json["txid"]);
        return `${name} ${status} ${code}`.trim();
      }),
    );
    expect(new Set(answers)).toEqual(new Set(asked.map(([name]) => `${name} 200`)));
    expect(paid.size).toBe(1);
    const { json } = await scene.ask("history", { token: ALICE });
    const pending: unknown = json["pendingOutgoing"];
    const txids = Array.isArray(pending) ? pending.map((row) => recordOf(row)["txid"]) : [];
    expect(new Set(txids)).toEqual(paid);
  });

  it("of which nobody may come in are refused before anything is looked at", async () => {
    const bearer = "be".repeat(32);
    const strict = await WalletApiScene.start({
      node: node.grpcAddress ?? "",
      custodial: false,
      bearer,
    });
    try {
      for (const name of ROUTE_NAMES) {
        const asked = { ...exampleOf(name), token: ALICE };
        const expected = name === "health" ? "200" : "401 api/bad-bearer";
        expect([name, await strict.code(name, asked)]).toEqual([name, expected]);
        if (WALLET_ROUTES[name].credential !== "token-and-custodial") continue;
        const headers = authorization(bearer);
        expect(await strict.code(name, { ...asked, headers }), name).toBe("403 api/no-custody");
      }
      expect([...strict.defects]).toEqual([]);
      for (const refusal of strict.refusals) scene.refusals.add(refusal);
    } finally {
      await strict.stop();
    }
  });
});

describe("a daemon whose node is away", () => {
  it("answers at once, and says that nothing is known yet", async () => {
    const lonely = await WalletApiScene.start({ node: "127.0.0.1:1" });
    try {
      for (const answer of await answersWithoutNode(lonely, ROWS)) {
        expect(answer).toMatch(/ 503 wallet\/opening$/);
      }
      expect(await lonely.ask("ready")).toMatchObject({
        status: 503,
        json: { ready: false, node_connected: false },
      });
      const { json } = await lonely.ask("status", { token: ALICE });
      expect(json).toMatchObject({
        has_wallet: true,
        loading: true,
        spend_ready: false,
        node_connected: false,
      });
      for (const name of ["health", "live"] as const) expect(await lonely.code(name)).toBe("200");
      expect([...lonely.defects]).toEqual([]);
      for (const refusal of lonely.refusals) scene.refusals.add(refusal);
    } finally {
      await lonely.stop();
    }
  });
});

describe("the table", () => {
  it("lists what comes and nothing else", async () => {
    for (const name of ["health", "live", "ready"] as const) {
      expect(await scene.code(name)).toBe("200");
    }
    for (const [to, code] of BAD_ADDRESSES) {
      const claim = { address: to, message: "", signature: "00".repeat(160) };
      expect([to, await scene.code("verify", { body: claim })]).toEqual([to, `400 ${code}`]);
    }
    for (const name of ROWS) expect(scene.served).toContain(name);
    expect(unlikeListed(ROWS, scene.refusals)).toEqual({ missing: [], needless: [] });
  });
});
