/** Limits of threads, time and sockets: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

const MIB = 1024 * 1024;

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const PLATFORM_LIMITS = {
  /** MiB. New objects of a thread between two collections, from first to last: twice that is what they take at most, in five threads. */
  youngHeapMib: 4,
  /** MiB. Old objects of a worker thread, several times what any of them was seen to hold; one that needs more is started anew. */
  threadHeapMib: 512,
  /** arenas. Of the C library's allocator in one program: each keeps what was freed for its threads, up to eight a core. */
  mallocArenas: 2,
  /** ms. Of the steady clock between two looks whether the machine has slept; bans and ages of addresses lag by so much at most. */
  sleptLookMs: 1_000,
  /** restarts. Restarts of the engine or of one verifier without a success between them; then the node stops. */
  workerRestarts: 5,
  /** bytes. Lines of the log that wait for a slow reader; more are lost, and counted. A while of a busy node. */
  logWaitingBytes: 1 * MIB,
  /** lines. Of one message that the log takes at once, from level info on; more are left out, and counted. */
  logSameBurst: 60,
  /** lines a minute. Of one message after that. */
  logSamePerMinute: 12,
  /** messages. Whose lines are counted; a program has fewer, but for those with a figure in them. */
  logMessages: 256,
  /** series. Sets of labels of one metric that are counted; further ones are left out, so that nobody fills the memory with them. */
  metricSeries: 1_024,
  /** lines. Of a table of countries: free ones have some 600,000; one with more is refused. */
  countryRanges: 1_000_000,
  /** bytes. Of the file of such a table; a larger one is refused. */
  countryFileBytes: 64 * MIB,
  /** ms. A reader of the log that takes nothing is tried again after so long. */
  logRetryMs: 100,
  /** ms. How long a stopping component may take before it is ended. */
  stopMs: 10_000,
} as const;
