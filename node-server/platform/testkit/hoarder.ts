/**
 * Entry point of a test thread that exhausts its memory: it keeps all it makes, and reports after each array of a million
 * numbers how many there are.
 */
import { parentPort } from "node:worker_threads";

const kept: number[][] = [];
parentPort?.once("message", () => {
  for (;;) parentPort?.postMessage(kept.push(Array<number>(1_000_000).fill(kept.length)));
});
