/** Entry point of a proving thread: serves one shard of a proof pool. */
import { parentPort } from "node:worker_threads";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { movedBuffers, type ShardRequest } from "@svc/shared/core/shardMessages.ts";
import { shardServer } from "@svc/shared/core/shardServer.ts";
import { importProverGlue } from "../platform/files/wasmFiles.ts";

const port = parentPort;
if (port === null) throw new SvcError("internal/unexpected", { message: "not a worker thread" });

const serve = shardServer(await importProverGlue(), (report) =>
  port.postMessage(report, movedBuffers(report)),
);
port.on("message", (request: ShardRequest) => serve(request));
