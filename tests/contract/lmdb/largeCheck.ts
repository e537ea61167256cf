/** Worker thread with little memory that checks a database file, and answers with its statistics or with the fault. */
import { parentPort, workerData } from "node:worker_threads";
import { checkLmdbFile } from "@svc/node-server/storage/lmdbCheck.ts";

const { path, leaves }: { path: string; leaves: number } = workerData;
try {
  parentPort?.postMessage(checkLmdbFile(path, { leaves }));
} catch (error) {
  parentPort?.postMessage(error instanceof Error ? error.message : "");
}
