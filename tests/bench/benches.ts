/** Registry of the benchmarks that `npm run bench` knows. */
import type { Bench } from "./bench.ts";
import { dagBench } from "./dagBench.ts";
import { edgeBench } from "./edgeBench.ts";
import { gatewayBench } from "./gatewayBench.ts";
import { headersBench } from "./headersBench.ts";
import { ibdBench } from "./ibdBench.ts";
import { ingestBench } from "./ingestBench.ts";
import { lightsyncBench } from "./lightsyncBench.ts";
import { memoryBench } from "./memoryBench.ts";
import { pageBench } from "./pageBench.ts";
import { proveBench } from "./proveBench.ts";
import { relayBench } from "./relayBench.ts";
import { reorgBench } from "./reorgBench.ts";
import { scanBench } from "./scanBench.ts";
import { startBench } from "./startBench.ts";
import { storeBench } from "./storeBench.ts";
import { treeBench } from "./treeBench.ts";
import { walletdBench } from "./walletdBench.ts";
import { verifyBench } from "./verifyBench.ts";
import { walletstoreBench } from "./walletstoreBench.ts";

/** All benchmarks. */
export const BENCHES: readonly Bench[] = [
  storeBench,
  proveBench,
  verifyBench,
  scanBench,
  treeBench,
  startBench,
  ingestBench,
  reorgBench,
  headersBench,
  ibdBench,
  relayBench,
  memoryBench,
  walletdBench,
  gatewayBench,
  edgeBench,
  dagBench,
  lightsyncBench,
  walletstoreBench,
  pageBench,
];
