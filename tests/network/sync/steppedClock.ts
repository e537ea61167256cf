/**
 * Preload module that steps a node's wall clock, in each of its threads: it is the clock of the machine, set forward or
 * back by the milliseconds in the file `APPDIR.clock`, which the test writes at any time. Nothing else of the process has
 * another time: the steady clock and timers go on, as when somebody sets a machine's clock. A library that is loaded before
 * a program (libfaketime) moves timers too, and sets another time in each of its processes at another moment.
 */
import { readFileSync } from "node:fs";

/** Milliseconds of the steady clock between two looks at the file. */
const LOOK_MS = 5;

const appdir = process.argv.find((word) => word.startsWith("--appdir="))?.slice(9) ?? "";
const RealDate = Date;
const realNow = Date.now;
let [stepMs, lookedMs] = [0, -LOOK_MS];

function step(): number {
  const now = performance.now();
  if (now - lookedMs < LOOK_MS) return stepMs;
  lookedMs = now;
  try {
    stepMs = Number(readFileSync(`${appdir}.clock`, "utf8"));
  } catch {
    stepMs = 0;
  }
  return stepMs;
}

const steppedNow = (): number => realNow() + step();

globalThis.Date = new Proxy(RealDate, {
  construct: (real, words, target) =>
    Reflect.construct(real, words.length === 0 ? [steppedNow()] : words, target),
  apply: () => new RealDate(steppedNow()).toString(),
  get: (real, name) => (name === "now" ? steppedNow : Reflect.get(real, name)),
});
