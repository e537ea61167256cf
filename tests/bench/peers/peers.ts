/** Upstream's library as running programs, one for each of its builds. */
import type { Theirs } from "../run/comparison.ts";
import { LineProcess, type Answer } from "./lineProcess.ts";
import {
  PEER_BUILDS,
  peerProgram,
  readAbout,
  runnableBuilds,
  type PeerAbout,
  type PeerBuild,
  type PeerName,
} from "./peerBuilds.ts";
import type { Rounds, Sample } from "../run/rounds.ts";

/** One build that runs. */
export type Peer = { readonly build: PeerName; readonly side: LineProcess };

/** Starts the build that compiles fastest, for inputs that all builds make alike. */
export function startPlanner(cores: string, signal: AbortSignal): LineProcess {
  const [portable] = PEER_BUILDS;
  if (portable === undefined) throw new Error("there is a portable build");
  return startBuild(portable, cores, signal);
}

function startBuild(build: PeerBuild, cores: string, signal: AbortSignal): LineProcess {
  return new LineProcess({ command: peerProgram(build), args: [], cores, signal });
}

/** All builds that this machine can run. */
export class Peers {
  readonly all: readonly Peer[];
  /** What each says of itself. */
  readonly about: readonly PeerAbout[];
  /** What is to be said of builds that are missing. */
  readonly notes: readonly string[];

  private constructor(all: readonly Peer[], about: readonly PeerAbout[], notes: readonly string[]) {
    this.all = all;
    this.about = about;
    this.notes = notes;
  }

  /** Compiles them where needed, which takes minutes, and starts them. Rejects when one is not what its name says. */
  static async start(cores: string, signal: AbortSignal): Promise<Peers> {
    const { builds, notes } = runnableBuilds();
    const all: Peer[] = [];
    const about: PeerAbout[] = [];
    try {
      for (const build of builds) {
        const side = startBuild(build, cores, signal);
        all.push({ build: build.name, side });
        about.push(readAbout(build, (await side.ask({ op: "about" })).value));
      }
    } catch (error) {
      for (const { side } of all) side.stop();
      throw error;
    }
    return new Peers(all, about, notes);
  }

  /** Starts another process of a build. */
  static fresh(name: PeerName, cores: string, signal: AbortSignal): LineProcess {
    const build = PEER_BUILDS.find((one) => one.name === name);
    if (build === undefined) throw new Error(`there is no build ${name}`);
    return startBuild(build, cores, signal);
  }

  /** Any of them, for inputs that all make alike. */
  get planner(): LineProcess {
    const [first] = this.all;
    if (first === undefined) throw new Error("there is a portable build");
    return first.side;
  }

  /** A side of each build for [`inTurns`]. */
  sides(measure: (peer: Peer) => Promise<Sample>): Record<string, () => Promise<Sample>> {
    return Object.fromEntries(this.all.map((peer) => [peer.build, () => measure(peer)]));
  }

  /** The samples of every build; `ways` names the call behind each figure. */
  theirs(rounds: Rounds, ways: Readonly<Record<string, string>>): readonly Theirs[] {
    return this.all.flatMap(({ build }) =>
      Object.entries(ways).map(([figure, way]) => ({
        build,
        way,
        samples: rounds.of(build, figure),
      })),
    );
  }

  /** The same question to all of them, one after the other. */
  async askAll(request: Readonly<Record<string, unknown>>): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (const { side } of this.all) answers.push(await side.ask(request));
    return answers;
  }

  /** Ends them. Calling it again does nothing. */
  stop(): void {
    for (const { side } of this.all) side.stop();
  }
}
