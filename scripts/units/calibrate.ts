/** Calibration loop: a fixed amount of work, which tells how quick a thread is at this moment beside everything else that runs. */

/** Rounds of the loop: between half a second and a second of the processor. */
const ROUNDS = 250_000_000;
/** Words of the table, a power of two; it stays in the nearest cache. */
const WORDS = 4_096;

/** Runs the loop in this thread. Returns the seconds of the processor that the thread took. */
export function calibrate(rounds: number = ROUNDS): number {
  const begun = process.threadCpuUsage();
  mixTable(rounds);
  return secondsOf(process.threadCpuUsage(begun));
}

/** What was taken of the processor, in seconds. */
export function secondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000_000;
}

/** Arithmetic of 32 bits with signs, which compilers treat alike from the first call on. Every round needs the one before it. */
function mixTable(rounds: number): void {
  const table = new Int32Array(WORDS);
  let word = 1;
  for (let round = 0; round < rounds; round += 1) {
    const at = word & (WORDS - 1);
    word = (Math.imul(word ^ (word >>> 15), 0x2c1b_3c6d) + (table[at] ?? 0) + round) | 0;
    table[at] = word;
  }
}
