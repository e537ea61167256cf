/** The keyring worker: no network, holds the seed while the wallet is open, ends when it is locked. */
import "./disposePolyfill.ts";
import { expose } from "comlink";
import * as glue from "../../wasm-core/pkg/core/core.js";
import { Keyring } from "../keyring/Keyring.ts";
import { keyringCalls } from "../keyring/keyringCalls.ts";
import { installRpcErrors } from "./rpcErrors.ts";

installRpcErrors();
const keyring = new Keyring(glue, () => performance.now());
expose(keyringCalls(keyring, (api, port) => expose(api, port)));
