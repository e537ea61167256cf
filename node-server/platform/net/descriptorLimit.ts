/** The limit of open file descriptors (files and connections) of this process. */
import { readFileSync } from "node:fs";

const FORM = /^Max open files +(\d+)/m;

/** The limit in force; Node has raised it at its start as far as it may. null where it cannot be read, or is none. */
export function descriptorLimit(path = "/proc/self/limits"): number | null {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return null;
  }
  const [, count] = FORM.exec(text) ?? [];
  return count === undefined ? null : Number(count);
}
