/** Program of the kill test of wallet folders: does one piece of work on a disk that kills it, and says what it acknowledged. */
import { writeSync } from "node:fs";
import {
  cheapCore,
  openFolder,
  secretOf,
  TEST_NETWORK,
  TOKEN,
} from "@svc/node-server/walletd/keys/testkit/keysScene.ts";
import { changeFolderSecret } from "@svc/node-server/walletd/tools/changeFolderSecret.ts";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { dyingDisk } from "./dyingDisk.ts";

const [path = "", work = "", spared = "0", from = "", to = ""] = process.argv.slice(2);
const disk = dyingDisk(Number(spared));
const secret = (text: string) => (text === "" ? null : secretOf(text));

if (work === "change") {
  await changeFolderSecret({
    path,
    network: TEST_NETWORK.network,
    core: cheapCore(),
    from: secret(from),
    to: secret(to) ?? "plaintext",
    signal: new AbortController().signal,
    disk,
  });
  writeSync(1, "changed");
} else {
  const wallets = await openFolder(path, { disk, secret: secret(from) });
  if (work === "scan") {
    await wallets.writeScan(TOKEN, new TextEncoder().encode("second"));
    writeSync(1, "written");
  } else {
    const birthday = asDaaScore(0n);
    const { seed } = await wallets.create(TOKEN, { birthday, replace: work === "replace" });
    writeSync(1, seed.reveal(encodeHex));
  }
}
process.exit(0);
