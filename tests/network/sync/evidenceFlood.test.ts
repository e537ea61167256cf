/** One host asks for evidence of thousands of blocks as fast as it can: a wallet at another address is served all the same. */
import { Agent, get as httpGet } from "node:http";
import { beforeAll, expect, test } from "vitest";
import { readEvidenceTipFacts } from "@svc/shared/protocol/facts/evidenceFacts.ts";
import { readTipAnswer } from "@svc/shared/protocol/facts/tipFacts.ts";
import { readContainer } from "@svc/shared/protocol/http/recordContainer.ts";
import { recordHeads } from "@svc/shared/protocol/http/recordHeads.ts";
import { genesisHashOf } from "../testkit/nodeStore.ts";
import { WHOLE } from "../testkit/networkSizes.ts";
import { Scene, storedChain, type StoredChain } from "../testkit/scene.ts";

/** Questions of the flood, no two alike. */
const FLOOD = 10_000;
/** Connections that the flood may have: with more the node closes them. */
const FLOOD_CONNECTIONS = 100;
/** Rounds of the wallet, of five questions each; with more than the most it would be over its own rate. */
const ROUNDS = 20;
const MOST_ROUNDS = 300;
const PAGE = 100;

type Answer = { readonly status: number; readonly body: Buffer };

/** A client at an address of this machine. */
class Client {
  readonly #agent: Agent;
  readonly #base: string;

  constructor(base: string, from: string, connections: number) {
    this.#base = base;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress: from });
  }

  ask(path: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = httpGet(`${this.#base}${path}`, { agent: this.#agent }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("end", () => {
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts) });
        });
      });
      request.on("error", reject);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Paths of pieces of evidence: every block opened in two ways, its path in the log, runs, and a digest of records. */
function* floodPaths(hashes: readonly string[]): Generator<string> {
  const at = hashes.at(-2) ?? "";
  for (const [index, of] of hashes.slice(0, -2).entries()) {
    yield `opening?of=${of}`;
    yield `opening?of=${of}&nullifiers=product`;
    yield `membership?of=${of}&at=${at}`;
    const last = hashes[index + 40];
    if (last !== undefined) yield `records?after=${of}&to=${last}`;
    for (const length of [40, 100, 400]) {
      const to = hashes[index + length];
      if (to !== undefined) yield `run?from=${of}&to=${to}`;
    }
  }
}

let chain: StoredChain;
beforeAll(async () => {
  chain = await storedChain(WHOLE);
});

/** Asks for all of it at once. How many were answered with which status; 429 counts only with its code. */
async function flood(client: Client, paths: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  await Promise.all(
    paths.map(async (path) => {
      const { status, body } = await client.ask(`/v1/evidence/${path}`);
      const isRefusal = status === 429 && body.includes('"code":"http/too-many-requests"');
      const name =
        status === 200 ? "answered" : isRefusal ? "refused" : `${status} ${String(body)}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }),
  );
  return counts;
}

/** What a wallet asks in a round: the tip, a page, the blocks of a proof, the proof. Returns the statuses. */
async function walletRound(client: Client, after: string): Promise<readonly number[]> {
  const tip = await client.ask("/v1/tip");
  const page = await client.ask(`/v1/blocks?after=${after}&limit=${PAGE}`);
  const named = await client.ask("/v1/evidence/tip?depth=600");
  const { block, child, sink } = readEvidenceTipFacts(String(named.body));
  const opening = await client.ask(`/v1/evidence/opening?of=${block}&nullifiers=product`);
  const run = await client.ask(`/v1/evidence/run?from=${child}&to=${sink}`);
  return [tip, page, named, opening, run].map(({ status }) => status);
}

test("a flood of questions for evidence leaves a wallet served", async () => {
  const scene = new Scene(WHOLE.profile);
  scene.copyStore({ from: chain.path, name: "node" });
  const node = await scene.node({ name: "node" });
  const wallet = new Client(node.http, "127.0.0.2", 1);
  const flooder = new Client(node.http, "127.0.0.9", FLOOD_CONNECTIONS);
  const genesis = genesisHashOf(scene.profile);
  const limit = WHOLE.count + 1;
  const records = await wallet.ask(`/v1/blocks?after=${genesis}&limit=2000`);
  const { body, count } = readContainer(records.body, limit);
  const hashes = recordHeads(body, count).map(({ hash }) => hash);
  const paths = [...floodPaths(hashes)].slice(0, FLOOD);
  expect([paths.length, new Set(paths).size]).toEqual([FLOOD, FLOOD]);
  const over = new AbortController();
  const flooded = flood(flooder, paths).finally(() => over.abort());
  let rounds = 0;
  for (; rounds < ROUNDS || (!over.signal.aborted && rounds < MOST_ROUNDS); rounds += 1) {
    const after = hashes[(rounds * PAGE) % hashes.length] ?? genesis;
    expect(await walletRound(wallet, after)).toEqual([200, 200, 200, 200, 200]);
  }
  const counts = await flooded;
  const [answered, refused] = [counts.get("answered") ?? 0, counts.get("refused") ?? 0];
  console.info(`evidence flood: ${answered} answered, ${refused} refused, ${rounds} wallet rounds`);
  // How many are refused follows from how fast the machine is: the rate is one of time.
  expect([...counts.keys()].filter((name) => name !== "answered" && name !== "refused")).toEqual(
    [],
  );
  expect(answered + refused).toBe(FLOOD);
  expect(readTipAnswer(String((await wallet.ask("/v1/tip")).body)).historyComplete).toBe(true);
  wallet.close();
  flooder.close();
});
