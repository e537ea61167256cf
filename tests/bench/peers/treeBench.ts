/** Benchmark of the note commitment tree: Merkle nodes and note commitments. */
import type { Bench, BenchOptions } from "../run/bench.ts";
import { requireEqual } from "./crossCheck.ts";
import type { Answer, LineProcess } from "./lineProcess.ts";
import { Peers, startPlanner } from "./peers.ts";
import { inTurns, type Sample } from "../run/rounds.ts";
import { oneCore, startOurs } from "./sides.ts";

const LEAVES = 1024;
const NODES = LEAVES - 1;

/** The benchmark. Its headline is Merkle nodes, of which upstream has a batch call; it has none for note commitments. */
export const treeBench: Bench = {
  kind: "comparison",
  name: "tree",
  about: `${NODES} Merkle nodes, and ${LEAVES} note commitments`,
  async run(options) {
    const { signal } = options;
    const peers = await Peers.start(oneCore(), signal);
    const ours = startOurs(oneCore(), signal);
    try {
      const input = await inputOf(peers.planner);
      await requireSame(ours, peers, input);
      const rounds = await inTurns(
        {
          ours: () => measured(ours, input),
          ...peers.sides(async ({ side }) => ({
            node: nodeUs(await side.ask({ ...input.merkle, batched: false })),
            batch: nodeUs(await side.ask({ ...input.merkle, batched: true })),
            commitment: noteUs(await side.ask(input.commit)),
          })),
        },
        { ...options, log: options.log("") },
      );
      const nodes = { node: "combine", batch: "combine_batch" };
      const commitment = {
        unit: "µs" as const,
        per: "note commitment",
        ours: rounds.of("ours", "commitment"),
        theirs: peers.theirs(rounds, { commitment: "CommitDomain::short_commit" }),
      };
      return {
        unit: "µs",
        per: "Merkle node",
        ours: rounds.of("ours", "node"),
        theirs: peers.theirs(rounds, nodes),
        more: { note_commitment: commitment },
        peers: peers.about,
        phases: {},
        notes: [...peers.notes, ...rounds.notes],
      };
    } finally {
      ours.stop();
      peers.stop();
    }
  },
  subject,
};

/** What is asked of all sides. */
type Input = {
  readonly merkle: { readonly op: "merkle"; readonly leaves: string };
  readonly commit: { readonly op: "commit"; readonly notes: string };
};

async function inputOf(planner: LineProcess): Promise<Input> {
  const made = await planner.ask({ op: "notes", count: LEAVES });
  const [notes, leaves] = [made.text("notes"), made.text("leaves")];
  return { merkle: { op: "merkle", leaves }, commit: { op: "commit", notes } };
}

/** Every commitment and the root over all nodes are the same on all sides. */
async function requireSame(ours: LineProcess, peers: Peers, input: Input): Promise<void> {
  const roots = { ours: (await ours.ask(input.merkle)).text("root") };
  const commitments = { ours: (await ours.ask(input.commit)).text("commitments") };
  for (const { build, side } of peers.all) {
    for (const batched of [false, true]) {
      const answer = await side.ask({ ...input.merkle, batched });
      if (answer.number("nodes") !== NODES) throw new Error(`${build} made other nodes`);
      Object.assign(roots, { [`${build} ${batched}`]: answer.text("root") });
    }
    Object.assign(commitments, {
      [build]: (await side.ask(input.commit)).text("commitments"),
    });
  }
  requireEqual("the roots", roots);
  requireEqual("the commitments", commitments);
}

async function subject({ signal }: BenchOptions, checkout: string) {
  const planner = startPlanner(oneCore(), signal);
  const input = await inputOf(planner).finally(() => planner.stop());
  const ours = startOurs(oneCore(), signal, checkout);
  return { measure: () => measured(ours, input), stop: () => ours.stop() };
}

async function measured(ours: LineProcess, { merkle, commit }: Input): Promise<Sample> {
  return { node: nodeUs(await ours.ask(merkle)), commitment: noteUs(await ours.ask(commit)) };
}

function nodeUs(answer: Answer): number {
  return (answer.number("ms") * 1000) / NODES;
}

function noteUs(answer: Answer): number {
  return (answer.number("ms") * 1000) / LEAVES;
}
