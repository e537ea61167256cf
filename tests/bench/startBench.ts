/** From nothing to ready to prove, in a fresh process that finds the tables of an earlier one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, type Bench } from "./bench.ts";
import { inTurns, oneCore, startOurs, startPeer } from "./sides.ts";

/** The bench. Theirs is the building of upstream's proving key. */
export const startBench: Bench = {
  kind: "comparison",
  name: "start",
  about: "ready to prove, in a fresh process whose tables are stored",
  async run({ signal }) {
    const peer = startPeer(oneCore(), signal);
    const cacheFolder = mkdtempSync(join(tmpdir(), "svc-bench-start-"));
    const parts = { load: new Array<number>(), tables: new Array<number>() };
    const ready = async (): Promise<number> => {
      const ours = startOurs(oneCore(), signal);
      const answer = await ours.ask({ op: "open", workers: 1, cacheFolder });
      ours.stop();
      const phases = answer.numbers("phases");
      parts.load.push(phases["load"] ?? 0);
      parts.tables.push(phases["tables"] ?? 0);
      return answer.number("ms");
    };
    try {
      // The first start finds nothing and stores.
      const first = await ready();
      const { samples, notes } = await inTurns({
        ours: ready,
        theirs: async () => (await peer.ask({ op: "setup" })).number("ms"),
      });
      const phases = { load: median(parts.load), tables: median(parts.tables), first };
      return { unit: "ms", per: "start", ...samples, phases, notes };
    } finally {
      peer.stop();
      rmSync(cacheFolder, { recursive: true, force: true });
    }
  },
};
