/** The machine that measured or tested something. */
import { availableParallelism, cpus, platform, release, totalmem } from "node:os";

/** Its parts. */
export function machine() {
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
  };
}

/** The same in a line. */
export function machineText(): string {
  const { processor, cores, node } = machine();
  return `${processor.trim()}, ${cores} cores, Node ${node}`;
}
