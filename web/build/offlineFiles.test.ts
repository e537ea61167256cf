import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inflateSync } from "node:zlib";
import { beforeEach, expect, it } from "vitest";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { appIcon } from "./appIcon.ts";
import { sha256 } from "./fileHashes.ts";
import { keptBuild } from "./offlineFiles.ts";

const FILES: Readonly<Record<string, string>> = {
  "headers.json": JSON.stringify([{ path: "/workers/*", headers: { "Cache-Control": "x" } }]),
  "wallet/index.html": '<script src="/assets/index-1.js"></script>',
  "wallet/manifest.webmanifest": '{"icons":"/assets/icon-1.png"}',
  "assets/index-1.js": 'new Worker("/workers/wallet.worker-1.js")',
  "assets/icon-1.png": "icon",
  "assets/core_bg-1.wasm": "core",
  "assets/prover_bg-1.wasm": "prover",
  "assets/explorer-1.js": "explorer",
  "workers/wallet.worker-1.js": '"core_bg-1.wasm prover_bg-1.wasm /workers/check.worker-1.js"',
  "workers/check.worker-1.js": "check",
};

let folder: string;
beforeEach(() => {
  folder = folderOfTest();
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
});

it("the service worker's list has the files that the wallet names, and no others", () => {
  const { files } = keptBuild(folder);
  expect(Object.keys(files)).toEqual([
    "/assets/core_bg-1.wasm",
    "/assets/icon-1.png",
    "/assets/index-1.js",
    "/assets/prover_bg-1.wasm",
    "/wallet/",
    "/wallet/manifest.webmanifest",
    "/workers/wallet.worker-1.js",
  ]);
  const later = Object.entries(files).filter(([, { isFirst }]) => !isFirst);
  expect(later.map(([path]) => path)).toEqual(["/assets/prover_bg-1.wasm"]);
  expect(files["/assets/core_bg-1.wasm"]).toMatchObject({
    hash: sha256("core"),
    bytes: 4,
    headers: { "Content-Type": "application/wasm" },
  });
  expect(files["/workers/wallet.worker-1.js"]?.headers).toMatchObject({ "Cache-Control": "x" });
});

it("its name changes with every file, and with the headers", () => {
  const { id } = keptBuild(folder);
  expect(keptBuild(folder).id).toBe(id);
  writeFileSync(join(folder, "assets/prover_bg-1.wasm"), "other");
  const second = keptBuild(folder).id;
  writeFileSync(join(folder, "headers.json"), "[]");
  expect(new Set([id, second, keptBuild(folder).id]).size).toBe(3);
});

it("the icon is the mark: white squares on the ground, the same bytes each time", () => {
  const icon = Buffer.from(appIcon(64));
  expect(icon.equals(appIcon(64))).toBe(true);
  expect(icon.subarray(1, 4).toString()).toBe("PNG");
  const begin = icon.indexOf("IDAT");
  const pixels = inflateSync(icon.subarray(begin + 4, begin + 4 + icon.readUInt32BE(begin - 4)));
  const at = (x: number, y: number) => [...pixels.subarray(y * 193 + 1 + x * 3).subarray(0, 3)];
  expect(at(0, 0)).toEqual([0x0b, 0x6e, 0x5f]);
  // 12, 13 of the mark.
  expect(at(25, 27)).toEqual([255, 255, 255]);
  expect(at(38, 37)).toEqual([255, 255, 255]);
});
