/** Limits of the core and of proving: a unit, then what each bounds and what happens beyond it. `LIMITS.md` shows them. */

const MIB = 1024 * 1024;

/** The limits by name; unit, reason and what happens beyond each are in its comment. */
export const CORE_LIMITS = {
  /** bytes. A core that stopped and whose memory cannot grow by so much has used it up; else it stopped on a defect. */
  coreSpareBytes: 64 * MIB,
  /** threads. Most threads that a person may ask for to make or check proofs; more are refused. */
  proofThreadsMax: 16,
  /** threads. Threads that share one proof unless the user asks for another number; more gain little. */
  proofThreadsDefault: 8,
  /** tasks. Of a proof, that another thread has at a time: it need not wait until the pool's thread has done its own. */
  proofTasksAhead: 2,
} as const;
