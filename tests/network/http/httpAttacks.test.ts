/** Attacks over HTTP that are known by name, against the whole program. */
import { beforeEach, expect, test } from "vitest";
import { pruneNetwork } from "../testkit/networkSizes.ts";
import type { NodeProcess } from "../testkit/nodeProcess.ts";
import { RawHttp, upgradeOf } from "./rawHttp.ts";
import { Scene } from "../testkit/scene.ts";

let node: NodeProcess;
let port: number;

beforeEach(async () => {
  node = await new Scene(pruneNetwork()).node({ name: "node" });
  port = Number(new URL(node.http).port);
});

/** Request targets at which a reader of URLs throws. */
const TARGETS = ["//", "http://[", "///", "//[", "/v1/live//", "*", "/v1/live?x=http://["];

test("the request GET // with an upgrade ends its connection and nothing else", async () => {
  for (const target of TARGETS) {
    const client = new RawHttp({ port });
    client.write(upgradeOf(target, `127.0.0.1:${port}`));
    expect(await client.status(), target).toMatch(/^HTTP\/1\.1 (101|400|404) /);
    client.cut();
    expect(node.hasEnded, target).toBe(false);
    expect((await fetch(`${node.http}/v1/tip`)).status, target).toBe(200);
  }
});
