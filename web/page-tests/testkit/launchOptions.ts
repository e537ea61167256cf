/** How tests start Chromium: without any traffic of its own. */
import { STEP_HANG_MS } from "../../../tests/testkit/hangMs.ts";

/** `scripts/setup.sh` finds or installs one and leaves its path here. */
const EXECUTABLE = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium-headless-shell";

/** Options of Playwright for a browser; `more` are further options of its command line. */
export function launchOptions(more: readonly string[] = []) {
  return {
    executablePath: EXECUTABLE,
    headless: true,
    timeout: STEP_HANG_MS,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...more,
    ],
  };
}
