/** The HTTP routes below `/v1/evidence`: what a wallet needs to hold this node to the network's work (docs/light-client.md). */
import { asBlockHash, parseHash32, parseU64, type Hash32 } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { HttpRoutes } from "../../platform/http/httpEnv.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import type { EvidenceAnswers } from "../service/evidenceAnswers.ts";

const BINARY = { "Content-Type": "application/octet-stream" };
const JSON_TEXT = { "Content-Type": "application/json" };
/** Forms of the nullifier part of an opening. */
const NULLIFIER_PARTS: readonly string[] = ["digest", "product"];

/** Adds the routes. Answers 404 `chain/unknown-block` for a block that is not on the selected chain, 410 `chain/pruned`. */
export function addEvidence(app: HttpRoutes, evidence: EvidenceAnswers): void {
  app.get("/evidence/tip", async (c) => {
    const asked = c.req.query("depth");
    const depth = asked === undefined ? RPC_LIMITS.evidenceTipDepth : parseU64(asked);
    return c.body(await evidence.tip(depth, c.req.raw.signal), 200, JSON_TEXT);
  });
  app.get("/evidence/opening", async (c) => {
    const of = hashIn(c.req.query("of"), "of");
    const part = c.req.query("nullifiers") ?? "digest";
    if (!NULLIFIER_PARTS.includes(part)) {
      throw new SvcError("http/bad-request", { reason: "nullifiers is digest or product" });
    }
    const piece = await evidence.opening(of, part === "product", c.req.raw.signal);
    return c.body(piece.slice(), 200, BINARY);
  });
  app.get("/evidence/membership", async (c) => {
    const of = hashIn(c.req.query("of"), "of");
    const at = hashIn(c.req.query("at"), "at");
    const piece = await evidence.membership(of, at, c.req.raw.signal);
    return c.body(piece.slice(), 200, BINARY);
  });
  app.get("/evidence/run", async (c) => {
    const from = hashIn(c.req.query("from"), "from");
    const to = hashIn(c.req.query("to"), "to");
    const piece = await evidence.run(from, to, c.req.raw.signal);
    return c.body(piece.slice(), 200, BINARY);
  });
  addRecordChecks(app, evidence);
}

/** What no state root covers: a digest of records to compare nodes with, and payments whole. */
function addRecordChecks(app: HttpRoutes, evidence: EvidenceAnswers): void {
  app.get("/evidence/records", async (c) => {
    const after = asBlockHash(hashIn(c.req.query("after"), "after"));
    const to = asBlockHash(hashIn(c.req.query("to"), "to"));
    const piece = await evidence.records(after, to, c.req.raw.signal);
    return c.body(piece.slice(), 200, BINARY);
  });
  app.get("/evidence/payload", async (c) => {
    const at = asBlockHash(hashIn(c.req.query("at"), "at"));
    const index = placeIn(c.req.query("index"));
    const piece = await evidence.payload(at, index, c.req.raw.signal);
    return c.body(piece.slice(), 200, BINARY);
  });
}

function hashIn(text: string | undefined, name: string): Hash32 {
  if (text === undefined) throw new SvcError("http/bad-request", { reason: `${name} is missing` });
  return parseHash32(text);
}

/** A record counts its payments by 16 bits. */
function placeIn(text: string | undefined): number {
  if (text === undefined || !/^(?:0|[1-9]\d{0,4})$/.test(text)) {
    throw new SvcError("http/bad-request", { reason: "index is a place among the payments" });
  }
  return Number(text);
}
