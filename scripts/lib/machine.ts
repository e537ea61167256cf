/** Description of this machine (processor, memory, system), for records of tests and benchmarks. */
import { availableParallelism, cpus, platform, release, totalmem } from "node:os";

/** The fields of the description. */
export function machine() {
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
  };
}

/** The description in a line. */
export function machineText(): string {
  const { processor, cores, node } = machine();
  return `${processor.trim()}, ${cores} cores, Node ${node}`;
}
