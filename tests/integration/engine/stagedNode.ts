/** In-memory stand-in for the staged import, over an engine of the test. */
import type { PointParts } from "@svc/node-server/p2p/sync/fetchPoint.ts";
import { readProofView, readWantedBodies } from "@svc/node-server/engine/calls/importCalls.ts";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { EngineNode } from "./importFixture.ts";

/** Work of one call. */
const BUDGET = 64;

/** The calls of an import over a node whose payments all hold. */
export function stagedOver({ engine }: EngineNode): PointParts["staged"] {
  const take = async <T>(call: () => T): Promise<T> => callCore(call);
  return {
    proof: async (raw) => {
      await take(() => engine.beginImport(raw));
      for (;;) {
        const view = readProofView(await take(() => engine.importProof(BUDGET)));
        if (view !== null) return view;
      }
    },
    points: (raw) => take(() => engine.importPoints(raw)),
    trusted: (page) => take(() => engine.importTrusted(page)),
    link: async () => {
      for (;;) {
        const wanted = readWantedBodies(await take(() => engine.linkTrusted(BUDGET)));
        if (wanted !== null) return wanted;
      }
    },
    body: async (raw) => {
      await take(() => engine.importBody(raw));
      return 0;
    },
    bindingChild: async () => asBlockHash(await take(() => engine.bindingChild())),
    binding: (raw) => take(() => engine.importBinding(raw)),
    lanes: (claim) => take(() => engine.importLanes(claim)),
    lanePage: (page) => take(() => engine.importLanePage(page)),
    state: (claim) => take(() => engine.importState(claim)),
    nullifiers: (bytes) => take(() => engine.importNullifiers(bytes)),
    ask: () => Promise.reject(new Error("not asked for")),
  };
}
