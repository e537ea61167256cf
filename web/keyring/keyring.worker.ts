/**
 * Entry of the keyring worker, a web worker without network access: it holds the seed while the wallet is open and ends
 * when the wallet is locked.
 */
import "../threads/disposePolyfill.ts";
import { expose } from "comlink";
import * as glue from "../../wasm-core/pkg/core/core.js";
import { Keyring } from "./keyring.ts";
import { keyringCalls } from "./keyringCalls.ts";
import { installRpcErrors } from "../threads/rpcErrors.ts";

installRpcErrors();
const keyring = new Keyring(glue, () => performance.now());
expose(keyringCalls(keyring, (api, port) => expose(api, port)));
