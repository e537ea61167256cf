import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ByteWriter } from "@svc/shared/base/bytes.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { encodeRawHeaders } from "@svc/shared/protocol/raw/rawHeaders.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { BlockMaker, core, recipient, simnet } from "../../integration/engine/engineFixture.ts";
import { loadHeaders } from "./headerLoader.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** A program that writes these calls: length u32, bytes. */
function makerOf(calls: readonly Uint8Array[]): string {
  const bytes = new ByteWriter();
  for (const call of calls) bytes.block(call);
  const data = join(folder.path, "calls.bin");
  writeFileSync(data, bytes.toBytes());
  const maker = join(folder.path, "maker");
  writeFileSync(maker, `#!/bin/sh\ncat "${data}"\n`, { mode: 0o755 });
  return maker;
}

test("a load tells the longest call's time and the most processor time of a call", async () => {
  const source = new BlockMaker();
  const headers = Array.from({ length: 30 }, () => ({
    header: decodeRawBlock(source.next(recipient(1))).header,
  }));
  const calls = [0, 10, 20].map((from) => encodeRawHeaders(headers.slice(from, from + 10)));
  const loaded = await loadHeaders(core, {
    folder: join(folder.path, "store"),
    profile: simnet,
    profileFile: "",
    maker: makerOf(calls),
    count: headers.length,
  });
  expect(loaded.samples.at(-1)?.headers).toBe(headers.length);
  // Of four calls, one ends the group.
  for (const [longest, all] of [
    [loaded.longestCallMs, loaded.ms],
    [loaded.longestCallCpuMs, loaded.cpuMs],
  ] as const) {
    expect(longest).toBeLessThanOrEqual(all);
    expect(longest).toBeGreaterThanOrEqual(all / 4);
  }
});
