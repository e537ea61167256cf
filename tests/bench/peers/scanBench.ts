/** Benchmark of trial decryption: a page of scan records in which one note is the wallet's own. */
import type { Bench, BenchOptions } from "../run/bench.ts";
import { requireEqual } from "./crossCheck.ts";
import type { Answer, LineProcess } from "./lineProcess.ts";
import { Peers, startPlanner } from "./peers.ts";
import { inTurns, type Sample } from "../run/rounds.ts";
import { oneCore, startOurs } from "./sides.ts";

const BLOCKS = 16;
const ACTIONS = 64;
/** The made-up wallet whose key is tried. */
const WALLET = 3;

/** The benchmark. Ours reads the page and writes the facts too; theirs is upstream's batch call alone. */
export const scanBench: Bench = {
  kind: "comparison",
  name: "scan",
  about: `trial decryption with one key, page of ${BLOCKS} blocks with ${ACTIONS} actions each`,
  async run(options) {
    const { signal } = options;
    const peers = await Peers.start(oneCore(), signal);
    const ours = startOurs(oneCore(), signal);
    try {
      const body = await pageOf(peers.planner);
      const page = { op: "scan", body, blocks: BLOCKS };
      const asked = { ours: { ...page, wallet: WALLET }, theirs: { ...page, wallets: [WALLET] } };
      const places = [(await ours.ask(asked.ours)).texts("positions").join(" ")];
      for (const answer of await peers.askAll(asked.theirs)) {
        places.push(answer.texts("positions").join(" "));
      }
      const named = places.map((text, side) => [side === 0 ? "ours" : `build ${side}`, text]);
      requireEqual("the found notes", Object.fromEntries(named));
      const [place = ""] = places;
      const rounds = await inTurns(
        {
          ours: async () => found(await ours.ask(asked.ours), place),
          ...peers.sides(async ({ side }) => found(await side.ask(asked.theirs), place)),
        },
        { ...options, log: options.log("") },
      );
      return {
        unit: "µs",
        per: "action and key",
        ours: rounds.of("ours", "decryption"),
        theirs: peers.theirs(rounds, { decryption: "try_compact_note_decryption" }),
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

async function subject({ signal }: BenchOptions, checkout: string) {
  const planner = startPlanner(oneCore(), signal);
  const body = await pageOf(planner).finally(() => planner.stop());
  const ours = startOurs(oneCore(), signal, checkout);
  const request = { op: "scan", body, blocks: BLOCKS, wallet: WALLET };
  const measure = async (): Promise<Sample> => {
    const answer = await ours.ask(request);
    if (answer.number("found") !== 1) throw new Error("the page's own note was not found");
    return { decryption: eachUs(answer) };
  };
  return { measure, stop: () => ours.stop() };
}

async function pageOf(planner: LineProcess): Promise<string> {
  const page = { op: "page", blocks: BLOCKS, actions: ACTIONS, wallet: WALLET };
  return (await planner.ask(page)).text("body");
}

/** Microseconds for an action; throws when the page's own note, or another, was found elsewhere. */
function found(answer: Answer, place: string): Sample {
  const positions = answer.texts("positions");
  if (positions.length !== 1 || positions[0] !== place) {
    throw new Error(`notes were found at ${positions.join(", ")}, not at ${place} alone`);
  }
  return { decryption: eachUs(answer) };
}

function eachUs(answer: Answer): number {
  return (answer.number("ms") * 1000) / (BLOCKS * ACTIONS);
}
