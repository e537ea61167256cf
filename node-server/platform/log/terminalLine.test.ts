import { expect, test } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { pino } from "pino";
import { terminalLine } from "./terminalLine.ts";

/** What a terminal shows of a line of the log. */
function shown(write: (log: pino.Logger) => void): string {
  const lines: string[] = [];
  const timestamp = (): string => ',"time":"2026-01-02T03:04:05.678Z"';
  const log = pino(
    { base: null, timestamp, level: "trace" },
    { write: (json) => lines.push(json) },
  );
  write(log);
  return lines.map(terminalLine).join("");
}

test("a line says when, what, and what of it is a fact", () => {
  expect(shown((log) => log.info({ peer: "1.2.3.4", outbound: true }, "a peer came"))).toBe(
    "03:04:05 info  a peer came peer=1.2.3.4 outbound=true\n",
  );
  expect(
    shown((log) =>
      log.child({ component: "sync" }).info({ progress: { done: 1 } }, "blocks 1 of 2 (50 %)"),
    ),
  ).toBe("03:04:05 info  sync: blocks 1 of 2 (50 %)\n");
});

test("an error is told by its code and facts", () => {
  const err = new SvcError("p2p/stalled", { awaited: "pong", limitMs: 5 });
  const line = shown((log) => log.warn({ err }, "catching up has failed"));
  expect(line).toContain("03:04:05 warn  catching up has failed (p2p/stalled");
});

test("what is no line of the log stays as it is", () => {
  for (const text of ["", "no json\n", "[1]\n", "null"]) expect(terminalLine(text)).toBe(text);
});
