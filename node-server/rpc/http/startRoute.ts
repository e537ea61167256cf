/**
 * The HTTP route `GET /v1/start?index=N`: a chain block at which a wallet can begin to scan (docs/formats.md 4).
 *
 * It is asked for by its index, a multiple that many wallets share, and never by a hash: the question tells little about
 * the wallet, and no answer of another node is in it.
 */
import type { Context } from "hono";
import { parseU64 } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readContainer } from "@svc/shared/protocol/http/recordContainer.ts";
import { recordHeads } from "@svc/shared/protocol/http/recordHeads.ts";
import type { NodeApi } from "../service/nodeApi.ts";
import type { HttpRoutes } from "./httpEnv.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** Size, last leaf and number of ommers of a tree without leaves: genesis mints nothing. */
const EMPTY_TREE = new Uint8Array(8 + 32 + 1);

/** Adds the route. Answers 404 `chain/unknown-block` above the tip. */
export function addStart(app: HttpRoutes, node: NodeApi): void {
  app.get("/start", async (c) => {
    const asked = c.req.query("index");
    if (asked === undefined) throw new SvcError("http/bad-request", { reason: "index is missing" });
    return c.json(await startAt(node, parseU64(asked), c));
  });
}

/** The answer as it goes over the wire: numbers as decimal text, the tree as hex. */
type StartJson = Record<
  "hash" | "chainIndex" | "blueScore" | "daaScore" | "timestamp" | "tree",
  string
>;

async function startAt(node: NodeApi, index: bigint, c: Context): Promise<StartJson> {
  const signal = c.req.raw.signal;
  const tip = await askFacts(node, "tip", [], signal);
  if (index > tip.chainIndex) throw new SvcError("chain/unknown-block", { hash: String(index) });
  if (index > 0n) {
    const hash = await node.ask("chainHashAt", [index], signal);
    const found = hash === undefined ? null : await blockWithTree(node, hash, index, signal);
    if (found !== null) return found;
  }
  // Where the tree is gone, the whole history can still be scanned from its beginning.
  if (tip.historyComplete) return genesisOf(tip.genesis);
  const { pruningPoint } = tip;
  const kept = await node.ask("chainIndexOf", [pruningPoint], signal);
  const first = kept === undefined ? null : await blockWithTree(node, pruningPoint, kept, signal);
  if (first === null) throw new SvcError("chain/pruned", { hash: pruningPoint });
  return first;
}

/** Genesis mints nothing, so every node knows the tree after it. */
function genesisOf(hash: string): StartJson {
  const tree = encodeHex(EMPTY_TREE);
  return { hash, chainIndex: "0", blueScore: "0", daaScore: "0", timestamp: "0", tree };
}

/** The block with its tree; null when the tree is no longer kept. */
async function blockWithTree(
  node: NodeApi,
  hash: string,
  index: bigint,
  signal: AbortSignal,
): Promise<StartJson | null> {
  const tree = await unlessPruned(node.ask("treeState", [hash], signal));
  if (tree === null) return null;
  const answer = { hash, chainIndex: String(index), tree: encodeHex(tree) };
  const page = await unlessPruned(node.ask("recordOf", [hash], signal));
  if (page === null) {
    // The block that an imported store began with has no record yet.
    const { blueScore, daaScore } = await askFacts(node, "shieldedFacts", [hash], signal);
    const scores = { blueScore: String(blueScore), daaScore: String(daaScore) };
    return { ...answer, ...scores, timestamp: "0" };
  }
  const { body, count } = readContainer(page, 1);
  const [head] = recordHeads(body, count);
  if (head === undefined) throw new SvcError("chain/unknown-block", { hash });
  return {
    ...answer,
    blueScore: String(head.blueScore),
    daaScore: String(head.daaScore),
    timestamp: String(head.timestamp),
  };
}

async function unlessPruned<T>(question: Promise<T>): Promise<T | null> {
  try {
    return await question;
  } catch (error) {
    if (!SvcError.is(error, "chain/pruned")) throw error;
    return null;
  }
}
