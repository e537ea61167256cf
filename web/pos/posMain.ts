/** Script of the point of sale. Each page says which one it is. */
import { posPart } from "./posPart.ts";
import { heedSignIn } from "./signIn.ts";
import { heedSignOut } from "./signOut.ts";
import { startTill } from "./till.ts";

function start(part: HTMLElement): void {
  const view = part.dataset["view"];
  if (view === "sign-in") return heedSignIn(part);
  heedSignOut(part);
  if (view === "till") startTill(part);
}

start(posPart());
// Over plain http browsers have none; the till works without, and cannot be installed.
if ("serviceWorker" in navigator) {
  void navigator.serviceWorker.register("/pos/worker.js", { scope: "/pos" }).catch(() => undefined);
}
