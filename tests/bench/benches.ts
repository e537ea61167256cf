/** The benchmarks that `npm run bench` knows. */
import type { Bench } from "./bench.ts";
import { storeBench } from "./storeBench.ts";

/** All benchmarks. */
export const BENCHES: readonly Bench[] = [storeBench];
