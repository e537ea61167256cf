/** The engine worker: network, store, planning. Its calls are `EngineApi`. */
import "./disposePolyfill.ts";
import { expose } from "comlink";
import * as glue from "../../wasm-core/pkg/core/core.js";
import { engineCalls } from "../engine/engineCalls.ts";
import { installRpcErrors } from "./rpcErrors.ts";

installRpcErrors();
expose(engineCalls(glue));
