/** Limits of the explorer at the edge: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const EXPLORER_LIMITS = {
  /** nodes. That one explorer asks; with more it does not start. */
  originNodes: 8,
  /** ms. Pause between the end of one request for a path to a node and the next for the same path to it: never more than two a second. */
  originPauseMs: 500,
  /** ms. A node has so long to answer; then another one is asked. */
  originAnswerMs: 4_000,
  /** nodes. Asked for one answer, one after the other; then the last data are shown. */
  originTries: 2,
  /** bytes. An answer of a node; a longer one is not read to its end, and another node is asked. */
  originAnswerBytes: 4_194_304,
  /** bytes. The refusal of a node, such as 404. */
  originRefusalBytes: 4_096,
  /** requests. That one relay object has under way to nodes at once: the platform allows six connections. One more waits. */
  originAtOnce: 6,
  /** requests. That wait for their turn at one relay object; one more gets the last data, or 503. */
  originWaiting: 64,
  /** ms. Pause of a node that was not reached twice in a row; each further time doubles it. */
  nodePauseMs: 1_000,
  /** ms. Longest such pause. */
  nodePauseMaxMs: 30_000,
  /** ms. Between two looks at each node's network, tip and health. */
  nodeLookMs: 5_000,
  /** ms. A node whose tip was not seen for so long is asked after those whose tips were. */
  nodeSeenMs: 15_000,
  /** ms. How old what a relay object knows of the nodes may be; then it asks the object that looks at them. */
  standingAgeMs: 5_000,
  /** blocks. How far the DAA score of a node may be behind that of the others. */
  nodeLagScore: 60,
  /** ms. How long it may be so far behind; then it is not asked until it is there again. */
  nodeLagMs: 30_000,
  /** objects. That ask the nodes, each for its part of the paths: one object answers a thousand calls a second. */
  relays: 8,
  /** bytes. Answers that one of these objects holds; those that were asked for longest ago go first. */
  relayBytes: 8_388_608,
  /** paths. Whose last request one of these objects remembers, to keep the pause. */
  relayPaths: 8_192,
  /** bytes. Answers that one instance of the Worker holds; beyond it the platform's cache is asked. */
  heldBytes: 25_165_824,
  /** paths. Of answers that one instance holds at most. */
  heldPaths: 16_384,
  /** ms. How long an answer is shown whose nodes do not answer any more, with its age; then 503. */
  lastDataMs: 3_600_000,
  /** ms. How long a request waits for a newer answer while it has an older one that may be shown. */
  staleWaitMs: 400,
  /** ms. An instance that has asked for a newer answer does not ask again for so long. */
  renewPauseMs: 250,
  /** seconds. Longest time that an answer is taken for fresh, and that it is shown beyond that while a newer one is asked for, whatever its node says. */
  freshMostS: 86_400,
  /** seconds. How long a refusal of a node holds, such as 404: what is unknown now may come with the next block. */
  refusalFreshS: 5,
  /** bytes. The body of a call: a search for the most ids that there may be. A longer one is refused. */
  bodyBytes: 8_192,
  /** calls. Of one visitor in a minute, pages among them, unless the operator says otherwise: a few open pages, each of which asks for a few documents a second. One more is answered 429. */
  readsPerMinute: 900,
  /** calls. Of one visitor in a minute for searches, which are rarely in a cache. */
  searchesPerMinute: 60,
  /** visitors. Whose calls one instance counts; those that called longest ago are forgotten. */
  visitors: 16_384,
  /** ms. How long an instance goes by what it has heard of the explorer's health. */
  healthHeldMs: 1_000,
  /** ms. How old the newest data may be; then the explorer says that it is not healthy. */
  healthLagMs: 60_000,
  /** minutes. How far back a new history begins; it goes on from there. */
  historyBackMinutes: 1_440,
  /** minutes. Written for good in one run at most: a run has a thousand calls, and comes each minute. */
  historyMinutesAtOnce: 10,
  /** minutes. Age at which a minute is written for good: far more blocks than any reorganisation takes back. */
  historyFinalMinutes: 20,
  /** minutes. The newest whole ones, which are written in each run. */
  historyYoungMinutes: 2,
  /** minutes. Blocks are remembered for so long, a year: they take 20 megabytes a day of the ten gigabytes that a database may have. Payments and counts stay. */
  historyBlockMinutes: 525_600,
  /** calls. Under way at once in a run. */
  historyAsksAtOnce: 4,
  /** hashes. Of one bucket that is read, one more than fits: 16,384 bytes with 14 for each. */
  historyBucketRows: 1_171,
  /** rows. Of the history in one answer, the oldest first; the next question begins behind the last. */
  historyRows: 1_500,
  /** ms. How long an instance goes by what it has read of the history about a hash. */
  historyHeldMs: 5_000,
  /** hashes. About which an instance remembers that. */
  historyHeldHashes: 4_096,
  /** bytes. The file that says with which headers the built files are served. */
  headerFileBytes: 65_536,
  /** seconds. After which it is worth asking again what no node answers now. */
  retryS: 10,
} as const;
