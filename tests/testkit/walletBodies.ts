/** The answers of the wallet API key by key, as `tests/vectors/walletd-bodies.json` writes them down from the specification. */
import { readFileSync } from "node:fs";
import { jsonRecord, unlikeForm } from "./jsonForms.ts";

const VECTOR = new URL("../vectors/walletd-bodies.json", import.meta.url);

/** The bodies by the names of their calls. */
export const BODIES = jsonRecord(jsonRecord(JSON.parse(readFileSync(VECTOR, "utf8")))["bodies"]);

/** What is not as it must be in the answer of a call, by its place; empty when all is. */
export function unlikeBody(call: string, body: unknown): readonly string[] {
  return unlikeForm(BODIES[call] ?? "none", body, call);
}
