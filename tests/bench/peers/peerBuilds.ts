/** Builds of upstream's library that ours is compared with, from the usual one to the fastest. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { buildNative } from "./nativeBuild.ts";

/** How upstream is built. */
export type PeerName = "portable" | "asm" | "native";

/** One build. */
export type PeerBuild = {
  readonly name: PeerName;
  /** Features of crate `bench-peer`. */
  readonly features: readonly string[];
  /** Flags for the compiler. */
  readonly flags: string;
};

/** All builds: as upstream comes, with its arithmetic in assembly, and compiled for the very processor besides. */
export const PEER_BUILDS: readonly PeerBuild[] = [
  { name: "portable", features: [], flags: "" },
  { name: "asm", features: ["asm"], flags: "" },
  { name: "native", features: ["asm"], flags: "-C target-cpu=native" },
];

const aboutForm = v.object({
  backend: v.string(),
  features: v.array(v.string()),
  opt_level: v.string(),
  target_cpu: v.string(),
  target_features: v.string(),
  flags: v.string(),
});

/** What a build says of itself. */
export type PeerAbout = v.InferOutput<typeof aboutForm> & { readonly build: PeerName };

/** The builds that run on this machine, and what is to be said of those that do not. */
export function runnableBuilds(): { builds: readonly PeerBuild[]; notes: readonly string[] } {
  if (hasAssembly(process.arch, cpuFlags())) return { builds: PEER_BUILDS, notes: [] };
  const note =
    "upstream's assembly does not run on this processor: compared with the portable build alone";
  return { builds: PEER_BUILDS.filter(({ features }) => features.length === 0), notes: [note] };
}

/** Whether upstream's assembly runs on such a processor: on x86-64 it needs two extensions and asks for neither. */
export function hasAssembly(architecture: string, flags: readonly string[]): boolean {
  if (architecture === "arm64") return true;
  return architecture === "x64" && ["adx", "bmi2"].every((flag) => flags.includes(flag));
}

function cpuFlags(): readonly string[] {
  try {
    return /^flags\s*:\s*(.*)$/m.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1]?.split(" ") ?? [];
  } catch {
    return [];
  }
}

/** The build's program; compiles it if anything changed. `SVC_BENCH_PEERS` may name a folder that holds one for each build. */
export function peerProgram({ name, features, flags }: PeerBuild): string {
  const folder = process.env["SVC_BENCH_PEERS"];
  if (folder !== undefined) return join(folder, name);
  return buildNative("svc-bench-peer", { target: join("peer", name), features, flags });
}

/**
 * Reads what a build says of itself, and refuses one that is not what its name says: another's figures would be taken for
 * its.
 */
export function readAbout(build: PeerBuild, value: unknown): PeerAbout {
  const about = v.parse(aboutForm, value);
  const isAssembly = about.backend !== "portable";
  const isNative = about.target_cpu === "native";
  const wanted = [build.features.includes("asm"), build.name === "native", "3"];
  const found = [isAssembly, isNative, about.opt_level];
  if (wanted.some((one, place) => one !== found[place])) {
    throw new Error(`this is not the build ${build.name}: ${JSON.stringify(about)}`);
  }
  return { build: build.name, ...about };
}
