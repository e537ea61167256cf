/** Calibration loop: a fixed amount of work, which tells how quick a thread is at this moment beside everything else that runs. */

/** Rounds over a table, which take a quarter to half a second of the processor. */
type Part = {
  readonly rounds: number;
  /** Size of the table, a power of two. */
  readonly words: number;
};

/** Arithmetic over a table in the nearest cache. */
const NEAR: Part = { rounds: 120_000_000, words: 4_096 };
/** More than the caches of a core hold: neighbours that fill the others are felt, as tests feel them. */
const FAR: Part = { rounds: 4_000_000, words: 2_097_152 };

/** Runs so many loops in this thread, parts of one too. Returns the seconds of the processor that the thread took. */
export function calibrate(loops = 1): number {
  const begun = process.threadCpuUsage();
  for (const { rounds, words } of [NEAR, FAR]) mixTable(loops * rounds, words);
  return secondsOf(process.threadCpuUsage(begun));
}

/** Processor time in seconds. */
export function secondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000_000;
}

/** Arithmetic of 32 bits with signs, which compilers treat alike from the first call on. Every round needs the one before it. */
function mixTable(rounds: number, words: number): void {
  const table = new Int32Array(words);
  let word = 1;
  for (let round = 0; round < rounds; round += 1) {
    const at = word & (words - 1);
    word = (Math.imul(word ^ (word >>> 15), 0x2c1b_3c6d) + (table[at] ?? 0) + round) | 0;
    table[at] = word;
  }
}
