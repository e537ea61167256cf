/**
 * Starts `npm run edge`'s program, asks its Worker, calls its Cron and ends it: `edgeScene.ts PORT DATA-FOLDER`. Writes what it saw
 * as a line of JSON. A program of its own, since it runs in a network namespace without a network.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { fileURLToPath } from "node:url";

const [, , port = "", data = ""] = process.argv;
const run = fileURLToPath(new URL("../../../scripts/run.sh", import.meta.url));
const address = `http://127.0.0.1:${port}`;

const child = spawn("sh", [run, "scripts/edge.ts", "--port", port, "--data", data], {
  stdio: ["ignore", "pipe", "inherit"],
});
let said = "";
const answers = Promise.withResolvers<void>();
child.stdout.on("data", (chunk: Buffer) => {
  said += chunk.toString();
  if (said.includes("edge: the gateway answers")) answers.resolve();
});
const ended = once(child, "exit");

const ask = (path: string) => fetch(`${address}${path}`).catch(() => null);
await Promise.race([answers.promise, ended]);
const health = await ask("/health");
const body = await health?.text();
const cron = await ask("/cdn-cgi/local/scheduled");
await cron?.text();
const isOffline = Object.keys(networkInterfaces()).every((name) => name === "lo");
child.kill("SIGTERM");
const [status]: unknown[] = await ended;
console.log(
  JSON.stringify({ health: health?.status, body, cron: cron?.status, status, isOffline, said }),
);
