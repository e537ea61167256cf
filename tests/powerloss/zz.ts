import { fileURLToPath } from "node:url";
import { recordFiles } from "./recordFiles.ts";
const r = recordFiles(fileURLToPath(new URL("storeRun.ts", import.meta.url)), ["4"]);
for (const [i,op] of r.ops.entries()) if (i<150) console.log(i, op.kind==="write"?{...op,bytes:op.bytes.length}: JSON.stringify(op));
