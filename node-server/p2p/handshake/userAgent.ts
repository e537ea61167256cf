/** The user agent: the name and version by which a program introduces itself to peers (specification network 1.2). */
import { P2P_LIMITS } from "../p2pLimits.ts";

const NAME = "svc";
const PROFILE_COMMENT = "profile-";
const DIGEST_DIGITS = 16;

/** The parts of a user agent: version, the network's digest, and the operator's comments. */
export type AgentParts = {
  readonly version: string;
  /** Hexadecimal digest of the profile. */
  readonly digest: string;
  readonly comments: readonly string[];
};

/** Formats the user agent: `/svc:0.1.0/svc:0.1.0(profile-0123456789abcdef; comment)/`, cut to `P2P_LIMITS.p2pAgentBytes`. */
export function userAgent({ version, digest, comments }: AgentParts): string {
  const own = `${NAME}:${version}`;
  const all = [`${PROFILE_COMMENT}${shortDigest(digest)}`, ...comments].map(plain);
  return `/${own}/${own}(${all.join("; ")})/`.slice(0, P2P_LIMITS.p2pAgentBytes);
}

/** The first digits of the profile's digest in a peer's user agent; null when it has none. */
export function agentDigest(agent: string): string | null {
  return /[(; ]profile-([0-9a-f]{16})[;)]/.exec(agent)?.[1] ?? null;
}

/** The digits of a digest that are written in a user agent. */
export function shortDigest(digest: string): string {
  return digest.slice(0, DIGEST_DIGITS);
}

/** Signs that part a name, and all but printable ASCII, say nothing in a comment. */
function plain(comment: string): string {
  return comment.replaceAll(/[^\x20-\x7e]|[()/;:]/g, "");
}
