import { expect, it } from "vitest";
import { stopWithNpx } from "./stopWithNpx.ts";

const NPX = { npm_lifecycle_event: "npx", npm_lifecycle_script: "'svc'" };

/** A program started with this environment by process 7, or another one. */
function started(
  environment: Readonly<Record<string, string>>,
  { parent = 7, first = "/sbin/init" } = {},
) {
  const events: string[] = [];
  const looks = new Set<() => void>();
  const state = { parent };
  stopWithNpx({
    environment,
    parent: () => state.parent,
    firstCommand: () => first,
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

it.each(["/sbin/init", "/sbin/launchd", "tini\0--\0npx\0svc", ""])(
  "a program whose shell has ended while it was loaded stops at once (first process: %j)",
  (first) => {
    const { events, looks } = started(NPX, { parent: 1, first });
    expect([events, looks.size]).toEqual([["stop"], 0]);
  },
);

it.each(["npm exec svc", "node\0/usr/local/bin/npx\0svc\0", "/usr/bin/node\0/lib/npm-cli.js\0x"])(
  "a program that npx runs as the first process of a container, without a shell, goes on (%j)",
  (first) => {
    const { events, looks } = started(NPX, { parent: 1, first });
    expect([events, looks.size]).toEqual([[], 1]);
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
