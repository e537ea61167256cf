/**
 * Entry of a shard worker, a web worker that computes a share of each proof. Its first message is the port that leads to
 * the prove worker; no network.
 */
import "../threads/disposePolyfill.ts";
import { movedBuffers, type ShardRequest } from "@svc/shared/core/shardMessages.ts";
import { shardServer } from "@svc/shared/core/shardServer.ts";
import * as glue from "../../wasm-core/pkg/prover/prover.js";

addEventListener("message", ({ data: port }: MessageEvent<MessagePort>) => {
  const serve = shardServer(glue, (report) => port.postMessage(report, movedBuffers(report)));
  port.addEventListener("message", ({ data }: MessageEvent<ShardRequest>) => serve(data));
  port.start();
});
