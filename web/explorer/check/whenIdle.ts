/** Begins work once a page has nothing else to do, where its visitor does not save data. */
import { PAGE_LIMITS } from "../../pageLimits.ts";

/** Begins it; returns how not to. */
export function whenIdle(work: () => void): () => void {
  if (savesData()) return () => undefined;
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(work, PAGE_LIMITS.checkIdleMs);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work, { timeout: PAGE_LIMITS.checkIdleMs });
  return () => cancelIdleCallback(handle);
}

/** The core has some megabytes: who saves data presses a button first. */
function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, "connection");
  return (
    typeof connection === "object" &&
    connection !== null &&
    Reflect.get(connection, "saveData") === true
  );
}
