/** Child process that reads segment files with no file descriptor left, and prints the outcome as JSON. */
import { openSync } from "node:fs";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { SegmentFiles } from "@svc/node-server/storage/segmentFiles.ts";

const [folder = ""] = process.argv.slice(2);
const FILES = 6;
const payload = Uint8Array.of(1, 2, 3);
const at = (segment: number) => ({ segment, offset: 8, length: payload.length });

/** What reading says: the payload's length, or the code of the error. */
function outcome(files: SegmentFiles, segment: number): number | string {
  try {
    return files.read(at(segment)).length;
  } catch (error) {
    return SvcError.from(error).code;
  }
}

const writer = new SegmentFiles(folder);
const writes = Array.from({ length: FILES }, (_, index) => ({ locator: at(index + 1), payload }));
writer.write(writes);
writer.close();
const [used, fresh] = [new SegmentFiles(folder, { readOnly: true }), new SegmentFiles(folder)];
for (const segment of [1, 2]) outcome(used, segment);
let taken = 0;
try {
  for (; ; taken += 1) openSync("/dev/null", "r");
} catch {
  const said = {
    taken,
    fresh: outcome(fresh, 3),
    used: [3, 1, 4, 5].map((one) => outcome(used, one)),
  };
  process.stdout.write(JSON.stringify(said));
}
