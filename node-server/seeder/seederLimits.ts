/** Limits of the seeder: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

const MIB = 1024 * 1024;

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const SEEDER_LIMITS = {
  /** nodes. That a seeder knows; beyond it one of those that never answered goes. */
  seederNodes: 32_768,
  /** nodes. Of one neighbourhood that a seeder knows. */
  seederNodesPerBucket: 512,
  /** nodes. Known by the word of one host alone, never reached. */
  seederNodesPerGiver: 2_048,
  /** nodes. That a seeder tries at the same time. */
  seederTriesAtOnce: 32,
  /** nodes. That are chosen at a time to be tried; at most half of them never answered. */
  seederTriesPerRound: 512,
  /** ms. A seeder that has nobody to try looks again after this time. */
  seederIdleMs: 5_000,
  /** ms. For the whole visit of a node, so that those who say nothing keep nobody waiting for long. */
  seederProbeMs: 10_000,
  /** ms. Between two tries of a node that answers. */
  seederRetryMs: 900_000,
  /** times. That time is doubled while a node does not answer. */
  seederRetryDoublings: 6,
  /** failures. In a row, after which a node that never answered is forgotten. */
  seederFailures: 10,
  /** ms. A node that has not answered for as long is forgotten. */
  seederForgetMs: 1_209_600_000,
  /** ms. A node that has not answered for as long is not named. */
  seederFreshMs: 86_400_000,
  /** ms. A seeder's nodes are written to disk this often. */
  seederSaveMs: 300_000,
  /** bytes. Of the file of a seeder's nodes; a larger one is refused. */
  seederFileBytes: 64 * MIB,
  /** ms. The list of nodes to name is made anew this often. */
  seederListMs: 10_000,
  /** addresses. In one answer of a seeder. */
  dnsAnswers: 14,
  /** seconds. Others may keep an answer of a seeder this long. */
  dnsTtlSeconds: 60,
  /** seconds. Others may keep the name of a seeder's own server this long. */
  dnsServerTtlSeconds: 3_600,
  /** bytes. A question to a seeder; a larger one is not answered. */
  dnsQueryBytes: 512,
  /** records. Beside the question itself, such as an extension and a signature; a message with more is refused unread. */
  dnsQueryRecords: 2,
  /** bytes. An answer over UDP. */
  dnsUdpBytes: 512,
  /** times. The length of the question that an answer over UDP has at most: its sender may be forged. */
  dnsAmplification: 12,
  /** questions. Of one host in a second over UDP, and as many over TCP; what is above is not answered. */
  dnsQueriesPerSecond: 20,
  /** questions. Of one host at once after a pause. */
  dnsQueriesBurst: 100,
  /** questions. Of all hosts in a second over UDP, whose senders may be forged, and as many over TCP. */
  dnsQueriesPerSecondAll: 2_000,
  /** questions. Of all hosts at once after a pause. */
  dnsQueriesBurstAll: 4_000,
  /** hosts. Whose rates are remembered; the one heard of longest ago begins anew. */
  dnsSources: 16_384,
  /** connections. Open to a seeder; one more takes the place of the oldest. */
  dnsConnections: 64,
  /** connections. Of one host to a seeder; one more is refused. */
  dnsConnectionsPerHost: 4,
  /** ms. A connection to a seeder is closed after this time. */
  dnsConnectionMs: 5_000,
} as const;
