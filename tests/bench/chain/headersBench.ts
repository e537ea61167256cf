/** Benchmark of headers-first sync: how many headers a second one core takes in, and that memory does not grow with the chain. */
import { readFileSync } from "node:fs";
import * as v from "valibot";
import type { Bench } from "../run/bench.ts";
import { buildNative } from "../peers/nativeBuild.ts";
import { pinNote } from "../run/rounds.ts";
import { oneCore, startLoader } from "../peers/sides.ts";

const profileUrl = new URL("../../profiles/ingest.json", import.meta.url);

const answerForm = v.object({
  ms: v.number(),
  cpuMs: v.number(),
  longestCallMs: v.number(),
  longestCallCpuMs: v.number(),
  samples: v.array(
    v.object({
      headers: v.number(),
      rss: v.number(),
      rssAnon: v.nullable(v.number()),
      store: v.number(),
    }),
  ),
});

type Sample = v.InferOutput<typeof answerForm>["samples"][number];

/** The benchmark. */
export const headersBench: Bench = {
  kind: "report",
  name: "headers",
  about: "headers without bodies into a store on disk, one core: --count of them, rate and memory",
  figures: [{ field: "headers_per_s", better: "higher" }],
  async run({ count, signal }) {
    const maker = buildNative("svc-sim");
    const loader = startLoader(oneCore(), signal);
    try {
      const { value } = await loader.ask({ op: "headers", count, maker });
      const answer = v.parse(answerForm, value);
      const { ms, cpuMs, longestCallMs, longestCallCpuMs, samples } = answer;
      const memory = growth(samples, pruningDepth());
      const rate = (1_000 * count) / ms;
      const notes = [...pinNote()];
      if (!memory.pastPruning)
        notes.push("shorter than the pruning depth: growth from the half on");
      const { peak, own, grown } = memory;
      return {
        fields: {
          headers_per_s: rate,
          count,
          cpu_us_per_header: (1_000 * cpuMs) / count,
          longest_call_ms: longestCallMs,
          longest_call_cpu_ms: longestCallCpuMs,
          rss_mib: peak,
          rss_anon_mib: own,
          grown_mib: grown,
          store_mib: samples.at(-1)?.store ?? 0,
          samples,
          notes,
        },
        lines: [
          `  ${rate.toFixed(0)} headers a second, no call longer than ${longestCallMs.toFixed(0)} ms (${longestCallCpuMs.toFixed(0)} ms of processor time)`,
          `  ${((1_000 * cpuMs) / count).toFixed(0)} µs of processor time a header`,
          `  ${own.toFixed(0)} MiB of its own at most, ${peak.toFixed(0)} with mapped files`,
          `  ${grown.toFixed(0)} MiB grown since the pruning depth`,
        ],
      };
    } finally {
      loader.stop();
    }
  },
};

/** Own memory is what counts: pages of mapped files are given back when somebody needs the room. */
const ownOf = ({ rss, rssAnon }: Sample): number => rssAnon ?? rss;

/** What the second half of the time beyond the pruning depth has more than the first. */
function growth(samples: readonly Sample[], depth: number) {
  const count = samples.at(-1)?.headers ?? 0;
  const from = count >= 2 * depth ? depth : count / 2;
  const later = samples.filter(({ headers }) => headers >= from).map(ownOf);
  const middle = Math.ceil(later.length / 2);
  const grown = Math.max(...later.slice(middle)) - Math.max(...later.slice(0, middle));
  return {
    peak: Math.max(...samples.map(({ rss }) => rss)),
    own: Math.max(...samples.map(ownOf)),
    grown,
    pastPruning: count >= 2 * depth,
  };
}

function pruningDepth(): number {
  const profile: { pruningDepth: number } = JSON.parse(readFileSync(profileUrl, "utf8"));
  return profile.pruningDepth;
}
