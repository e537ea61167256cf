/** The progress line of catching up, for people. */
import type { SyncProgress } from "./syncMeter.ts";

const WORDS: Readonly<Record<SyncProgress["stage"], string>> = {
  negotiating: "asking a peer where its chain meets ours",
  proof: "judging a proof of work",
  trusted: "headers around the pruning point",
  headers: "headers",
  state: "state of the pruning point",
  bodies: "blocks",
  history: "note history",
  log: "anchor log",
};

/** Formats progress as `blocks 1,200 of 50,000 (2 %), 640 a second, 1 min 16 s left`. */
export function describeProgress({ stage, done, total, perSecond, leftMs }: SyncProgress): string {
  const count = (value: number): string => Math.round(value).toLocaleString("en-GB");
  const parts = [WORDS[stage]];
  if (total !== null && total > 0) {
    const percent = Math.min(100, Math.floor((100 * done) / total));
    parts[0] += ` ${count(done)} of ${count(total)} (${percent} %)`;
  } else if (done > 0) parts[0] += ` ${count(done)}`;
  if (perSecond >= 1) parts.push(`${count(perSecond)} a second`);
  if (leftMs !== null) parts.push(`${duration(leftMs)} left`);
  return parts.join(", ");
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
