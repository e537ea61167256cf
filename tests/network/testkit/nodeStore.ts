/** Store checks of a node that does not run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import { callCore } from "@svc/shared/core/callCore.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { svcCommand } from "../../testkit/svcCommand.ts";
import { core, type Scene } from "./scene.ts";

/** Hash of a network's genesis block. */
export function genesisHashOf(profile: string): string {
  return callCore(() => core.genesisHash(core.canonicalProfile(profile)));
}

/** Options of a store check. */
export type StoreCheck = {
  /** Whether its proofs are judged too; else they are taken as the node judged them. At full size all are judged. */
  readonly judged?: boolean;
};

/** Checks a node's store with `svc verify`: rejects unless it finds no difference, by its answer and by its exit status. */
export async function expectSoundStore(
  scene: Scene,
  name: string,
  { judged = IS_FULL }: StoreCheck = {},
): Promise<void> {
  const options = [`--profile=${scene.profileFile}`, `--appdir=${scene.appdir(name)}`, "--json"];
  const unjudged = judged ? [] : ["--assume-proofs"];
  const [command, ...args] = svcCommand(["verify", ...options, ...unjudged]);
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  const [status, signal]: unknown[] = await once(child, "close");
  const said: unknown = JSON.parse(lines.at(-1) ?? "null");
  expect({ status, signal, said }).toMatchObject({
    status: 0,
    signal: null,
    said: { result: "same" },
  });
}
