/** Registry of the benchmarks that `npm run bench` knows. */
import type { Bench } from "./bench.ts";
import { dagBench } from "../pages/dagBench.ts";
import { edgeBench } from "../pages/edgeBench.ts";
import { gatewayBench } from "../gateway/gatewayBench.ts";
import { headersBench } from "../chain/headersBench.ts";
import { ibdBench } from "../chain/ibdBench.ts";
import { ingestBench } from "../chain/ingestBench.ts";
import { lightsyncBench } from "../wallet/lightsyncBench.ts";
import { memoryBench } from "../node/memoryBench.ts";
import { pageBench } from "../pages/pageBench.ts";
import { proveBench } from "../peers/proveBench.ts";
import { relayBench } from "../node/relayBench.ts";
import { reorgBench } from "../chain/reorgBench.ts";
import { scanBench } from "../peers/scanBench.ts";
import { startBench } from "../peers/startBench.ts";
import { storeBench } from "../chain/storeBench.ts";
import { treeBench } from "../peers/treeBench.ts";
import { walletdBench } from "../wallet/walletdBench.ts";
import { verifyBench } from "../peers/verifyBench.ts";
import { walletstoreBench } from "../pages/walletstoreBench.ts";

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
