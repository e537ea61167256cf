import { expect, it } from "vitest";
import { stopWithNpx } from "./stopWithNpx.ts";

const NPX = { npm_lifecycle_event: "npx", npm_lifecycle_script: "'svc'" };

/** A program started with this environment by process 7. */
function started(environment: Readonly<Record<string, string>>) {
  const events: string[] = [];
  const looks = new Set<() => void>();
  const state = { parent: 7 };
  stopWithNpx({
    environment,
    parent: () => state.parent,
    every: (_, look) => {
      looks.add(look);
      return () => looks.delete(look);
    },
    stop: () => events.push("stop"),
  });
  const look = (): void => {
    for (const each of looks) each();
  };
  return { state, events, look, looks };
}

it.each(["'svc'", "svc node --simnet", "node_modules/.bin/svc"])(
  "a program that npx runs as %s stops once when its shell has ended",
  (script) => {
    const { state, events, look, looks } = started({ ...NPX, npm_lifecycle_script: script });
    look();
    expect(events).toEqual([]);
    state.parent = 1;
    look();
    look();
    expect([events, looks.size]).toEqual([["stop"], 0]);
  },
);

it.each([
  {},
  { npm_lifecycle_event: "npx", npm_lifecycle_script: "'other'" },
  { npm_lifecycle_event: "daemon", npm_lifecycle_script: "svc walletd &" },
])("another one outlives its parent (%o)", (environment) => {
  const { looks } = started(environment);
  expect(looks.size).toBe(0);
});
