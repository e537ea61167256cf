/** What this program calls itself to peers (specification network 1.2). */
import { LIMITS } from "@svc/shared/base/limits.ts";

const NAME = "svc";
const PROFILE_COMMENT = "profile-";
const DIGEST_DIGITS = 16;

/** Of what a name is made: version, the network's digest, and what the operator adds. */
export type AgentParts = {
  readonly version: string;
  /** Hexadecimal digest of the profile. */
  readonly digest: string;
  readonly comments: readonly string[];
};

/** `/svc:0.1.0/svc:0.1.0(profile-0123456789abcdef; comment)/`, cut to `LIMITS.p2pAgentBytes`. */
export function userAgent({ version, digest, comments }: AgentParts): string {
  const own = `${NAME}:${version}`;
  const all = [`${PROFILE_COMMENT}${shortDigest(digest)}`, ...comments].map(plain);
  return `/${own}/${own}(${all.join("; ")})/`.slice(0, LIMITS.p2pAgentBytes);
}

/** First digits of the digest that a program says its network has; null when it says none. */
export function agentDigest(agent: string): string | null {
  return /[(; ]profile-([0-9a-f]{16})[;)]/.exec(agent)?.[1] ?? null;
}

/** The digits of a digest that a program's name has. */
export function shortDigest(digest: string): string {
  return digest.slice(0, DIGEST_DIGITS);
}

/** Signs that part a name, and all but printable ASCII, say nothing in a comment. */
function plain(comment: string): string {
  return comment.replaceAll(/[^\x20-\x7e]|[()/;:]/g, "");
}
