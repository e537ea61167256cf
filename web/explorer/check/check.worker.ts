/**
 * Entry of the check worker, the web worker in which a visitor's browser checks what a server says. It has no network: the page asks for
 * it. Its calls are `CheckApi`.
 */
import "../../threads/disposePolyfill.ts";
import { expose } from "comlink";
import * as glue from "../../../wasm-core/pkg/core/core.js";
import { installRpcErrors } from "../../threads/rpcErrors.ts";
import { checkCalls } from "./checkCalls.ts";

installRpcErrors();
expose(checkCalls(glue));
